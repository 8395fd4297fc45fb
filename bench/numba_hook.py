"""What device contexts cost a program that calls functions of Numba's outside of them (R5.8): nothing.

    python bench/numba_hook.py [--quick] [--json PATH] [--only TEXT]

The same call is timed before any context was entered, after some were left, and while another thread is inside one.
Each is measured in processes of its own, in turns, since a context that was entered cannot be undone. What else the
machine does only adds to a time, so the shortest counts.
"""

import json
import subprocess
import sys
from pathlib import Path

from measure import machine_facts, options

# Equal calls differ by this much from process to process.
TIE = 1.05

PROGRAM = """
import sys, threading, timeit
import numpy as np
from numba import njit
import colocate as cl

@njit
def three(a, b, c):
    c[0] = a[0] + b[0]

x = np.ones(8)
three(x, x, x)
state = sys.argv[1]
if state != "before":
    for _ in range(10):
        with cl.device_context("native:cpu"):
            pass
inside, leave = threading.Event(), threading.Event()
def stay():
    with cl.device_context("native:cpu"):
        inside.set()
        leave.wait()
if state == "another thread":
    thread = threading.Thread(target=stay)
    thread.start()
    inside.wait()
timer = timeit.Timer("three(x, x, x)", globals=globals())
number = 100_000
print(min(timer.repeat(7, number)) / number)
leave.set()
"""

STATES = {
    "before": "before any context",
    "after": "after contexts were left",
    "another thread": "while another thread is in a context",
}


def seconds(state):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, state], capture_output=True, text=True, check=True, timeout=120
    )
    return float(done.stdout)


def main():
    chosen = options(__doc__)
    states = {state: text for state, text in STATES.items() if not chosen.only or chosen.only in text}
    rounds = {state: [] for state in states}
    for _ in range(chosen.rounds):
        for state in states:
            rounds[state].append(seconds(state))
    print("A call of a function of Numba's with three arrays, outside of contexts")
    best = {state: min(times) for state, times in rounds.items()}
    for state, time in best.items():
        ratio = time / best.get("before", time)
        print(f"  {states[state]:<40} {1e9 * time:6.0f} ns   {ratio:.2f}")
    if chosen.json:
        facts = {"machine": machine_facts(), "seconds": {states[state]: times for state, times in rounds.items()}}
        Path(chosen.json).write_text(json.dumps(facts, indent=2) + "\n")
    if "before" in best and best.get("after", 0) > TIE * best["before"]:
        sys.exit("calls after contexts were left take longer than before")


if __name__ == "__main__":
    main()
