"""Which arrays may meet in a launch, and where it then runs: every mix that the rules allow, and every one they refuse.

Each line after ``>>>`` is run as it is shown, on every device. Numbers such as R4.2 are those of docs/RULES.md.
"""

import re

import numpy as np
from transcript import BOLD, DIM, GREEN, heading, note, prompt, refusal, styled

import colocate as cl


@cl.kernel
def scale(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] * b[i]


@cl.kernel
def scale_all(a, factor, c):
    i = cl.get_global_id(0)
    c[i] = a[i] * factor


# A name, what it stands for, and the line that makes it, on the device that is tried.
PLACES = (
    ("here", "a queue", "cl.Queue(device)"),
    ("twin", "an equivalent one: device, context and properties are the same", "cl.Queue(device)"),
    ("there", "one that is not equivalent, since it is out of order", "cl.Queue(device, in_order=False)"),
)

ALLOWED = """
R4.1  Arrays of one queue: it runs there.
      scale(array(here), array(here), out(here))
R1.4  Queues that are equivalent are one place.
      scale(array(here), array(twin), out(twin))
R3.2  The kinds of memory may differ.
      scale(array(here, "shared"), array(here, "host"), out(here))
R3.4  A number has no place and follows the arrays.
      scale_all(array(here), 2.0, out(here))
R2.4  Data is brought over by one call.
      scale(array(there).asarray(here), array(here), out(here))
R4.2  NumPy arrays, if a device context names the queue.
      with cl.offload_to_device(there): scale(host(), host(), out_host())
R4.4  A context that agrees with the arrays.
      with cl.offload_to_device(twin): scale(array(here), array(here), out(here))
"""

REFUSED = """
R3.1  Arrays of queues that are not equivalent.
      scale(array(there), array(here), out(here))
R4.2  NumPy arrays, and nothing names a queue.
      scale(host(), host(), out_host())
R4.3  NumPy arrays beside an array.
      scale(host(), host(), out(here))
R4.3  A context of another queue does not help ...
      with cl.offload_to_device(there): scale(host(), host(), out(here))
R4.3  ... and neither does one of the array's own.
      with cl.offload_to_device(here): scale(host(), host(), out(here))
R4.4  A context that contradicts the arrays.
      with cl.offload_to_device(there): scale(array(here), array(here), out(here))
"""


class Tries:
    """The names that the lines use, on one device, and what came of the last line."""

    def __init__(self, device):
        self.device = device
        self.result = None
        self.names = {"cl": cl, "scale": scale, "scale_all": scale_all}
        self.names |= {"array": self.array, "out": self.out, "host": lambda: np.arange(4.0), "out_host": self.out_host}
        for name, _, source in PLACES:
            self.names[name] = eval(source, {"cl": cl, "device": device})

    def array(self, queue, usm_type="device"):
        """0, 1, 2, 3 on a queue."""
        return cl.asarray(np.arange(4.0), queue=queue, usm_type=usm_type)

    def out(self, queue):
        """Where a line puts its result."""
        self.result = cl.zeros(4, queue=queue)
        return self.result

    def out_host(self):
        """Where a line puts its result, without a queue."""
        self.result = np.zeros(4)
        return self.result

    def run(self, source):
        """What a line gives: text, or the error that refused it."""
        try:
            exec(source, self.names)
        except (cl.ExecutionPlacementError, cl.HostDataError) as error:
            return error
        where = f" on {self.result.device}" if isinstance(self.result, cl.Array) else " in a NumPy array"
        return f"c = {cl.asnumpy(self.result).tolist()}{where}"


def without_place(outcome):
    """An outcome's text without the names of device and queues, to tell whether two are the same but for the place."""
    return re.sub(r"\w+:\w+:\d+|queue #\d+", "...", str(outcome))


def show(outcome):
    if isinstance(outcome, Exception):
        refusal(outcome)
    else:
        print(f"      {styled(outcome, GREEN)}")


def show_cases(cases, tries, refused):
    lines = cases.strip().splitlines()
    for title, source in zip(lines[::2], map(str.strip, lines[1::2]), strict=True):
        print(f"\n  {title}")
        prompt(source)
        first, *others = ((each.device, each.run(source)) for each in tries)
        for device, outcome in (first, *others):
            if isinstance(outcome, Exception) != refused:
                raise SystemExit(f"the example is wrong: {source} gave {outcome} on {device}")
            if (device, outcome) == first or without_place(outcome) != without_place(first[1]):
                show(outcome)
            else:
                print(f"      {styled(f'{device}: the same', DIM)}")


def show_two_devices(tries):
    first, second = tries[:2]
    heading("Two devices", f"What holds for two queues holds for {first.device} and {second.device} all the more.")
    prompt("scale(a, b, c)")
    a, b, c = first.array(first.names["here"]), second.array(second.names["here"]), second.out(second.names["here"])
    try:
        scale(a, b, c)
    except cl.ExecutionPlacementError as error:
        refusal(error)
    else:
        raise SystemExit("the example is wrong: two devices were mixed")
    note("Data moves if you say so, and the launch follows it:")
    prompt("a = a.collocate(b)")
    prompt("scale(a, b, c)")
    scale(a.collocate(b), b, c)
    show(f"c = {cl.asnumpy(c).tolist()} on {c.device}")


def main():
    tries = [Tries(device) for device in cl.devices()]
    print(styled(f"Launches on {', '.join(str(each.device) for each in tries)}", BOLD))
    heading("Three queues of a device", "Two places: what decides is whether queues are equivalent.")
    for name, meaning, source in PLACES:
        prompt(f"{name} = {source}".ljust(42) + f"# {meaning}")
    heading("Allowed", "array and out make arrays on a queue, host and out_host NumPy arrays.")
    show_cases(ALLOWED, tries, refused=False)
    heading("Refused", "Nothing is computed, allocated or copied, and the message says what to write.")
    show_cases(REFUSED, tries, refused=True)
    if len(tries) > 1:
        show_two_devices(tries)


if __name__ == "__main__":
    main()
