"""The text of functions of which only the code is left, as those that ``eval`` and ``exec`` made.

What such a code does is written down again where it is a row of statements, with ``for`` loops and ``if`` among them
but no other choices. The text counts only if compiling it gives the same instructions, constants and names; so nothing
depends on this module being right.
"""

import dis
import inspect
import types
import warnings


def text_of(function):
    """The text of a function; None if it does more than this knows.

    Examples
    --------
    >>> from colocate._code_text import text_of
    >>> text_of(eval("lambda a, b: a[0] + 2 * b"))
    'lambda a, b: ((a)[0]) + ((2) * (b))'
    >>> names = {}
    >>> exec("def f(x, n):\\n    for i in range(n):\\n        x[i] += 1\\n    return x", names)
    >>> print(text_of(names["f"]))
    def f(x, n):
        for i in (range)(n):
            (x)[i] += (1)
        return x
    """
    code = function.__code__
    try:
        statements = _Reader(code).statements()
        parameters = _parameters(function)
        if code.co_name == "<lambda>":
            text = f"lambda {parameters}: {_only_result(statements)}"
        elif code.co_name.isidentifier():
            text = "\n".join([f"def {code.co_name}({parameters}):", *_indented(_document(code) + statements)])
        else:
            return None
    except (_Unknown, IndexError, KeyError, ValueError):
        return None
    made = _compiled(code, text)
    return text if made is not None and _is_same(code, made) else None


class _Unknown(Exception):
    """Something that is not known here."""


_COMPARED = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_exceptiontable")


def _is_same(code, made):
    if any(getattr(code, one) != getattr(made, one) for one in _COMPARED):
        return False
    # Equal is not enough: 1, 1.0 and True are.
    return repr(code.co_consts) == repr(made.co_consts)


