"""opt_einsum, which takes the functions of the package that its arguments' class comes from."""

import numpy as np
import pytest

opt_einsum = pytest.importorskip("opt_einsum")

RNG = np.random.default_rng(3)
A, B, C = (RNG.normal(size=shape) for shape in ((6, 7), (7, 8), (8, 6)))
BATCH = RNG.normal(size=(3, 7, 5))


@pytest.mark.parametrize("pattern", ["ij,jk,kl->il", "ij,jk,ki->", "ij,jk,kl->ijl", "ij,jk,km->mi"])
def test_contractions_of_three(same_as_numpy, pattern):
    same_as_numpy(lambda x, y, z: opt_einsum.contract(pattern, x, y, z), A, B, C)


def test_contractions_with_a_batch(same_as_numpy):
    same_as_numpy(lambda x, y: opt_einsum.contract("ij,bjk->bik", x, y), A, BATCH)
    same_as_numpy(lambda x: opt_einsum.contract("bjk,bjk->b", x, x), BATCH)
    same_as_numpy(lambda x: opt_einsum.contract("bjk->kj", x), BATCH)


def test_an_expression_is_used_again(same_as_numpy):
    expression = opt_einsum.contract_expression("ij,jk,kl->il", A.shape, B.shape, C.shape)
    same_as_numpy(lambda x, y, z: expression(x, y, z), A, B, C)


def test_shared_intermediates(same_as_numpy):
    def twice(x, y, z):
        with opt_einsum.shared_intermediates():
            return opt_einsum.contract("ij,jk,kl->il", x, y, z), opt_einsum.contract("ij,jk,kl->jl", x, y, z)

    same_as_numpy(twice, A, B, C)
