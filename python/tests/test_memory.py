"""The pool, its statistics, and running out."""

import numpy as np
import pytest

import colocate as cl


def test_freed_memory_is_reused(device):
    x = cl.empty(1 << 20, dtype="uint8", device=device)
    address = x.__sycl_usm_array_interface__["data"][0]
    del x
    before = cl.memory_stats(device)
    y = cl.empty(1 << 20, dtype="uint8", device=device)
    after = cl.memory_stats(device)
    assert after["reused"] == before["reused"] + 1
    assert y.__sycl_usm_array_interface__["data"][0] == address


def test_reused_memory_has_no_page_faults(run_python):
    code = """
        import resource, numpy as np, colocate as cl
        def touch():
            x = cl.zeros(16 << 20, dtype="uint8", device="native:cpu")
            x.queue.wait()
        touch(); touch()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(20): touch()
        print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    """
    assert int(run_python(code)) < 100  # 20 times 16 MiB are 81920 pages


@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_memory_is_aligned_to_cache_lines(device, usm_type):
    for size in (1, 100, 10_000, 3_000_000):
        x = cl.empty(size, dtype="uint8", device=device, usm_type=usm_type)
        assert x.__sycl_usm_array_interface__["data"][0] % 64 == 0


def test_statistics_follow_what_is_held(device):
    before = cl.memory_stats(device)
    x = cl.empty(1_000_000, dtype="float64", device=device)
    during = cl.memory_stats(device)
    assert during["in_use"] >= before["in_use"] + 8_000_000
    assert during["peak"] >= during["in_use"] and during["allocations"] == before["allocations"] + 1
    del x
    after = cl.memory_stats(device)
    assert after["in_use"] == before["in_use"]
    assert after["cached"] > 0


def test_the_cache_can_be_emptied(device):
    del_me = cl.empty(1_000_000, device=device)
    del_me.queue.wait()
    del del_me
    assert cl.empty_cache() >= 8_000_000
    assert cl.memory_stats()["cached"] == 0
    assert cl.asnumpy(cl.ones(1_000_000, device=device)).sum() == 1_000_000


@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_an_impossible_allocation_raises_with_the_numbers_and_the_process_lives(device, usm_type):
    for size in (1 << 44, 1 << 50, 1 << 60):
        with pytest.raises(cl.OutOfMemoryError) as caught:
            cl.empty(size, dtype="uint8", device=device, usm_type=usm_type)
        assert isinstance(caught.value, MemoryError)
        message = str(caught.value)
        assert "bytes are available of" in message and usm_type in message
    assert cl.ones(3, device=device).tolist() == [1, 1, 1]


def test_more_than_the_machine_has_in_pieces_raises_too(device):
    # None of it is touched, so the system alone would let it pass.
    piece = device.global_mem_size // 3
    held = []
    with pytest.raises(cl.OutOfMemoryError, match="this process holds"):
        for _ in range(8):
            held.append(cl.empty(piece, dtype="uint8", device=device))
    assert len(held) < 4
    held.clear()
    cl.empty_cache()


def test_kept_memory_is_given_up_before_an_allocation_fails(run_python):
    code = """
        import colocate as cl
        # What others use of the machine's memory is not there to be had.
        lines = dict(line.split(":") for line in open("/proc/meminfo"))
        there_is = 1024 * int(lines["MemAvailable"].split()[0])
        # Freed blocks of one size are no use for another, but must not stand in its way.
        x = cl.empty(there_is // 5, dtype="uint8"); del x
        held = [cl.empty(there_is // 100, dtype="uint8") for _ in range(60)]
        del held
        y = cl.empty(int(there_is * 0.72), dtype="uint8")
        print("ok")
    """
    assert run_python(code) == "ok\n"


@pytest.mark.parametrize("count", [0, 1])
def test_empty_arrays_take_part_in_everything(device, count):
    x = cl.empty((count, 0), device=device)
    y = x.copy()
    y[...] = 3
    assert cl.asnumpy(y).shape == (count, 0) and y.tolist() == np.empty((count, 0)).tolist()
    assert cl.asarray(y, dtype="int8").shape == (count, 0)
