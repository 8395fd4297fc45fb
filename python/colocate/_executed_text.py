"""The text of functions that ``exec`` made.

Python forgets it, but whoever executed it often still has it: in a variable, or as a constant of the code that runs. A
text is taken for a function's own only if compiling it gives the very same code.
"""

import sys
import textwrap
import types
import weakref

from colocate._code_constants import compiled_like

_known = weakref.WeakKeyDictionary()


def lines_of(code):
    """The lines of the text that a code object comes from; none if nobody on the way here has it.

    Examples
    --------
    >>> from colocate._executed_text import lines_of
    >>> text = "def f(x):\\n    return x + 1\\n"
    >>> names = {}
    >>> exec(text, names)
    >>> lines_of(names["f"].__code__)
    ['def f(x):\\n', '    return x + 1\\n']
    """
    if not code.co_filename.startswith("<"):
        return []
    if code not in _known:
        found = next((text for text in _texts(code.co_name) if _makes(text, code)), None)
        if found is None:
            return []
        _known[code] = found.splitlines(keepends=True)
    return _known[code]


def _texts(name):
    """What the frames on the way here hold that may define a function of this name."""
    mark = "lambda" if name == "<lambda>" else f"def {name}"
    frame = sys._getframe(1)
    seen = set()
    while frame is not None:
        held = [*frame.f_locals.values(), *frame.f_code.co_consts]
        if frame.f_code.co_name != "<module>":
            held += frame.f_globals.values()
        for one in held:
            if isinstance(one, str) and mark in one and one not in seen:
                seen.add(one)
                yield one
                yield textwrap.dedent(one)
                yield one.strip()
        frame = frame.f_back


def _makes(text, code):
    """Whether a text, compiled, has this code in it."""
    whole = compiled_like(code, text)
    return whole is not None and _holds(whole, code)


def _holds(whole, code):
    inner = (one for one in whole.co_consts if isinstance(one, types.CodeType))
    return any(one == code or _holds(one, code) for one in inner)
