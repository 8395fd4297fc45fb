"""scikit-learn with array_api_dispatch: estimators and metrics that follow the standard."""

import numpy as np
import pytest

import colocate as cl

sklearn = pytest.importorskip("sklearn")
decomposition, discriminant_analysis, linear_model, metrics, model_selection, preprocessing = (
    pytest.importorskip(f"sklearn.{name}")
    for name in (
        "decomposition",
        "discriminant_analysis",
        "linear_model",
        "metrics",
        "model_selection",
        "preprocessing",
    )
)
pairwise = pytest.importorskip("sklearn.metrics.pairwise")

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 5)) @ RNG.normal(size=(5, 5)) + RNG.normal(size=5)
CLASSES = (X[:, 0] + 0.3 * RNG.normal(size=60) > np.median(X[:, 0])).astype(np.int64)
Y = X @ np.arange(5.0) + 0.1 * RNG.normal(size=60)


@pytest.fixture(autouse=True)
def dispatching():
    with sklearn.config_context(array_api_dispatch=True):
        yield


@pytest.mark.parametrize(
    "transformer",
    [
        preprocessing.StandardScaler(),
        preprocessing.MinMaxScaler(),
        preprocessing.MaxAbsScaler(),
        preprocessing.Normalizer(norm="l1"),
        preprocessing.Binarizer(threshold=0.2),
        preprocessing.PolynomialFeatures(degree=2),
        decomposition.PCA(n_components=3, svd_solver="full"),
        decomposition.PCA(n_components=2, svd_solver="covariance_eigh", whiten=True),
    ],
    ids=lambda one: f"{type(one).__name__}-{getattr(one, 'svd_solver', '')}",
)
def test_transformers(same_as_numpy, transformer):
    same_as_numpy(lambda x: sklearn.base.clone(transformer).fit_transform(x), X, rtol=1e-6, atol=1e-8)


def test_a_transformer_goes_back(same_as_numpy):
    def there_and_back(x):
        scaler = preprocessing.StandardScaler().fit(x)
        return scaler.inverse_transform(scaler.transform(x)), scaler.mean_, scaler.var_

    same_as_numpy(there_and_back, X)


def test_linear_models(same_as_numpy):
    def ridge(x, y):
        model = linear_model.Ridge(alpha=0.5, solver="svd").fit(x, y)
        return model.coef_, model.predict(x)

    same_as_numpy(ridge, X, Y)


def test_discriminant_analysis(same_as_numpy):
    def classify(x, y):
        model = discriminant_analysis.LinearDiscriminantAnalysis().fit(x, y)
        return model.predict(x), model.decision_function(x)

    same_as_numpy(classify, X, CLASSES)


METRICS = {
    "accuracy": metrics.accuracy_score,
    "zero_one_loss": metrics.zero_one_loss,
    "f1": metrics.f1_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "hamming_loss": metrics.hamming_loss,
    "confusion_matrix": lambda a, b: metrics.confusion_matrix(a, b).sum(),
}
REGRESSION_METRICS = {
    "mean_squared_error": metrics.mean_squared_error,
    "mean_absolute_error": metrics.mean_absolute_error,
    "r2": metrics.r2_score,
    "explained_variance": metrics.explained_variance_score,
    "max_error": metrics.max_error,
    "d2_tweedie": lambda a, b: metrics.d2_tweedie_score(abs(a) + 1, abs(b) + 1),
}


def score_is_the_same(comparison, metric, true, predicted):
    """Metrics give Python numbers."""
    ours = metric(*comparison.ours(true, predicted))
    np.testing.assert_allclose(float(ours), float(metric(true, predicted)), rtol=1e-9)


@pytest.mark.parametrize("name", METRICS)
def test_metrics_of_classes(same_as_numpy, name):
    score_is_the_same(same_as_numpy, METRICS[name], CLASSES, np.roll(CLASSES, 3))


@pytest.mark.parametrize("name", REGRESSION_METRICS)
def test_metrics_of_numbers(same_as_numpy, name):
    score_is_the_same(same_as_numpy, REGRESSION_METRICS[name], Y, Y + 0.3 * X[:, 0])


def test_pairwise_functions(same_as_numpy):
    for function in (
        pairwise.euclidean_distances,
        pairwise.cosine_similarity,
        pairwise.linear_kernel,
        pairwise.polynomial_kernel,
        pairwise.rbf_kernel,
        pairwise.sigmoid_kernel,
    ):
        same_as_numpy(lambda x, f=function: f(x), X, atol=1e-6)


def test_splits(same_as_numpy):
    same_as_numpy(lambda x, y: model_selection.train_test_split(x, y, random_state=0), X, Y)


def test_label_encoding(same_as_numpy):
    def encode(y):
        encoder = preprocessing.LabelEncoder().fit(y)
        return encoder.transform(y), encoder.inverse_transform(encoder.transform(y))

    same_as_numpy(encode, CLASSES * 7 + 2)


def test_validation(device):
    from sklearn.utils.validation import check_array, check_X_y

    x, y = cl.asarray(X, device=device), cl.asarray(CLASSES, device=device)
    for checked in (check_array(x), check_X_y(x, y)[0]):
        assert checked.device == device
        np.testing.assert_array_equal(cl.asnumpy(checked), X)
    bad = cl.asarray(np.where(X > 1, np.nan, X), device=device)
    with pytest.raises(ValueError, match="NaN"):
        check_array(bad)
