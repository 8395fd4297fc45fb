"""einops, through its functions for libraries of the standard."""

import numpy as np
import pytest

einops = pytest.importorskip("einops.array_api")

IMAGES = np.arange(2 * 4 * 6 * 3, dtype=np.float32).reshape(2, 4, 6, 3)


@pytest.mark.parametrize(
    "pattern",
    ["b h w c -> b c h w", "b h w c -> (b h) (w c)", "b (h p) (w q) c -> (b h w) (p q c)", "b h w c -> b (c h) 1 w"],
)
def test_rearrange(same_as_numpy, pattern):
    sizes = {"p": 2, "q": 3} if "p" in pattern else {}
    same_as_numpy(lambda x: einops.rearrange(x, pattern, **sizes), IMAGES)


def test_rearrange_of_a_list(same_as_numpy):
    same_as_numpy(lambda x, y: einops.rearrange([x, y], "two b h w c -> (two b) (h w) c"), IMAGES, IMAGES + 1)


@pytest.mark.parametrize("how", ["min", "max", "sum", "mean", "prod"])
def test_reduce(same_as_numpy, how):
    same_as_numpy(lambda x: einops.reduce(x / 50, "b (h h2) w c -> b h c", how, h2=2), IMAGES, rtol=1e-5)


def test_repeat(same_as_numpy):
    same_as_numpy(lambda x: einops.repeat(x, "b h w c -> b (h 2) (w k) c", k=3), IMAGES)


def test_pack_and_unpack(same_as_numpy):
    def there_and_back(x, y):
        packed, shapes = einops.pack([x, y], "* c")
        return packed, *einops.unpack(packed, shapes, "* c")

    same_as_numpy(there_and_back, IMAGES, IMAGES[0, 0])
