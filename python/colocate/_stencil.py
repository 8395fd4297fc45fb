"""``stencil``: a function of a neighbourhood, applied at every place of an array, as Numba's.

A stencil is text to text: from the kernel, whose indices are relative, a Python function with loops over the array's
interior is written, and that is a jit function like any other. A jit function that calls a stencil compiles the
same text in.
"""

import ast
import builtins
import functools
import inspect
import linecache
import operator
import textwrap
import types

import numpy

from colocate import _jit, _jit_objects, _native
from colocate._errors import InvalidArgumentError
from colocate._generated import function_from

__all__ = [
    "StencilFunction",
    "stencil",
]


def dtype_of(function, *args):
    """The dtype of what a function gives; inside jit functions it is not called for it.

    Examples
    --------
    >>> from colocate._stencil import dtype_of
    >>> dtype_of(abs, 0.5)
    dtype('float64')
    """
    return numpy.asarray(function(*args)).dtype


dtype_of.__kernel_name__ = "colocate.dtype_of"


def _wrong(name, why):
    return InvalidArgumentError(f"the stencil {name}: {why}")


def _definition(function):
    """The syntax tree of a function's ``def``; one is made of a lambda."""
    if function.__name__ == "<lambda>":
        return _definition_of_lambda(function)
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except OSError:
        raise _wrong(function.__name__, "its source text is not available") from None
    return ast.parse(text).body[0]


def _definition_of_lambda(function):
    code = function.__code__
    parameters = list(code.co_varnames[: code.co_argcount])
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename, function.__globals__)))
    except SyntaxError:
        tree = ast.Module([], [])
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda)
        and node.lineno == code.co_firstlineno
        and [one.arg for one in node.args.args] == parameters
    ]
    if len(found) != 1:
        raise _wrong("of a lambda", "its text cannot be told from others; write it with def")
    body = ast.copy_location(ast.Return(found[0].body), found[0].body)
    return ast.FunctionDef(name="stencil", args=found[0].args, body=[body], decorator_list=[])


class _Constants:
    """Integers that are known while a stencil is made: what is said once, and the names around the kernel."""

    def __init__(self, definition, outside):
        stored = [
            node.id for node in ast.walk(definition) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        parameters = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
        self.known = {name: value for name, value in outside.items() if name not in {*stored, *parameters}}
        for node in ast.walk(definition):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name, value = node.targets[0].id, self.value(node.value)
                if value is not None and stored.count(name) == 1:
                    self.known[name] = value

    def value(self, node):
        """The integer that an expression is, or None."""
        if isinstance(node, ast.Constant):
            found = node.value
        elif isinstance(node, ast.Name):
            found = self.known.get(node.id)
        elif isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            operand = self.value(node.operand)
            return None if operand is None else _UNARY[type(node.op)](operand)
        elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            operands = self.value(node.left), self.value(node.right)
            return None if None in operands else _BINARY[type(node.op)](*operands)
        elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            # Conversions such as numpy.int8(1).
            class_ = self.object(node.func)
            is_integers = isinstance(class_, type) and issubclass(class_, int | numpy.integer)
            return self.value(node.args[0]) if is_integers else None
        else:
            return None
        is_integer = isinstance(found, int | numpy.integer) and not isinstance(found, bool)
        return int(found) if is_integer else None

    def object(self, node):
        """What a dotted name stands for, or None."""
        if isinstance(node, ast.Name):
            return self.known.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            return getattr(self.object(node.value), node.attr, None)
        return None


_UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos}
_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}


