"""What a function does, where its text says something else.

Functions are compiled from their text, but Python runs their code object. The two part where a file was edited after
it was loaded, and where somebody replaced constants of the code. Then the code counts: its constants are put into the
text.
"""

import ast
import marshal
import types
import warnings


def as_run(code, text):
    """The text of a function with the constants that its code has.

    Gives ``None`` if there is nothing to be said: the constants are the same, or the code was made otherwise, as by
    tools that rewrite assertions. A constant that cannot be put into the text is a pair: what it is in the code, and
    what it is in the text.

    Examples
    --------
    >>> from colocate._code_constants import as_run
    >>> def f():
    ...     return 2
    >>> text = "def f():\\n    return 2\\n"
    >>> as_run(f.__code__, text) is None
    True
    >>> as_run(f.__code__.replace(co_consts=(None, 3)), text)
    'def f():\\n    return 3\\n'
    """
    shift = "if 1:\n" if text[:1] in (" ", "\t") else ""
    written = _compiled(code, shift + text)
    if written is None or any(
        getattr(code, same) != getattr(written, same) for same in ("co_code", "co_names", "co_varnames", "co_freevars")
    ):
        return None
    pairs = list(zip(code.co_consts, written.co_consts, strict=False))
    changed = [number for number, (run, read) in enumerate(pairs) if not _same(run, read)]
    if len(code.co_consts) != len(written.co_consts):
        return None
    changes = list(_sets_in_order(pairs, written, shift + text))
    if not changed and not changes:
        return None
    for number in changed:
        run, read = pairs[number]
        places = _places(written, number)
        if not places or not isinstance(run, _WRITABLE) or run != run:
            return repr(run), repr(read)
        changes += [(place, repr(run)) for place in places]
    replaced = _replaced(shift + text, changes)
    if not replaced and not changed:
        return None
    return replaced[len(shift) :] if replaced else (repr(pairs[changed[0]][0]), repr(pairs[changed[0]][1]))


_WRITABLE = (types.NoneType, bool, int, float, complex, str, bytes)


def compiled_like(code, text):
    """What Python makes of a text, as if it stood where a code object comes from; None if it is no program.

    Examples
    --------
    >>> from colocate._code_constants import compiled_like
    >>> compiled_like(compiled_like.__code__, "1 +") is None
    True
    """
    with warnings.catch_warnings():
        # What Python warns of was told when the file was loaded.
        warnings.simplefilter("ignore")
        try:
            return compile(text, code.co_filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None


def _compiled(code, text):
    """The code that Python makes of a function's text, or None."""
    module = compiled_like(code, text)
    if module is None:
        return None
    made = (one for one in module.co_consts if isinstance(one, types.CodeType) and one.co_name == code.co_name)
    return next(made, None)


def _same(run, read):
    # Functions inside have line numbers of their own.
    if isinstance(run, types.CodeType) or isinstance(read, types.CodeType):
        return True
    if type(run) is not type(read):
        return False
    if isinstance(run, frozenset):
        # The order of one that was loaded from a file of code may be another one.
        return sorted(map(repr, run)) == sorted(map(repr, read))
    if isinstance(run, tuple):
        return len(run) == len(read) and all(map(_same, run, read))
    return repr(run) == repr(read)


def _sets_in_order(pairs, written, text):
    """Where sets of constants are to be written in another order, to come in the order of those in the code."""
    from colocate._jit_objects import constants

    def fits(items, run):
        made = constants(items)
        return list(made) == list(run) and list(set(made)) == list(set(run))

    for number, (run, _) in enumerate(pairs):
        if not isinstance(run, frozenset) or not all(isinstance(item, _WRITABLE) for item in run):
            continue
        for line, start, stop in _places(written, number):
            row = text.encode().splitlines()[line - 1][start:stop].decode()
            try:
                items = [ast.literal_eval(item) for item in ast.parse(row, mode="eval").body.elts]
            except (SyntaxError, ValueError, AttributeError):
                continue
            # Files of code have the items in the order of their bytes.
            orders = [items, list(run), sorted(run, key=marshal.dumps), list(frozenset(items)), list(constants(items))]
            order = next((one for one in orders if fits(one, run)), items)
            if order is not items:
                yield (line, start, stop), "{" + ", ".join(map(repr, order)) + "}"


def _places(code, number):
    """Where a constant stands in the text: line and columns, which count bytes. Nothing if it is not only there."""
    import dis

    places = []
    for instruction in dis.get_instructions(code):
        if instruction.opcode in dis.hasconst and instruction.arg == number:
            place = instruction.positions
            if place is None or place.lineno is None or place.lineno != place.end_lineno:
                return []
            places.append((place.lineno, place.col_offset, place.end_col_offset))
    return places


def _replaced(text, changes):
    """A text with other constants, each in place of a literal; None if something else stands there."""
    lines = text.encode().splitlines(keepends=True)
    for (line, start, stop), new in sorted(changes, reverse=True):
        row = lines[line - 1]
        old = row[start:stop].decode()
        try:
            ast.literal_eval(old)
        except (SyntaxError, ValueError):
            return None
        new = f"({new})" if new.startswith("-") else new
        lines[line - 1] = row[:start] + new.encode() + row[stop:]
    return b"".join(lines).decode()
