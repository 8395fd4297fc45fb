"""A profile as text."""

import os

from colocate._cli import human_bytes

#: Rows of a part of the table; the rest is counted.
MOST_ROWS = 15


def human_time(ns):
    """A number of nanoseconds as people read it."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}" if ns < 1000 * size else f"{ns / size:.0f} {unit}"
    return f"{ns:.0f} ns"


def _share(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def _short(text, width):
    return text if len(text) <= width else text[: width - 1] + "…"


def _place(entry):
    if not entry["file"]:
        return "-"
    return f"{os.path.basename(entry['file'])}:{entry['line']}"


def _grid(title, header, rows):
    """A part of the table. Numbers stand to the right; words, whose title ends with a colon, to the left."""
    if not rows:
        return []
    more = len(rows) - MOST_ROWS
    rows = rows[:MOST_ROWS]
    words = [title.endswith(":") for title in header]
    cells = [[title.rstrip(":") for title in header], *rows]
    widths = [max(len(str(row[column])) for row in cells) for column in range(len(header))]
    lines = ["", title]
    for row in cells:
        parts = []
        for cell, width, is_word in zip(row, widths, words, strict=True):
            parts.append(str(cell).ljust(width) if is_word else str(cell).rjust(width))
        lines.append("  " + "  ".join(parts).rstrip())
    if more > 0:
        lines.append(f"  … and {more} more")
    return lines


def _head(data):
    summary, duration = data["summary"], data["duration"]
    moved = summary["bytes_moved"]
    kernels, copies = summary["kernels"], summary["copies"]
    lines = [
        f"colocate profile: {human_time(duration)}, {kernels} kernel{'s' * (kernels != 1)}, "
        f"{copies} cop{'ies' if copies != 1 else 'y'}, {len(data['lanes'])} queue{'s' * (len(data['lanes']) != 1)}",
        "",
        f"  devices busy   {human_time(summary['busy']):>9}  {_share(summary['busy'], duration):>5}",
        f"  host gaps      {human_time(summary['gaps']):>9}  {_share(summary['gaps'], duration):>5}",
        f"  compiling      {human_time(summary['compile_time']):>9}  {_share(summary['compile_time'], duration):>5}  "
        f"{summary['compiled']} compiled, {summary['disk_hits']} found on disk, {summary['memory_hits']} in memory",
        f"  host waited    {human_time(summary['wait_time']):>9}  {_share(summary['wait_time'], duration):>5}",
        "  bytes moved    "
        + ", ".join(f"{human_bytes(count)} {direction}" for direction, count in moved.items() if count or copies),
    ]
    if not copies:
        lines[-1] += "none"
    memory = data["memory"]
    lines.append(
        f"  memory         {memory['allocations']} allocation{'s' * (memory['allocations'] != 1)} "
        f"({memory['from_system']} from the system), {human_bytes(memory['bytes'])} in all, "
        f"{human_bytes(memory['peak'])} at the peak"
    )
    if summary["dropped"]:
        lines.append(f"  {summary['dropped']} events were too many to be kept")
    return lines


def table(data):
    """The whole profile."""
    busy = data["summary"]["kernel_time"]
    lines = _head(data)
    lines += _grid(
        "time by kernel",
        ("name:", "device:", "calls", "total", "share", "mean", "longest", "items"),
        [
            (
                _short(row["name"], 40),
                row["device"],
                row["calls"],
                human_time(row["total"]),
                _share(row["total"], busy),
                human_time(row["total"] / row["calls"]),
                human_time(row["longest"]),
                row["items"] or "-",
            )
            for row in data["kernels"]
        ],
    )
    lines += _grid(
        "time by source line",
        ("line:", "on devices", "calls", "bytes", "compiling", "source:"),
        [
            (
                _place(row),
                human_time(row["total"]),
                row["calls"],
                human_bytes(row["bytes"]) if row["bytes"] else "-",
                human_time(row["compile"]) if row["compile"] else "-",
                _short(row["source"], 60),
            )
            for row in data["lines"]
        ],
    )
    lines += _grid(
        "copies",
        ("direction:", "device:", "count", "bytes", "total", "line:", "why:"),
        [
            (
                row["direction"],
                row["device"],
                row["calls"],
                human_bytes(row["bytes"]),
                human_time(row["total"]),
                _place(row),
                _short(row["why"] or "-", 60),
            )
            for row in data["copies"]
        ],
    )
    lines += _grid(
        "compiling",
        ("name:", "total", "in memory", "on disk", "stages:"),
        [
            (
                _short(row["name"], 40),
                human_time(row["total"]),
                row["memory_hits"],
                row["disk_hits"],
                ", ".join(f"{stage} {human_time(took)}" for stage, took in row["stages"].items()) or "-",
            )
            for row in data["compile"]
        ],
    )
    lines += _grid(
        "longest gaps without work for any device",
        ("from", "for", "meanwhile the host:"),
        [
            (
                human_time(row["start"]),
                human_time(row["end"] - row["start"]),
                ", ".join(f"{what} {human_time(took)}" for what, took in row["host"].items()) or "other things",
            )
            for row in data["gaps"][:5]
        ],
    )
    return "\n".join(lines)