class _MakeAbsolute(ast.NodeTransformer):
    """Adds the place to relative indices, and notes how far they reach."""

    def __init__(self, name, relative, constants):
        self.name = name
        self.relative = relative
        self.constants = constants
        self.rank = None
        # For each axis, the constant offsets.
        self.offsets = []
        self.all_constant = True

    def visit_Subscript(self, node):
        node = self.generic_visit(node)
        if not isinstance(node.value, ast.Name) or node.value.id not in self.relative:
            return node
        if not isinstance(node.ctx, ast.Load):
            raise _wrong(self.name, f"it assigns to {ast.unparse(node)}, but a kernel only reads arrays")
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if self.rank is None:
            self.rank = len(items)
            self.offsets = [{0} for _ in items]
        if len(items) != self.rank:
            raise _wrong(self.name, f"{ast.unparse(node)} has {len(items)} indices, but another has {self.rank}")
        moved = [self.moved(axis, item) for axis, item in enumerate(items)]
        node.slice = ast.Tuple(moved, ast.Load()) if len(moved) > 1 else moved[0]
        return node

    def moved(self, axis, item):
        if isinstance(item, ast.Slice):
            if item.lower is None or item.upper is None or item.step is not None:
                raise _wrong(self.name, "a slice of a neighbourhood is written with a start and a stop")
            self.all_constant = False
            lower, upper = (self.plus(axis, one) for one in (item.lower, item.upper))
            return ast.Slice(lower, upper, None)
        offset = self.constants.value(item)
        if offset is not None:
            self.offsets[axis].add(offset)
            return self.shifted(axis, offset)
        if isinstance(item, ast.Constant):
            raise _wrong(self.name, f"{item.value!r} is no index")
        self.all_constant = False
        return self.plus(axis, item)

    @staticmethod
    def plus(axis, item):
        return ast.BinOp(ast.Name(f"_i{axis}", ast.Load()), ast.Add(), item)

    def shifted(self, axis, offset):
        place = ast.Name(f"_i{axis}", ast.Load())
        operator = ast.Add() if offset > 0 else ast.Sub()
        return ast.BinOp(place, operator, ast.Constant(abs(offset))) if offset else place


