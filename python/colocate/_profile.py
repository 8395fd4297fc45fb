"""``colocate.profile``: what a program does on its devices, and when."""

import os
import threading
import time
from collections import namedtuple

from colocate import _native
from colocate._errors import Error

__all__ = [
    "profile",
]

# What makes reports is imported when one is made: `import colocate` is to be quick.

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep

#: Something that happened; times are nanoseconds since the profile began.
Record = namedtuple(
    "Record",
    "category name start end timing submitted thread device queue file line items bytes why",
)

#: A notebook shows no more than this many records; ``save_html`` shows all.
_NOTEBOOK_RECORDS = 20_000


class profile:
    """Records what the program does inside a ``with`` block, in every thread.

    Kernels, copies with their direction and reason, allocations, the stages of every compilation,
    what the caches gave, calls and regions of jit functions, and the time in which no device had
    anything to do. At the end of the block the profile waits for the work that was submitted in it.

    Kernels and copies are timed where they run (``timing`` is ``"device"``): native devices look at
    the clock before and after, SYCL devices do it in the driver, whose clock is brought onto the
    host's. Work of an out-of-order queue made without ``enable_profiling`` is only seen to be over
    (``"seen"``). See docs/profile.md.

    Profiles nest and overlap; each has what happened inside its own block.

    Examples
    --------
    >>> import colocate as cl
    >>> with cl.profile() as p:
    ...     x = cl.ones(1000, device="native:cpu")
    ...     y = x + x
    >>> [kernel["name"] for kernel in p.to_dict()["kernels"]]
    ['add']
    >>> p.table().splitlines()[0].startswith("colocate profile")
    True
    """

    def __init__(self):
        self._recording = None
        self._records = None
        self._names = {}
        self._dropped = 0
        self._duration = 0
        self._began = None
        self._analysis = None

    def __enter__(self):
        if self._recording is not None or self._records is not None:
            raise Error("a profile records one block; make another one with colocate.profile()")
        self._began = time.time()
        self._recording = _native._start_recording(_PACKAGE)
        return self

    def __exit__(self, *exc_info):
        # Before the wait, so that threads that end meanwhile are known by name.
        self._names = {thread.native_id: thread.name for thread in threading.enumerate()}
        start, end, self._dropped, rows = self._recording.stop()
        self._recording = None
        made = Record._make
        # Work for a queue that the host does itself is on no queue.
        records = (made(row) for row in rows)
        records = (r._replace(device="host") if r.category == "host task" and r.device is None else r for r in records)
        records = [r._replace(start=r.start - start, end=r.end - start, submitted=r.submitted - start) for r in records]
        records.sort(key=lambda record: (record.start, -record.end))
        self._records = records
        # Work that was submitted in the block may end after it.
        self._duration = max([end - start, *(record.end for record in records)])
        return False

    def _finished(self):
        if self._records is None:
            state = "has not begun" if self._recording is None else "still runs"
            raise Error(f"the profile {state}; leave its block first: with colocate.profile() as p: ...")
        return self._records

    def _data(self):
        records = self._finished()
        if self._analysis is None:
            from colocate import _profile_analysis

            self._analysis = _profile_analysis.analyse(records, self._duration, self._names, self._dropped)
        return self._analysis

    @property
    def events(self):
        """Everything that was recorded, as named tuples in the order of their start.

        Examples
        --------
        >>> import colocate as cl
        >>> with cl.profile() as p:
        ...     x = cl.ones(1000, device="native:cpu")
        >>> [event.category for event in p.events if event.bytes]
        ['allocation', 'fill']
        """
        return list(self._finished())

    def to_dict(self):
        """The profile as plain data, as JSON can hold it. Times are in nanoseconds.

        ``summary`` has totals; ``kernels``, ``lines``, ``copies`` and ``compile`` lists with one entry
        for each kernel, source line, direction and reason, and compiled function; ``gaps`` the longest
        times in which no device had work; ``events`` everything.

        Examples
        --------
        >>> import colocate as cl
        >>> with cl.profile() as p:
        ...     x = cl.asarray([1.0, 2.0], device="native:cpu")
        >>> p.to_dict()["copies"][0]["bytes"]
        16
        """
        data = self._data()
        return {**data, "began": self._began, "events": [record._asdict() for record in self._records]}

    def table(self):
        """The profile as text; ``print(p)`` prints it.

        Examples
        --------
        >>> import colocate as cl
        >>> with cl.profile() as p:
        ...     x = cl.ones(1000, device="native:cpu") * 2
        >>> "multiply" in p.table()
        True
        """
        from colocate import _profile_text

        return _profile_text.table(self._data())

    def save_chrome_trace(self, path):
        """Writes the profile for chrome://tracing, https://ui.perfetto.dev or speedscope.

        Examples
        --------
        >>> import colocate as cl, json, os, tempfile
        >>> with cl.profile() as p:
        ...     x = cl.ones(1000, device="native:cpu") * 2
        >>> path = os.path.join(tempfile.mkdtemp(), "trace.json")
        >>> p.save_chrome_trace(path)
        >>> with open(path) as file:
        ...     "traceEvents" in json.load(file)
        True
        """
        import json

        from colocate import _profile_analysis

        trace = _profile_analysis.chrome_trace(self._finished(), self._names)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(trace, file, separators=(",", ":"))

    def save_html(self, path):
        """Writes the profile as one page that needs nothing else, not even a network.

        Examples
        --------
        >>> import colocate as cl, os, tempfile
        >>> with cl.profile() as p:
        ...     x = cl.ones(1000, device="native:cpu") * 2
        >>> path = os.path.join(tempfile.mkdtemp(), "profile.html")
        >>> p.save_html(path)
        >>> os.path.getsize(path) > 10_000
        True
        """
        from colocate import _profile_page

        page = _profile_page.page(self._data(), self._records, self._began)
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)

    def __str__(self):
        return self.table()

    def __repr__(self):
        if self._records is None:
            return f"<colocate.profile, {'not begun' if self._recording is None else 'running'}>"
        from colocate import _profile_text

        return f"<colocate.profile of {_profile_text.human_time(self._duration)}, {len(self._records)} events>"

    def _repr_html_(self):
        import html

        from colocate import _profile_page

        if self._records is None:
            return f"<p>{html.escape(repr(self))}</p>"
        shown = self._records
        if len(shown) > _NOTEBOOK_RECORDS:
            # The longest say most, and the sums are those of all.
            shown = sorted(shown, key=lambda record: record.start - record.end)[:_NOTEBOOK_RECORDS]
            shown.sort(key=lambda record: (record.start, -record.end))
        page = _profile_page.page(self._data(), shown, self._began)
        frame = "width:100%;height:760px;border:0"
        return f'<iframe style="{frame}" srcdoc="{html.escape(page, quote=True)}"></iframe>'


profile.__module__ = "colocate"
