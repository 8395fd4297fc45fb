"""A profile as one HTML page: the template beside this file, with the data put in."""

import json
import time
from importlib import resources

from colocate._profile_analysis import DEVICE_WORK

#: What the timeline has no bars for: memory has a curve of its own.
_NO_BARS = ("allocation", "free")


class _Strings:
    """Gives each text a number, so that a page holds it once."""

    def __init__(self):
        self.numbers = {}

    def __call__(self, text):
        return -1 if text is None else self.numbers.setdefault(text, len(self.numbers))


def _columns(records, data):
    """The records by columns of numbers, and the lanes that they lie in."""
    strings = _Strings()
    lanes, numbers = [], {}
    for lane in data["lanes"]:
        numbers[lane["device"], lane["queue"]] = len(lanes)
        lanes.append({"title": lane["device"], "detail": lane["queue"], "kind": "queue"})
    for thread in data["threads"]:
        numbers[thread["thread"]] = len(lanes)
        lanes.append({"title": thread["name"], "detail": "host thread", "kind": "thread"})
    names = ("category", "name", "start", "length", "lane", "file", "line", "items", "bytes", "why", "timing", "queued")
    columns = {name: [] for name in names}
    memory, in_use = [], 0
    for record in records:
        if record.category in _NO_BARS:
            in_use += record.bytes if record.category == "allocation" else -record.bytes
            memory.append((record.start, in_use))
            continue
        on_device = record.category in DEVICE_WORK
        lane = (record.device, record.queue) if on_device else record.thread
        row = (
            strings(record.category),
            strings(record.name),
            record.start,
            record.end - record.start,
            numbers[lane],
            strings(record.file),
            record.line or 0,
            record.items,
            record.bytes,
            strings(record.why),
            strings(record.timing),
            record.start - record.submitted if on_device else 0,
        )
        for name, value in zip(names, row, strict=True):
            columns[name].append(value)
    return {"strings": list(strings.numbers), "lanes": lanes, "columns": columns, "memory": memory}


def page(data, records, began):
    """The page."""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(began)) if began else ""
    # The page's own `memory` is the curve.
    content = {**data, "totals": data["memory"], **_columns(records, data), "began": when}
    # A text that ends the script element early must not.
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    template = resources.files("colocate").joinpath("_profile_page.html").read_text(encoding="utf-8")
    return template.replace("/*DATA*/null", text, 1)
