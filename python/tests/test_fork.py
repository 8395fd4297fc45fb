"""fork (R1.8): a child gets a clear error or a working native backend, never a hang."""

import pytest

FORK = """
import os, sys, signal
import numpy as np
import colocate as cl

def in_child(check):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)  # a hang is a failure, not a wait
        try:
            check()
            code = 0
        except BaseException as error:
            print("child:", repr(error), flush=True)
            code = 1
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""


def test_a_child_goes_on_with_native_arrays(run_python):  # R1.8
    code = (
        FORK
        + """
x = cl.asarray(np.arange(1_000_000.0), device="native:cpu")
y = x.copy()                      # pending work of the parent is finished before the fork
def check():
    assert cl.asnumpy(y)[-1] == 999_999.0
    z = cl.zeros(5_000_000, device="native:cpu")   # large enough for the child's own threads
    z[...] = 3.0
    assert cl.asnumpy(z).sum() == 15_000_000.0
    y[:10] = -1.0
    x.queue.wait()
assert in_child(check) == 0
assert cl.asnumpy(y)[0] == 0.0    # the parent's memory is its own
assert in_child(check) == 0       # and a second child is as good as the first
print("ok")
"""
    )
    assert run_python(code) == "ok\n"


def test_a_child_of_a_busy_parent_does_not_hang(run_python):  # R1.8
    code = (
        FORK
        + """
import threading
stop = threading.Event()
def churn():
    q = cl.Queue("native:cpu")
    while not stop.is_set():
        cl.zeros(500_000, queue=q).copy()
threads = [threading.Thread(target=churn) for _ in range(3)]
for t in threads: t.start()
def check():
    for n in (3, 3_000_000):
        assert cl.asnumpy(cl.ones(n, device="native:cpu")).sum() == n
codes = [in_child(check) for _ in range(20)]
stop.set()
for t in threads: t.join()
print(set(codes))
"""
    )
    assert run_python(code) == "{0}\n"


def test_a_child_of_sub_devices_works(run_python):  # R1.8
    code = (
        FORK
        + """
part = cl.Device("native:cpu").create_sub_devices(1)[0]
x = cl.ones(1_000_000, device=part)
def check():
    assert cl.asnumpy(x.copy()).sum() == 1_000_000
assert in_child(check) == 0
print("ok")
"""
    )
    assert run_python(code) == "ok\n"


def test_a_child_that_uses_the_parents_sycl_objects_gets_a_clear_error(run_python, sycl_device):  # R1.8
    code = (
        FORK
        + """
x = cl.asarray(np.arange(10.0), device="opencl:cpu")
q, d = x.queue, x.device
def check():
    for use in (lambda: cl.asnumpy(x), lambda: cl.zeros(3, queue=q), q.wait, q.submit_barrier, x.copy,
                lambda: d.create_sub_devices(1), lambda: cl.Queue(d)):
        try: use()
        except cl.BackendError as error: assert "spawn" in str(error), error
        else: raise AssertionError("no error")
    assert cl.asnumpy(cl.ones(3, device="native:cpu")).sum() == 3
assert in_child(check) == 0
def leave():
    global x, q, d
    del x, q, d                     # nothing of the parent's is freed here
assert in_child(leave) == 0
assert cl.asnumpy(x)[9] == 9.0
print("ok")
"""
    )
    assert run_python(code) == "ok\n"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing_works(run_python, tmp_path, method):  # R1.8
    script = tmp_path / "workers.py"
    script.write_text(f"""
import multiprocessing, numpy as np, colocate as cl
def work(n):
    return float(cl.asnumpy(cl.full(n, 2.0, device="native:cpu")).sum())
if __name__ == "__main__":
    cl.zeros(1_000_000, device="native:cpu").copy()
    with multiprocessing.get_context("{method}").Pool(2) as pool:
        print(pool.map(work, [10, 1_000_000]))
""")
    code = f"import runpy, sys; sys.argv = [{str(script)!r}]; runpy.run_path({str(script)!r}, run_name='__main__')"
    assert run_python(code) == "[20.0, 2000000.0]\n"