class _Plan:
    """What is known of a stencil from its text and its options."""

    def __init__(self, kernel, options):
        self.kernel = kernel
        definition = _definition(kernel)
        if not isinstance(definition, ast.FunctionDef):
            raise _wrong(kernel.__name__, "write it with def")
        self.name = definition.name
        self.options = options
        arguments = definition.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            raise _wrong(self.name, "its parameters are plain names, without defaults and stars")
        self.parameters = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        if "out" in self.parameters:
            raise _wrong(self.name, "'out' is the name of the result's argument, and cannot be a parameter")
        standard = options.get("standard_indexing", ())
        standard = (standard,) if isinstance(standard, str) else tuple(standard)
        for one in standard:
            if one not in self.parameters:
                raise _wrong(self.name, f"standard_indexing has {one!r}, which is no parameter")
        if not self.parameters or self.parameters[0] in standard:
            raise _wrong(self.name, "its first parameter is an array with relative indices")
        subscripted = {
            node.value.id
            for node in ast.walk(definition)
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
        }
        self.relative = [one for one in self.parameters if one in subscripted and one not in standard]
        if self.parameters[0] not in self.relative:
            raise _wrong(self.name, f"it never reads {(self.parameters or ['an array'])[0]} by a relative index")
        if not any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(definition)):
            raise _wrong(self.name, "it returns nothing")
        visitor = _MakeAbsolute(self.name, set(self.relative), _Constants(definition, self._outside()))
        visitor.visit(definition)
        self.rank = visitor.rank
        self.reach = self._reach(visitor)
        self.definition = definition

    def _reach(self, visitor):
        """How far indices go below and above the place, on each axis."""
        given = self.options.get("neighborhood")
        if given is not None:
            if len(given) != self.rank:
                raise _wrong(
                    self.name, f"neighborhood has {len(given)} axes, but its indices are of {self.rank} dimensions"
                )
            return [(max(0, -int(low)), max(0, int(high))) for low, high in given]
        if not visitor.all_constant:
            raise _wrong(self.name, "it has indices that are not constant; say how far they reach with neighborhood=")
        return [(max(0, -min(one)), max(0, max(one))) for one in visitor.offsets]

    def text(self):
        """The function that applies the kernel everywhere, after the kernel with absolute indices."""
        axes = range(self.rank)
        places = [f"_i{axis}" for axis in axes]
        names = ", ".join(self.parameters)
        first = self.parameters[0]
        at = f"_{self.name}_at"
        lines = [ast.unparse(self._absolute_kernel(at, places)), "", f"def {self.name}({names}, out=None):"]
        lines += [f"    _n{axis} = {first}.shape[{axis}]" for axis in axes]
        for other in self.relative[1:]:
            smaller = " or ".join(f"{other}.shape[{axis}] < _n{axis}" for axis in axes)
            lines += [f"    if {smaller}:", f'        raise ValueError("{other} is smaller than {first}")']
        shape = ", ".join(f"_n{axis}" for axis in axes)
        probe = ", ".join(["0"] * self.rank)
        lines += [
            "    if out is None:",
            f"        _result = _numpy.empty(({shape},), _dtype_of({at}, {names}, {probe}))",
            *(f"        {line}" for line in self._border_lines()),
            "    else:",
            "        _result = out",
        ]
        if "cval" in self.options:
            lines.append("        _result[...] = _cval")
        for axis, (low, high) in enumerate(self.reach):
            lines.append(f"    {'    ' * axis}for _i{axis} in _prange({low}, _n{axis} - {high}):")
        indices = ", ".join(places)
        lines += [f"    {'    ' * self.rank}_result[{indices}] = {at}({names}, {indices})", "    return _result", ""]
        return "\n".join(lines)

    def _absolute_kernel(self, name, places):
        arguments = [ast.arg(one) for one in (*self.parameters, *places)]
        made = ast.FunctionDef(
            name=name,
            args=ast.arguments(posonlyargs=[], args=arguments, kwonlyargs=[], kw_defaults=[], defaults=[]),
            body=self.definition.body,
            decorator_list=[],
        )
        return ast.fix_missing_locations(made)

    def _border_lines(self):
        """Statements that set what the loops leave out."""
        for axis, (low, high) in enumerate(self.reach):
            before = ":, " * axis
            if low:
                yield f"_result[{before}:{low}] = _cval"
            if high:
                yield f"_result[{before}max(_n{axis} - {high}, 0):] = _cval"

    def _outside(self):
        """The kernel's own names from outside of it."""
        outside = inspect.getclosurevars(self.kernel)
        return {**outside.globals, **outside.nonlocals}

    def names(self):
        """What the text refers to: the kernel's own names as they are now, and ours."""
        return {
            **self._outside(),
            "_numpy": numpy,
            "_prange": _jit.prange,
            "_dtype_of": dtype_of,
            "_cval": self.options.get("cval", 0),
        }


class StencilFunction:
    """A kernel with relative indices, applied to every place of an array. Made by :func:`stencil`.

    Called with arrays it gives a new one, or fills ``out=``. ``py_func`` is the Python function that it stands for,
    and ``neighborhood`` how far it reaches.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.stencil
    ... def slope(a):
    ...     return 0.5 * (a[1] - a[-1])
    >>> slope.neighborhood
    ((-1, 1),)
    """

    def __init__(self, kernel, options):
        self._plan = _Plan(kernel, options)
        self.kernel = kernel
        self.options = options
        self.py_func = function_from(self._plan.name, self._plan.text(), self._plan.names())
        self._jit = _native.JitFunction(self.py_func, **_jit._native_options({}))
        functools.update_wrapper(self, kernel, updated=())

    @property
    def neighborhood(self):
        """For each axis, how far indices go below and above the place.

        Examples
        --------
        >>> import colocate as cl
        >>> @cl.stencil(neighborhood=((-2, 0),))
        ... def recent(a):
        ...     total = 0.0
        ...     for k in range(-2, 1):
        ...         total += a[k]
        ...     return total
        >>> recent.neighborhood
        ((-2, 0),)
        """
        return tuple((-low, high) for low, high in self._plan.reach)

    def __call__(self, *args, out=None):
        # The kernel's own names may have changed since its text was written.
        self.py_func.__globals__.update(self._plan.names())
        return self._jit(*args) if out is None else self._jit(*args, out)

    def _names_now(self):
        """Brings the text's names up to date; says where the kernel has its own: its globals, and its closure."""
        self.py_func.__globals__.update(self._plan.names())
        outside = inspect.getclosurevars(self.kernel)
        cells = zip(self.kernel.__code__.co_freevars, self.kernel.__closure__ or (), strict=True)
        return self.kernel.__globals__, list(outside.globals), list(cells)

    def explain(self, *args, out=None, device=None):
        """As :meth:`JitFunction.explain`.

        Examples
        --------
        >>> import colocate as cl, numpy as np
        >>> @cl.stencil
        ... def slope(a):
        ...     return 0.5 * (a[1] - a[-1])
        >>> "slope" in slope.explain(np.ones(5))
        True
        """
        return self._jit.explain(*args, *(() if out is None else (out,)), device=device)

    def __repr__(self):
        return f"<colocate.StencilFunction {self._plan.name}({', '.join(self._plan.parameters)})>"


