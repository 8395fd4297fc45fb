"""How objects show in notebooks."""

from html import escape

from colocate import _text


def _table(title, rows):
    cells = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(str(value))}</td></tr>"
        for name, value in rows
    )
    return f"<table><caption><b>{escape(title)}</b></caption>{cells}</table>"


def _bytes(count):
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.4g} {unit}"
        count /= 1024


def device(d):
    """A device as a table."""
    return _table(
        f"Device {d.selector or repr(d)}",
        [
            ("name", d.name),
            ("vendor", d.vendor),
            ("driver", d.driver_version),
            ("compute units", d.max_compute_units),
            ("memory", _bytes(d.global_mem_size)),
            ("aspects", ", ".join(sorted(d.aspects))),
        ],
    )


def queue(q):
    """A queue as a table."""
    return _table(
        "Queue",
        [
            ("device", f"{q.device.selector or q.device!r} ({q.device.name})"),
            ("in order", q.in_order),
            ("profiling", q.enable_profiling),
        ],
    )


def array(x):
    """An array as a table and its elements."""
    head = _table(
        f"Array {x.shape} {x.dtype.name}",
        [
            ("device", f"{x.device.selector or x.device!r} ({x.device.name})"),
            ("memory", f"{x.usm_type}, {_bytes(x.nbytes)}"),
        ],
    )
    return f"{head}<pre>{escape(_text.elements(x))}</pre>"
