"""The text of lambdas of which only the code is left, as those that ``eval`` made.

What such a code computes is written down again where it is one expression without a choice. The text counts only if
compiling it gives the same instructions, constants and names; so nothing depends on this module being right.
"""

import dis


def text_of(code):
    """The text of a lambda; None if it does more than this knows.

    Examples
    --------
    >>> from colocate._lambda_text import text_of
    >>> text_of(eval("lambda a, b: a[0] + 2 * b").__code__)
    'lambda a, b: ((a)[0]) + ((2) * (b))'
    """
    counts = code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount
    starred = code.co_flags & 0x0C
    if code.co_name != "<lambda>" or starred or counts[1] or counts[2]:
        return None
    try:
        body = _expression(code)
        text = f"lambda {', '.join(code.co_varnames[: counts[0]])}: {body}"
        made = eval(compile(text, code.co_filename, "eval"), {}).__code__
    except (_Unknown, SyntaxError, IndexError, ValueError):
        return None
    same = ("co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_flags")
    return text if all(getattr(code, one) == getattr(made, one) for one in same) else None


class _Unknown(Exception):
    """An instruction that is not known here."""


class _Tuple(str):
    """The text of a tuple, which is written without its brackets where it is an index."""

    def __new__(cls, items):
        made = super().__new__(cls, f"({', '.join(items)}{',' * (len(items) == 1)})")
        made.items = items if len(items) > 1 else [f"{items[0]},"] if items else ["()"]
        return made


def _slice(bounds):
    return ":".join("" if bound == "None" else bound for bound in bounds)


_NOTHING = object()
_SKIPPED = {"RESUME", "PRECALL", "CACHE", "NOT_TAKEN", "TO_BOOL"}
_UNARY = {"UNARY_NEGATIVE": "-", "UNARY_POSITIVE": "+", "UNARY_INVERT": "~", "UNARY_NOT": "not "}
_LITERALS = (int, float, complex, str, bool, type(None))


def _expression(code):
    stack = []
    names = ()
    for one in dis.get_instructions(code):
        name = one.opname
        if name in _SKIPPED:
            continue
        if name == "PUSH_NULL":
            stack.append(_NOTHING)
        elif name == "KW_NAMES":
            names = code.co_consts[one.arg]
        elif name in ("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK"):
            stack.append(f"({one.argval})")
        elif name in ("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"):
            stack += [f"({local})" for local in one.argval]
        elif name in ("LOAD_CONST", "LOAD_SMALL_INT"):
            stack.append(_literal(one.argval))
        elif name == "RETURN_CONST":
            return _literal(one.argval)
        elif name == "LOAD_GLOBAL":
            pushed = f"({one.argval})"
            stack += [_NOTHING, pushed] if one.argrepr.startswith("NULL + ") else [pushed]
            if one.argrepr.endswith(" + NULL"):
                stack.append(_NOTHING)
        elif name in ("LOAD_ATTR", "LOAD_METHOD"):
            stack.append(f"({_plain(stack.pop())}.{one.argval})")
            if name == "LOAD_METHOD" or "NULL|self" in one.argrepr:
                stack.append(_NOTHING)
        elif name in _UNARY:
            stack.append(f"({_UNARY[name]}{stack.pop()})")
        elif (name == "BINARY_OP" and one.argrepr == "[]") or name == "BINARY_SUBSCR":
            index, value = stack.pop(), stack.pop()
            inside = ", ".join(index.items) if isinstance(index, _Tuple) else _plain(index)
            stack.append(f"({value}[{inside}])")
        elif name == "BUILD_SLICE":
            stack.append(_slice(_popped(stack, one.arg)))
        elif name == "BINARY_SLICE":
            bounds = _popped(stack, 2)
            stack.append(f"({stack.pop()}[{_slice(bounds)}])")
        elif name == "BINARY_OP":
            b, a = stack.pop(), stack.pop()
            stack.append(f"({a} {one.argrepr} {b})")
        elif name == "COMPARE_OP":
            b, a = stack.pop(), stack.pop()
            stack.append(f"({a} {one.argval.removeprefix('bool(').removesuffix(')')} {b})")
        elif name in ("IS_OP", "CONTAINS_OP"):
            b, a = stack.pop(), stack.pop()
            word = "is" if name == "IS_OP" else "in"
            negated = "is not" if name == "IS_OP" else "not in"
            stack.append(f"({a} {negated if one.arg else word} {b})")
        elif name in ("BUILD_TUPLE", "BUILD_LIST"):
            items = _popped(stack, one.arg)
            stack.append(_Tuple(items) if name == "BUILD_TUPLE" else f"[{', '.join(items)}]")
        elif name == "CALL_KW":
            names = eval(stack.pop())
            _call(stack, one.arg, names)
            names = ()
        elif name == "CALL":
            _call(stack, one.arg, names)
            names = ()
        elif name == "RETURN_VALUE" and len(stack) == 1:
            return _plain(stack.pop())
        else:
            raise _Unknown(name)
    raise _Unknown("no return")


def _call(stack, count, names):
    given = _popped(stack, count)
    first = stack.pop()
    # The place for the object of a method comes before the function, or after it.
    function = stack.pop() if first is _NOTHING else first
    if stack and stack[-1] is _NOTHING:
        stack.pop()
    positional = len(given) - len(names)
    named = [f"{name}={value}" for name, value in zip(names, given[positional:], strict=True)]
    stack.append(f"({function}({', '.join(given[:positional] + named)}))")


def _popped(stack, count):
    items = stack[len(stack) - count :] if count else []
    del stack[len(stack) - count :]
    if any(item is _NOTHING for item in items):
        raise _Unknown("a call")
    return items


def _literal(value):
    if value is ...:
        return "..."
    if isinstance(value, tuple):
        return f"({''.join(f'{_literal(item)}, ' for item in value)})"
    if not isinstance(value, _LITERALS):
        raise _Unknown("a constant")
    return f"({value!r})" if isinstance(value, (int, float, complex)) and not isinstance(value, bool) else repr(value)


def _plain(text):
    """Without the brackets around the whole of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and position < len(text) - 1:
            return text
    inner = text[1:-1]
    return inner if inner and "," not in inner else text