def stencil(func_or_mode="constant", **options):
    """Makes a kernel with relative indices a function of whole arrays, as Numba's decorator of that name.

    Inside the kernel ``a[0, 0]`` is the element at the place that is computed, ``a[-1, 0]`` the one above it. Where the
    neighbourhood leaves the array, the result is ``cval``. It can be called from Python and from jit functions, and
    runs wherever a :func:`jit` function would.

    Parameters
    ----------
    func_or_mode : a Python function, or "constant"
        The kernel, or how the border is treated, of which there is one way.
    cval : number
        The border of the result; 0 unless given. With ``out=`` the border is left as it is unless it is given.
    neighborhood : tuple of (int, int)
        For each axis, how far indices go below and above; needed if they are not constant.
    standard_indexing : tuple of str
        Parameters whose indices are not relative.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> @cl.stencil
    ... def smooth(a):
    ...     return (a[-1] + a[0] + a[1]) / 3
    >>> smooth(np.array([0.0, 3.0, 6.0, 0.0]))
    array([0., 3., 3., 0.])
    """
    for name in options:
        if name not in ("cval", "neighborhood", "standard_indexing"):
            raise TypeError(f"stencil has no option {name!r}; there are cval, neighborhood, standard_indexing")
    if isinstance(func_or_mode, types.FunctionType):
        return StencilFunction(func_or_mode, options)
    if func_or_mode != "constant":
        raise InvalidArgumentError(f"stencil({func_or_mode!r}): the mode is 'constant'")

    def decorate(kernel):
        if not isinstance(kernel, types.FunctionType):
            raise TypeError(f"stencil takes a Python function, not {kernel!r}")
        return StencilFunction(kernel, options)

    return decorate


_inside = {}


def stencil_inside(around, name, line, column, options):
    """The stencil of a function that is defined inside another one, at a place of the text; made once for each."""
    kernel = _jit_objects.function_of_code(around, name, line, column, (), (), (), ())
    around = inspect.unwrap(getattr(around, "py_func", around))
    unknown = [one for one in kernel.__code__.co_freevars if one not in around.__code__.co_freevars]
    if unknown:
        raise _wrong(name, f"`{unknown[0]}` is a variable of the function around it: make it a parameter")
    key = kernel.__code__, repr(options)
    if key not in _inside:
        _inside[key] = stencil(kernel, **options)
    return _inside[key]


def from_numba(numbas):
    """Our stencil for one of Numba's; made once for each."""
    ours = getattr(numbas, "_colocate_stencil", None)
    if ours is None:
        options = {name: value for name, value in numbas.options.items() if value is not None}
        if numbas.neighborhood is not None:
            options["neighborhood"] = numbas.neighborhood
        ours = numbas._colocate_stencil = StencilFunction(numbas.kernel_ir.func_id.func, options)
    return ours


stencil.__kernel_name__ = "colocate.stencil"
StencilFunction.__module__ = stencil.__module__ = "colocate"
