"""How every public function is called with arrays, for `test_placement_everywhere.py`.

A recipe names the array arguments, in order, with values, and says how the function is called with
them. A function that takes no arrays is listed in ``WITHOUT_ARRAYS`` with the reason. The test fails
for a public function that is in neither.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

A = np.array([[0.1, 0.7, 0.4], [0.9, 0.2, 0.6], [0.3, 0.5, 0.8]])
B = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.9], [0.8, 0.4, 0.7]])
V, W = A[0].copy(), B[0].copy()
SORTED = np.sort(A.ravel())
SYMMETRIC = A + A.T + 3 * np.eye(3)
COMPLEX = A + 1j * B
WHOLE, OTHER_WHOLE = np.array([3, 1, 2, 3, 0]), np.array([1, 2, 2, 1, 3])
MASK = A > 0.45
INDICES = np.array([2, 0, 1])


@dataclass(frozen=True)
class Recipe:
    """Array arguments in order; how to call; which may be NumPy arrays; whether arguments come back as views."""

    arrays: dict[str, np.ndarray]
    call: Callable = field(default=lambda function, *arrays: function(*arrays))
    host: frozenset[str] = frozenset()
    views: bool = False


def recipe(call=None, host=(), views=False, **arrays):
    """A recipe; without ``call`` the arrays are the positional arguments."""
    options = {} if call is None else {"call": call}
    return Recipe(arrays, host=frozenset(host), views=views, **options)


def each(names, **options):
    """The same recipe for several functions."""
    return {name: recipe(**options) for name in names.split()}


def sequence(f, *arrays):
    """A function that takes its arrays as one list."""
    return f(list(arrays))


ELEMENTWISE = {
    **each(
        """abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh around asin asinh atan atanh
        cbrt ceil conj conjugate cos cosh deg2rad degrees exp exp2 expm1 fabs fix floor frexp imag isfinite isinf isnan
        isneginf isposinf log log10 log1p log2 logical_not modf nan_to_num negative positive rad2deg radians real
        reciprocal rint round sign signbit sin sinc sinh spacing sqrt square tan tanh trunc i0 isreal iscomplex
        real_if_close unwrap""",
        x=A,
    ),
    **each("bitwise_count bitwise_invert bitwise_not invert", x=WHOLE),
    **each(
        """add arctan2 atan2 copysign divide divmod equal float_power floor_divide fmax fmin fmod greater greater_equal
        heaviside hypot less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum mod
        multiply nextafter not_equal pow power remainder subtract true_divide""",
        x1=A,
        x2=B,
    ),
    **each(
        """bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor gcd lcm left_shift right_shift""",
        x1=WHOLE,
        x2=OTHER_WHOLE,
    ),
    "ldexp": recipe(x1=V, x2=INDICES),
    "clip": recipe(x=A, min=V, max=W + 1),
    "isclose": recipe(a=A, b=B),
    "allclose": recipe(a=A, b=B),
    "array_equal": recipe(a1=A, a2=B),
    "array_equiv": recipe(a1=A, a2=B),
}

CREATION = {
    **each("empty_like zeros_like ones_like", x=A),
    "full_like": recipe(lambda f, x: f(x, 2), x=A),
    "meshgrid": recipe(x=V, y=W, views=True),
    **each("tril triu", x=A),
    "copy": recipe(x=A),
    "diag": recipe(x=V),
    "diagflat": recipe(x=V),
    "diagonal": recipe(x=A, views=True),
    "vander": recipe(x=V),
    "fill_diagonal": recipe(lambda f, a: f(a, 1), a=A),
    "tril_indices_from": recipe(arr=A),
    "triu_indices_from": recipe(arr=A),
    "diag_indices_from": recipe(arr=A),
}

MANIPULATION = {
    "astype": recipe(lambda f, x: f(x, "float32"), x=A),
    "broadcast_arrays": recipe(x1=A, x2=V, views=True),
    "broadcast_to": recipe(lambda f, x: f(x, (2, 3)), x=V, views=True),
    **each("concat concatenate stack vstack hstack dstack column_stack block row_stack", call=sequence, x=A, y=B),
    "append": recipe(arr=V, values=W),
    "insert": recipe(lambda f, arr, values: f(arr, 1, values), arr=V, values=W),
    "delete": recipe(lambda f, arr: f(arr, 1), arr=V),
    "expand_dims": recipe(lambda f, x: f(x, axis=0), x=A, views=True),
    **each("flip fliplr flipud ravel squeeze transpose permute matrix_transpose atleast_1d atleast_2d atleast_3d", x=A),
    "moveaxis": recipe(lambda f, x: f(x, 0, 1), x=A, views=True),
    "rollaxis": recipe(lambda f, x: f(x, 1), x=A, views=True),
    "permute_dims": recipe(lambda f, x: f(x, (1, 0)), x=A, views=True),
    "swapaxes": recipe(lambda f, x: f(x, 0, 1), x=A, views=True),
    "repeat": recipe(lambda f, x: f(x, 2), x=A),
    "reshape": recipe(lambda f, x: f(x, (9,)), x=A, views=True),
    "resize": recipe(lambda f, x: f(x, (4,)), x=V),
    "roll": recipe(lambda f, x: f(x, 1), x=A),
    "rot90": recipe(x=A),
    "tile": recipe(lambda f, x: f(x, (2, 1)), x=A),
    "unstack": recipe(x=A, views=True),
    **each("split array_split hsplit vsplit", call=lambda f, x: f(x, 3), x=A, views=True),
    "dsplit": recipe(lambda f, x: f(x, 3), x=np.stack([A, B, A], axis=-1), views=True),
    "pad": recipe(lambda f, x: f(x, 1), x=A),
    "sliding_window_view": recipe(lambda f, x: f(x, 2), x=V, views=True),
    "packbits": recipe(a=MASK),
    "unpackbits": recipe(a=np.array([1, 2], "uint8")),
    "ix_": recipe(x=INDICES, y=INDICES[:2].copy(), views=True),
    "trim_zeros": recipe(x=np.array([0.0, 1, 2, 0]), views=True),
    "copyto": recipe(dst=A.copy(), src=B),
    "apply_along_axis": recipe(lambda f, x: f(lambda row: row * 2, 0, x), x=A),
    "apply_over_axes": recipe(lambda f, x: f(lambda y, axis: y, x, [0]), x=A, views=True),
}

INDEXING = {
    "take": recipe(lambda f, a, indices: f(a, indices, axis=0), a=A, indices=INDICES, host=["indices"]),
    "take_along_axis": recipe(
        lambda f, arr, indices: f(arr, indices, axis=0), arr=A, indices=INDICES[None, :], host=["indices"]
    ),
    "put_along_axis": recipe(
        lambda f, arr, indices, values: f(arr, indices, values, 0),
        arr=A.copy(),
        indices=INDICES[None, :],
        values=V[None, :],
        host=["indices"],
    ),
    "put": recipe(a=A.copy(), ind=INDICES, v=V, host=["ind"]),
    "place": recipe(arr=A.copy(), mask=MASK, vals=V, host=["mask"]),
    "putmask": recipe(a=A.copy(), mask=MASK, values=V, host=["mask"]),
    "choose": recipe(lambda f, a, x, y: f(a, [x, y]), a=np.array([0, 1, 1]), x=V, y=W),
    "compress": recipe(condition=MASK[0], a=V, host=["condition"]),
    "extract": recipe(condition=MASK, arr=A, host=["condition"]),
    "select": recipe(lambda f, c, d, x, y: f([c, d], [x, y]), c=MASK, d=~MASK, x=A, y=B),
    "piecewise": recipe(lambda f, x, c: f(x, [c], [1.0, 2.0]), x=A, c=MASK),
    "where": recipe(condition=MASK, x1=A, x2=B),
    "nonzero": recipe(x=A),
    "flatnonzero": recipe(x=A),
    "argwhere": recipe(x=A),
    "count_nonzero": recipe(x=A),
    "searchsorted": recipe(a=SORTED, v=V),
    "digitize": recipe(x=V, bins=SORTED),
    "unravel_index": recipe(lambda f, indices: f(indices, (3, 3)), indices=INDICES),
    "ravel_multi_index": recipe(lambda f, x, y: f((x, y), (3, 3)), x=INDICES, y=INDICES[::-1].copy()),
}

SORTING_AND_SETS = {
    **each("argsort sort msort sort_complex", x=A),
    "lexsort": recipe(sequence, x=V, y=W),
    **each("partition argpartition", call=lambda f, x: f(x, 1), x=A),
    **each("argmax argmin unique unique_all unique_counts unique_inverse unique_values", x=A),
    "isin": recipe(element=WHOLE, test_elements=OTHER_WHOLE),
    **each("in1d union1d intersect1d setdiff1d setxor1d", ar1=WHOLE, ar2=OTHER_WHOLE),
}

REDUCTIONS = {
    **each(
        """all any amax amin count cumprod cumsum max mean median min nanargmax
        nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanprod nanstd nansum nanvar prod ptp std sum
        var diff ediff1d trapezoid logsumexp""",
        x=A,
    ),
    **each("cumulative_prod cumulative_sum", call=lambda f, x: f(x, axis=0), x=A),
    "average": recipe(lambda f, a, weights: f(a, weights=weights), a=A, weights=B),
    **each("quantile percentile nanquantile nanpercentile", call=lambda f, a: f(a, 0.3), a=A),
    "histogram": recipe(a=A),
    "histogram_bin_edges": recipe(a=A),
    "histogram2d": recipe(x=V, y=W),
    "histogramdd": recipe(sample=A),
    "bincount": recipe(lambda f, x, weights: f(x, weights), x=INDICES, weights=V),
    "cov": recipe(m=A),
    "corrcoef": recipe(x=A),
    "gradient": recipe(f=A, call=lambda function, f: function(f)),
    "interp": recipe(x=V, xp=np.array([0.0, 0.5, 1.0]), fp=W),
    "convolve": recipe(a=V, v=W),
    "correlate": recipe(a=V, v=W),
    "polyval": recipe(p=V, x=W),
    "polyfit": recipe(lambda f, x, y: f(x, y, 1), x=V, y=W),
    **each("polyadd polysub polymul", a1=V, a2=W),
    "polydiv": recipe(u=V, v=W),
    **each("polyder polyint", p=V),
    "roots": recipe(p=V),
    "poly": recipe(seq_of_zeros=V),
}

PRODUCTS = {
    **each("matmul vecdot", x1=A, x2=B),
    **each("dot inner kron tensordot", a=A, b=B),
    "outer": recipe(a=V, b=W),
    "vdot": recipe(a=V, b=W),
    "cross": recipe(a=V, b=W),
    "matvec": recipe(x1=A, x2=V),
    "vecmat": recipe(x1=V, x2=A),
    "einsum": recipe(lambda f, x, y: f("ij,jk->ik", x, y), x=A, y=B),
    "einsum_path": recipe(lambda f, x, y: f("ij,jk->ik", x, y), x=A, y=B),
    "trace": recipe(x=A),
}

LINALG = {
    **each("linalg.cholesky linalg.eigh linalg.eigvalsh linalg.expm", x=SYMMETRIC),
    **each(
        """linalg.det linalg.eig linalg.eigvals linalg.inv linalg.matrix_norm linalg.matrix_rank linalg.pinv linalg.qr
        linalg.slogdet linalg.svd linalg.svdvals linalg.vector_norm linalg.norm linalg.cond linalg.trace
        linalg.lu linalg.lu_factor linalg.schur linalg.sqrtm linalg.logm""",
        x=A,
    ),
    "linalg.diagonal": recipe(x=A, views=True),
    "linalg.matrix_transpose": recipe(x=A, views=True),
    "linalg.matrix_power": recipe(lambda f, x: f(x, 3), x=A),
    "linalg.solve": recipe(a=A, b=V),
    "linalg.lstsq": recipe(a=A, b=V),
    "linalg.cross": recipe(x1=V, x2=W),
    "linalg.outer": recipe(x1=V, x2=W),
    **each("linalg.matmul linalg.vecdot", x1=A, x2=B),
    "linalg.tensordot": recipe(a=A, b=B),
    "linalg.multi_dot": recipe(sequence, x=A, y=B, z=A),
    "linalg.tensorinv": recipe(lambda f, a: f(a, ind=1), a=A),
    "linalg.tensorsolve": recipe(a=A, b=V),
}

FFT = {
    **each(
        "fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn fft.irfft fft.irfft2 fft.irfftn fft.hfft", x=COMPLEX
    ),
    **each("fft.rfft fft.rfft2 fft.rfftn fft.ihfft fft.fftshift fft.ifftshift", x=A),
}

FILES = {
    "save": recipe(lambda f, arr: f(io.BytesIO(), arr), arr=A),
    "savetxt": recipe(lambda f, x: f(io.StringIO(), x), X=A),
    **each("savez savez_compressed", call=lambda f, x: f(io.BytesIO(), x=x), x=A),
}

# Methods of a generator, which has a queue of its own.
RANDOM = {
    "uniform": recipe(low=V, high=W + 1),
    **each("normal laplace logistic gumbel", loc=V, scale=W),
    "lognormal": recipe(mean=V, sigma=W),
    **each("exponential rayleigh", scale=V),
    "standard_gamma": recipe(shape=V),
    "gamma": recipe(shape=V, scale=W),
    "beta": recipe(a=V, b=W),
    **each("weibull pareto power", a=V),
    "zipf": recipe(a=V + 2),
    **each("chisquare standard_t", df=V),
    "noncentral_chisquare": recipe(df=V, nonc=W),
    "f": recipe(dfnum=V, dfden=W),
    "noncentral_f": recipe(dfnum=V, dfden=W, nonc=V),
    "triangular": recipe(left=V, mode=V + 1, right=V + 2),
    "vonmises": recipe(mu=V, kappa=W),
    "wald": recipe(mean=V, scale=W),
    "integers": recipe(low=INDICES, high=INDICES + 5),
    "poisson": recipe(lam=V),
    **each("geometric logseries", p=V),
    **each("binomial negative_binomial", n=INDICES + 1, p=V),
    "hypergeometric": recipe(ngood=INDICES + 5, nbad=INDICES + 3, nsample=INDICES + 1),
    "multivariate_hypergeometric": recipe(lambda f, colors: f(colors, 2), colors=INDICES + 1),
    "multivariate_normal": recipe(mean=V, cov=SYMMETRIC),
    "dirichlet": recipe(alpha=V),
    "multinomial": recipe(lambda f, pvals: f(5, pvals), pvals=np.array([0.2, 0.3, 0.5])),
    "choice": recipe(lambda f, a, p: f(a, p=p), a=V, p=np.array([0.2, 0.3, 0.5])),
    **each("permutation permuted shuffle", x=A),
}
RANDOM_WITHOUT_ARRAYS = {"bytes", "random", "spawn", "standard_cauchy", "standard_exponential", "standard_normal"}

RECIPES = {
    **ELEMENTWISE,
    **CREATION,
    **MANIPULATION,
    **INDEXING,
    **SORTING_AND_SETS,
    **REDUCTIONS,
    **PRODUCTS,
    **LINALG,
    **FFT,
    **FILES,
}

# Functions of the public namespaces that have no array arguments of their own, and why.
WITHOUT_ARRAYS = {
    name: why
    for why, names in {
        "makes arrays where it is told": """arange array as_array asanyarray asarray asarray_chkfinite
            ascontiguousarray asfortranarray empty eye from_dlpack full identity indices
            linspace logspace geomspace ones zeros tri tril_indices triu_indices diag_indices mask_indices fromfunction
            fromiter frombuffer fromfile fromstring genfromtxt load loadtxt require fft.fftfreq
            fft.rfftfreq hanning hamming blackman bartlett kaiser""",
        "brings arrays to the host, or asks where they are": """asnumpy get_coerced_usm_type get_execution_queue
            queues_equivalent shares_memory may_share_memory ndenumerate array_repr array_str array2string""",
        "looks at dtypes and shapes only": """__array_namespace_info__ broadcast_shapes can_cast finfo iinfo
            isdtype issubdtype isfortran common_type result_type
            promote_types min_scalar_type iscomplexobj isrealobj isscalar shape ndim size normalize_axis_index
            normalize_axis_tuple base_repr binary_repr geterr seterr get_printoptions set_printoptions printoptions""",
        "is about devices, queues and memory": """device_context devices empty_cache get_current_queue
            is_in_device_context memory_stats offload_to offload_to_device profile reset_global_queue
            set_global_queue""",
        "is about kernels": """barrier device_func get_global_id get_global_size get_group_id get_local_id
            get_local_size get_num_groups kernel local_array private_array""",
        "is about jit functions": "jit njit prange stencil",
        "names the queue itself (R6.5)": "lapack",
    }.items()
    for name in names.split()
}
