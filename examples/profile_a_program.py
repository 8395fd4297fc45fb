"""Where the time of a program goes: the same heat equation twice, the second time without its needless copies.

The profile's table is printed. With ``--html FOLDER`` the pages with the timelines are written to that folder.
"""

import sys
from pathlib import Path

import numpy as np

import colocate as cl

SIDE, STEPS = 300, 30


@cl.kernel
def heat(old, new):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    n, m = old.shape
    if i == 0 or j == 0 or i == n - 1 or j == m - 1:
        new[i, j] = old[i, j]
    else:
        around = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
        new[i, j] = 0.5 * old[i, j] + 0.125 * around


def start():
    plate = np.zeros((SIDE, SIDE))
    plate[0] = 100.0
    return plate


def with_copies(device):
    """Brings the plate back after every step, to look at one number."""
    plate = start()
    for _ in range(STEPS):
        old = cl.asarray(plate, device=device)
        new = cl.empty_like(old)
        heat(old, new)
        plate = np.array(cl.asnumpy(new))
        if plate[1].max() < 0:
            break
    return plate


def without_copies(device):
    """Leaves the plate where it is; the number alone comes back."""
    old = cl.asarray(start(), device=device)
    new = cl.empty_like(old)
    for _ in range(STEPS):
        heat(old, new)
        old, new = new, old
        if float(cl.max(old[1])) < 0:
            break
    return cl.asnumpy(old)


def main(folder=None):
    devices = [device for device in cl.devices() if device.backend in ("native", "opencl")]
    for device in devices:
        # Compiled before, so that the profiles show the work itself.
        expected = without_copies(device)
        for program in (with_copies, without_copies):
            with cl.profile() as p:
                found = program(device)
            assert np.allclose(found, expected)
            print(f"{program.__name__} on {device}\n{p}\n")
            if folder:
                path = Path(folder) / f"{program.__name__}-{device.backend}.html"
                p.save_html(path)
                print(f"the timeline: {path}\n")


if __name__ == "__main__":
    main(sys.argv[2] if sys.argv[1:2] == ["--html"] else None)
