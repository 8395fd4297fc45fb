"""Jit functions that yield, as Python iterates over them.

The compiled function runs in a thread of its own, which waits in ``yield`` until the next item is wanted: at any time
one of the two threads waits for the other. Loops over such functions inside jit functions need none of this: the body
of the loop is compiled into the function.
"""

import contextvars
import os
import threading


class _Running(threading.local):
    handoff = None


_running = _Running()


class _Handoff:
    """What the two threads share."""

    def __init__(self, run):
        self.run = run
        self.context = contextvars.copy_context()
        # Both are held, and who waits takes them again: much quicker than semaphores.
        self.wanted = threading.Lock()
        self.there = threading.Lock()
        self.wanted.acquire()
        self.there.acquire()
        self.item = None
        self.raised_inside = None
        self.failure = None
        self.is_done = False
        self.is_given_up = False
        self.process = os.getpid()

    def work(self):
        _running.handoff = self
        try:
            self.run()
        except GeneratorExit:
            pass
        except StopIteration as failure:
            self.failure = RuntimeError("generator raised StopIteration")
            self.failure.__cause__ = failure
        except BaseException as failure:
            self.failure = failure
        self.run = self.raised_inside = None
        self.is_done = True
        self.there.release()


def hand_over(item):
    """What a compiled function does with what it yields."""
    handoff = _running.handoff
    if handoff.is_given_up:
        raise GeneratorExit
    handoff.item = item
    handoff.there.release()
    handoff.wanted.acquire()
    if handoff.raised_inside is not None:
        raise handoff.raised_inside


class JitGenerator:
    """What a jit function that yields gives: an iterator, as a generator of Python's is one.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.jit
    ... def squares(n):
    ...     for i in range(n):
    ...         yield i * i
    >>> list(squares(4))
    [0, 1, 4, 9]
    """

    def __init__(self, name, run):
        self.__name__ = name
        self._handoff = _Handoff(run)
        self._is_started = False
        self._is_executing = False

    def __iter__(self):
        return self

    def __next__(self):
        return self._go_on(None)

    def _go_on(self, raised_inside):
        handoff = self._handoff
        if self._is_executing:
            raise ValueError("generator already executing")
        if self._is_started and handoff.process != os.getpid():
            raise RuntimeError("a jit function that yields goes on in the process that began it")
        if handoff.is_done:
            raise raised_inside or StopIteration
        if not self._is_started and raised_inside is not None:
            self.close()
            raise raised_inside
        self._is_executing = True
        try:
            if self._is_started:
                handoff.raised_inside = raised_inside
                handoff.wanted.release()
            else:
                self._is_started = True
                threading.Thread(target=handoff.context.run, args=(handoff.work,), daemon=True).start()
            handoff.there.acquire()
        except BaseException:
            # Ctrl-C: the function ends at its next item, which nobody waits for.
            handoff.is_given_up = handoff.is_done = True
            raise
        finally:
            self._is_executing = False
        item, handoff.item = handoff.item, None
        if not handoff.is_done:
            return item
        failure, handoff.failure = handoff.failure, None
        raise failure or StopIteration

    def send(self, value):
        """The same as ``next``; nothing can be sent."""
        if value is not None:
            raise TypeError("nothing can be sent into a jit function that yields")
        return self._go_on(None)

    def throw(self, exception):
        """Raises an exception where the function waits."""
        return self._go_on(exception() if isinstance(exception, type) else exception)

    def close(self):
        """Ends the function where it waits."""
        if self._is_executing:
            raise ValueError("generator already executing")
        is_here = self._handoff.process == os.getpid()
        if self._is_started and is_here and not self._handoff.is_done:
            try:
                self._go_on(GeneratorExit())
            except (StopIteration, GeneratorExit):
                return
            raise RuntimeError("generator ignored GeneratorExit")
        self._handoff.is_done = True
        self._handoff.run = None

    def __del__(self):
        self.close()

    def __repr__(self):
        return f"<generator of the jit function {self.__name__}>"
