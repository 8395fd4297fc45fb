"""How objects show in notebooks."""

from html import escape

from colocate import _text
from colocate._cli import human_bytes
from colocate._errors import Error


def _table(title, rows):
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(str(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption><b>{escape(title)}</b></caption>{cells}</table>"


def device(d):
    """A device as a table."""
    return _table(
        f"Device {d}",
        [
            ("name", d.name),
            ("vendor", d.vendor),
            ("driver", d.driver_version),
            ("compute units", d.max_compute_units),
            ("memory", human_bytes(d.global_mem_size)),
            ("aspects", ", ".join(sorted(d.aspects))),
        ],
    )


def context(c):
    """A context as a table of its devices."""
    return _table("Context", [("device", f"{d} ({d.name})") for d in c.devices])


def event(e):
    """An event as a table, with its times if its queue keeps them and it is over."""
    rows = [("status", e.status)]
    if e.status == "complete":
        try:
            rows.append(("ran for", f"{(e.profiling_end - e.profiling_start) / 1e3:.3g} µs"))
        except Error:
            pass  # its queue keeps no times
    return _table("Event", rows)


def kernel(k):
    """A kernel as a table of what it was compiled for."""
    rows = [("compiled for", signature or "no arguments") for signature in k.signatures]
    return _table(f"Kernel {k.__name__}", rows or [("compiled for", "nothing yet")])


def queue(q):
    """A queue as a table."""
    return _table(
        "Queue",
        [
            ("device", f"{q.device} ({q.device.name})"),
            ("in order", q.in_order),
            ("profiling", q.enable_profiling),
        ],
    )


def array(x):
    """An array as a table and its elements."""
    head = _table(
        f"Array {x.shape} {x.dtype.name}",
        [
            ("device", f"{x.device} ({x.device.name})"),
            ("memory", f"{x.usm_type}, {human_bytes(x.nbytes)}"),
        ],
    )
    return f"{head}<pre>{escape(_text.elements(x))}</pre>"