def _compiled(code, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = compile(text, code.co_filename, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None
    return next((one for one in module.co_consts if isinstance(one, types.CodeType)), None)


def _parameters(function):
    written = []
    for parameter in inspect.signature(function, follow_wrapped=False).parameters.values():
        if parameter.default is not parameter.empty:
            # A default is a part of the function, not of its code.
            _literal(parameter.default)
        written.append(parameter.replace(annotation=parameter.empty))
    return str(inspect.Signature(written))[1:-1]


def _document(code):
    """What stands first among the constants is the text that documents the function, or None."""
    first = code.co_consts[0] if code.co_consts else None
    return [repr(first)] if isinstance(first, str) and code.co_name != "<lambda>" else []


def _only_result(statements):
    if len(statements) != 1 or not isinstance(statements[0], str) or not statements[0].startswith("return "):
        raise _Unknown("more than an expression")
    return statements[0].removeprefix("return ")


def _indented(statements):
    for one in statements or ["pass"]:
        if isinstance(one, tuple):
            head, block = one
            yield f"    {head}:"
            for line in _indented(block):
                yield f"    {line}"
        else:
            yield f"    {one}"


class _Tuple(str):
    """The text of a tuple, which is written without its brackets where it is an index."""

    def __new__(cls, items):
        made = super().__new__(cls, f"({', '.join(items)}{',' * (len(items) == 1)})")
        made.items = items if len(items) > 1 else [f"{items[0]},"] if items else ["()"]
        return made


class _InPlace(str):
    """What an operator made of a value in its place: ``target operator operand``."""

    def __new__(cls, target, operator, operand):
        made = super().__new__(cls, f"{_plain(target)} {operator} {operand}")
        made.target = target
        return made


class _Constants(_Tuple):
    """A tuple of constants, which displays of lists, sets and dictionaries are made of, too."""

    def __new__(cls, value):
        made = super().__new__(cls, [_literal(item) for item in value])
        made.each = [_literal(item) for item in value]
        return made


class _Arguments(str):
    """Arguments of a call, with stars among them."""

    __slots__ = ()


def _slice(bounds):
    return ":".join("" if bound == "None" else bound for bound in bounds)


_NOTHING = object()
_SKIPPED = {"RESUME", "PRECALL", "CACHE", "NOT_TAKEN", "TO_BOOL", "NOP", "EXTENDED_ARG"}
_UNARY = {"UNARY_NEGATIVE": "-", "UNARY_POSITIVE": "+", "UNARY_INVERT": "~", "UNARY_NOT": "not "}
_LITERALS = (int, float, complex, str, bytes, bool, type(None))
_DISPLAYS = {"BUILD_LIST": "[{}]", "BUILD_SET": "{{{}}}"}
_EXTENDING = {"LIST_EXTEND": "[{}]", "SET_UPDATE": "{{{}}}"}
_LOADS = ("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK")
_IF_NOT = ("POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_IF_FALSE")
_BACK = ("JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")


class _Reader:
    """Goes through the instructions of a code, with the texts of the values on its stack."""

    def __init__(self, code):
        self.code = code
        self.instructions, self.places = [], {}
        for one in dis.get_instructions(code):
            self.places[one.offset] = len(self.instructions)
            self.instructions += _parts(one)
        self.names = ()
        self.stack = []
        # How many values lie on the stack where a statement begins.
        self.base = 0
        self.swapped = False

    def statements(self):
        """All statements, without what only says that nothing is returned."""
        statements = self._block(0, len(self.instructions))
        if self.code.co_name != "<lambda>" and statements and statements[-1] == "return None":
            statements.pop()
        return statements

    def _block(self, place, end):
        """The statements from one place to another; the values on the stack are those from before."""
        statements = []
        before, self.base = self.base, len(self.stack)
        while place < end:
            place = self._step(place, statements)
            if len(self.stack) < self.base:
                raise _Unknown("a value of another block")
        if place != end or len(self.stack) != self.base:
            raise _Unknown("a block that ends elsewhere")
        self.base = before
        return statements

    def _step(self, place, statements):
        """One instruction, or those of a statement that has others; gives the place after it."""
        one = self.instructions[place]
        if one.opname == "FOR_ITER":
            return self._loop(place, statements)
        if one.opname in _IF_NOT:
            return self._choice(place, statements)
        if one.opname.startswith(("STORE_FAST", "STORE_SUBSCR", "STORE_ATTR", "UNPACK_SEQUENCE")):
            return self._assignment(place, statements)
        if one.opname == "POP_TOP":
            statements.append(_plain(self.stack.pop()))
        elif one.opname == "RETURN_VALUE":
            statements.append(f"return {_plain(self.stack.pop())}")
        elif one.opname == "RETURN_CONST":
            statements.append(f"return {_plain(_literal(one.argval))}")
        else:
            self._value(one)
        return place + 1

    def _loop(self, place, statements):
        after = self.places[self.instructions[place].argval]
        last = after - 1
        back = self.instructions[last]
        if back.opname not in _BACK or back.argval != self.instructions[place].offset:
            raise _Unknown("a loop that is left in another way")
        iterated = self.stack[-1]
        targets, body = self._targets(place + 1)
        block = self._block(body, last)
        self.stack.pop()
        statements.append((f"for {targets} in {_plain(iterated)}", block))
        while self.instructions[after].opname in ("END_FOR", "POP_ITER") or (
            self.instructions[after].opname == "POP_TOP" and self.instructions[after - 1].opname == "END_FOR"
        ):
            after += 1
        return after

    def _choice(self, place, statements):
        condition = _plain(self.stack.pop())
        other = self.places[self.instructions[place].argval]
        if other <= place:
            raise _Unknown("a loop")
        last = self.instructions[other - 1]
        if last.opname == "JUMP_FORWARD":
            after = self.places[last.argval]
            statements.append((f"if {condition}", self._block(place + 1, other - 1)))
            statements.append(("else", self._block(other, after)))
            return after
        statements.append((f"if {condition}", self._block(place + 1, other)))
        return other

    def _assignment(self, place, statements):
        """All that is assigned before the stack has only what it had before the statement."""
        targets, values = [], []
        while not targets or len(self.stack) > self.base:
            target, place = self._targets(place)
            targets.append(target)
            values.append(self.stack.pop())
        value = values[0]
        if isinstance(value, _InPlace):
            if targets != [_plain(value.target)]:
                raise _Unknown("a value that is changed in place")
            statements.append(value)
        elif all(one is value for one in values):
            statements.append(" = ".join([*targets, _plain(value)]))
        else:
            if not self.swapped:
                # What comes last is stored first, unless Python found that it must exchange values.
                targets, values = targets[::-1], values[::-1]
            statements.append(f"{', '.join(targets)} = {', '.join(values)}")
        self.swapped = False
        return place

    def _targets(self, place):
        """The text of what is assigned to, which lets the value itself lie on the stack."""
        one = self.instructions[place]
        if one.opname == "STORE_FAST":
            return one.argval, place + 1
        if one.opname == "UNPACK_SEQUENCE":
            parts, place = [], place + 1
            while len(parts) < one.arg:
                part, place = self._targets(place)
                parts.append(part)
            return f"({', '.join(parts)}{',' * (len(parts) == 1)})", place
        if one.opname == "STORE_SUBSCR":
            index, container = self.stack.pop(), self.stack.pop()
            return f"{container}[{_index(index)}]", place + 1
        if one.opname == "STORE_ATTR":
            return f"{self.stack.pop()}.{one.argval}", place + 1
        raise _Unknown(one.opname)

    def _value(self, one):
        """An instruction that only changes the values on the stack."""
        name, stack = one.opname, self.stack
        if name == "GET_ITER":
            return
        if name == "PUSH_NULL":
            stack.append(_NOTHING)
        elif name == "KW_NAMES":
            self.names = self.code.co_consts[one.arg]
        elif name in _LOADS:
            stack.append(f"({one.argval})")
        elif name in ("LOAD_CONST", "LOAD_SMALL_INT"):
            stack.append(_Constants(one.argval) if isinstance(one.argval, (tuple, frozenset)) else _literal(one.argval))
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
            stack.append(f"({value}[{_index(index)}])")
        elif name == "BUILD_SLICE":
            stack.append(_slice(_popped(stack, one.arg)))
        elif name == "BINARY_SLICE":
            bounds = _popped(stack, 2)
            stack.append(f"({stack.pop()}[{_slice(bounds)}])")
        elif name == "BINARY_OP":
            b, a = stack.pop(), stack.pop()
            stack.append(_InPlace(a, one.argrepr, b) if one.argrepr.endswith("=") else f"({a} {one.argrepr} {b})")
        elif name == "COMPARE_OP":
            b, a = stack.pop(), stack.pop()
            stack.append(f"({a} {one.argval.removeprefix('bool(').removesuffix(')')} {b})")
        elif name in ("IS_OP", "CONTAINS_OP"):
            b, a = stack.pop(), stack.pop()
            word = "is" if name == "IS_OP" else "in"
            negated = "is not" if name == "IS_OP" else "not in"
            stack.append(f"({a} {negated if one.arg else word} {b})")
        elif name == "BUILD_TUPLE":
            stack.append(_Tuple(_popped(stack, one.arg)))
        elif name in _DISPLAYS:
            stack.append(_DISPLAYS[name].format(", ".join(_popped(stack, one.arg))))
        elif name in _EXTENDING and isinstance(stack[-1], _Constants) and stack[-2] in ("[]", "{}"):
            (_, items) = _popped(stack, 2)
            stack.append(_EXTENDING[name].format(", ".join(items.each)))
        elif name == "BUILD_MAP":
            items = _popped(stack, 2 * one.arg)
            pairs = zip(items[::2], items[1::2], strict=True)
            stack.append(f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}")
        elif name == "LIST_EXTEND" and str(stack[-2]).startswith("["):
            display, items = _popped(stack, 2)
            stack.append(f"[{display[1:-1]}{', ' * (display != '[]')}*{items}]")
        elif name == "LIST_TO_TUPLE" or (name == "CALL_INTRINSIC_1" and one.argrepr == "INTRINSIC_LIST_TO_TUPLE"):
            stack.append(_Arguments(stack.pop()[1:-1]))
        elif name == "COPY":
            stack.append(stack[-one.arg])
        elif name == "SWAP":
            stack[-1], stack[-one.arg] = stack[-one.arg], stack[-1]
            self.swapped = True
        elif name == "BUILD_CONST_KEY_MAP" and isinstance(stack[-1], _Constants):
            keys = stack.pop().each
            pairs = zip(keys, _popped(stack, one.arg), strict=True)
            stack.append(f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}")
        elif name == "CALL_FUNCTION_EX" and one.arg == 0:
            (arguments,) = _popped(stack, 1)
            self._called(arguments if isinstance(arguments, _Arguments) else f"*{arguments}")
        elif name == "CALL_KW":
            self.names = eval(stack.pop())
            self._call(one.arg)
        elif name == "CALL":
            self._call(one.arg)
        else:
            raise _Unknown(name)

    def _call(self, count):
        names, self.names = self.names, ()
        given = _popped(self.stack, count)
        positional = len(given) - len(names)
        named = [f"{name}={value}" for name, value in zip(names, given[positional:], strict=True)]
        self._called(", ".join([_plain(one) for one in given[:positional]] + named))

    def _called(self, arguments):
        first = self.stack.pop()
        # The place for the object of a method comes before the function, or after it.
        function = self.stack.pop() if first is _NOTHING else first
        if self.stack and self.stack[-1] is _NOTHING:
            self.stack.pop()
        self.stack.append(f"({function}({arguments}))")


def _index(index):
    return ", ".join(index.items) if isinstance(index, _Tuple) else _plain(index)


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
        return _Tuple([_literal(item) for item in value])
    if isinstance(value, frozenset):
        return f"{{{', '.join(map(_literal, value))}}}"
    if not isinstance(value, _LITERALS):
        raise _Unknown("a constant")
    return f"({value!r})" if isinstance(value, (int, float, complex)) and not isinstance(value, bool) else repr(value)


def _plain(text):
    """Without the brackets around the whole of it, which a tuple keeps."""
    if isinstance(text, _Tuple) or not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and position < len(text) - 1:
            return text
    return text[1:-1]


def _parts(one):
    """An instruction as those that it stands for; none if it has no meaning of its own."""
    if one.opname in _SKIPPED:
        return []
    for first in ("LOAD_FAST", "STORE_FAST"):
        if one.opname in (f"{first}_LOAD_FAST", f"{first}_STORE_FAST", f"{first}_BORROW_LOAD_FAST_BORROW"):
            second = "STORE_FAST" if one.opname.endswith("STORE_FAST") else "LOAD_FAST"
            names = zip((first, second), one.argval, strict=True)
            return [one._replace(opname=opname, argval=name, argrepr=name) for opname, name in names]
    return [one]
