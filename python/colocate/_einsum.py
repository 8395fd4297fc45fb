"""``einsum``: sums of products, written with an index for each axis.

An expression is taken apart into contractions of two operands. Which two are contracted next is
decided greedily: those that make what is left smallest. A contraction is a matrix product: indices
that both operands have and that stay are a batch, those that only one has are rows or columns, the
others are summed. What stands twice in one operand is a diagonal; what stands in one only and is
not in the result is summed at once.
"""

import math
import operator
import string

import numpy as np

import colocate as cl
from colocate._arguments import check, one_array, promoted
from colocate._errors import DTypeError, InvalidArgumentError
from colocate._native import matmul

__all__ = [
    "einsum",
    "einsum_path",
]

_LETTERS = string.ascii_uppercase + string.ascii_lowercase


def einsum(*operands, out=None, optimize="greedy", dtype=None, order="K", casting=None):
    """Sums of products, written with an index for each axis.

    Parameters
    ----------
    *operands
        An expression such as ``"ij,jk->ik"`` and its arrays; or each array followed by a list of
        integers, its indices, and at the end perhaps the indices of the result. ``...`` stands for
        axes that are broadcast. Without a result in the expression it has the indices that occur
        once, in alphabetical order.
    out : array, optional
        Takes the result.
    optimize : optional
        Accepted for NumPy's sake; an order of contraction as :func:`einsum_path` gives it is obeyed.
    dtype : optional
        What is computed with.
    order : {"K", "C", "F", "A"}
        How the result lies in memory.
    casting : str, optional
        Which conversions to ``dtype`` and ``out`` are allowed, as in NumPy; by default all that keep the kind.

    Examples
    --------
    >>> import colocate as cl
    >>> a = cl.asarray([[1, 2], [3, 4]])
    >>> cl.einsum("ij,j->i", a, cl.asarray([1, 10])).tolist()
    [21, 43]
    >>> int(cl.einsum("ii", a))
    5
    """
    inputs, output, arrays = _parsed(operands)
    check("einsum", operands=arrays)
    if out is not None:
        check("einsum", operands=arrays, out=out)
    common = promoted(arrays)
    dtype = common if dtype is None else np.dtype(dtype)
    for target in (dtype, dtype if out is None else out.dtype):
        if not np.can_cast(common, target, casting or "same_kind"):
            raise DTypeError(f"einsum: {common} is not converted to {target} under casting={casting or 'same_kind'!r}")
    arrays = [x if x.dtype == dtype else cl.astype(x, dtype) for x in arrays]
    extents = _extents(inputs, arrays)
    terms = [
        _own(indices, x, _elsewhere(inputs, at, output))
        for at, (indices, x) in enumerate(zip(inputs, arrays, strict=False))
    ]
    path = _given_path(optimize) or _greedy_path([indices for indices, _ in terms], output, extents)
    for step in path:
        step = sorted(step)
        taken = [terms[position] for position in step]
        terms = [term for position, term in enumerate(terms) if position not in step]
        combined = taken[0]
        for number, other in enumerate(taken[1:], 2):
            needed = set(output).union(*(indices for indices, _ in terms), *(indices for indices, _ in taken[number:]))
            combined = _contracted(combined, other, needed, extents)
        terms.append(combined)
    (indices, x), *_ = terms
    x = _summed(indices, x, set(output))
    indices = [index for index in indices if index in output]
    result = cl.permute_dims(x, [indices.index(index) for index in output])
    shape = tuple(extents[index] for index in output)
    if result.shape != shape:
        result = cl.broadcast_to(result, shape)
    if out is not None:
        one_array("einsum", out, "out")[...] = result
        return out
    return result if order == "K" else cl.asarray(result, order=order)


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """The order in which :func:`einsum` contracts its operands, and a description of it.

    Examples
    --------
    >>> import colocate as cl
    >>> a = cl.ones((2, 2))
    >>> cl.einsum_path("ij,jk,kl->il", a, a, a)[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    inputs, output, arrays = _parsed(operands)
    check("einsum_path", operands=arrays)
    extents = _extents(inputs, arrays)
    kept = [
        [index for index in dict.fromkeys(indices) if index in _elsewhere(inputs, at, output)]
        for at, indices in enumerate(inputs)
    ]
    path = _greedy_path(kept, output, extents)
    expression = ",".join(_text(indices) for indices in inputs) + "->" + _text(output)
    return ["einsum_path", *path], f"  Complete contraction:  {expression}\n  Steps:  {path}"


def _text(indices):
    return "".join(index if isinstance(index, str) else "." for index in indices)


def _parsed(operands):
    """The indices of each array and of the result, one for each axis, and the arrays."""
    if not operands:
        raise InvalidArgumentError("einsum: there is no expression")
    if isinstance(operands[0], str):
        expression, arrays = operands[0].replace(" ", ""), list(operands[1:])
        left, arrow, right = expression.partition("->")
        if set(expression) - set(_LETTERS) - set(".,->"):
            raise InvalidArgumentError(f"einsum: {operands[0]!r} has other signs than letters, '...', ',' and '->'")
        inputs = [_split(part) for part in left.split(",")]
        output = _split(right) if arrow else None
    else:
        arrays, inputs, output = [], [], None
        rest = list(operands)
        while len(rest) >= 2:
            arrays.append(rest.pop(0))
            inputs.append(_from_list(rest.pop(0)))
        if rest:
            output = _from_list(rest[0])
    for position, x in enumerate(arrays):
        one_array("einsum", x, f"operands[{position}]")
    if len(inputs) != len(arrays):
        raise InvalidArgumentError(f"einsum: the expression has {len(inputs)} operands, and {len(arrays)} are given")
    return _with_axes(inputs, output, arrays)


def _split(part):
    """The indices of one operand: letters, and ``...`` as one sign."""
    before, dots, after = part.partition("...")
    if "." in before + after or "-" in part or ">" in part:
        raise InvalidArgumentError(f"einsum: {part!r} is no list of indices")
    return [*before, *(["..."] if dots else []), *after]


def _from_list(numbers):
    indices = []
    for number in numbers:
        if number is Ellipsis:
            indices.append("...")
            continue
        try:
            indices.append(_LETTERS[operator.index(number)])
        except (IndexError, TypeError):
            raise InvalidArgumentError(f"einsum: indices are integers below {len(_LETTERS)}, not {number!r}") from None
    return indices


def _with_axes(inputs, output, arrays):
    """Puts one index, a negative number, in place of ``...`` for each axis that it stands for."""
    most = 0
    spread = []
    for indices, x in zip(inputs, arrays, strict=True):
        hidden = x.ndim - (len(indices) - ("..." in indices))
        if hidden < 0 or (hidden > 0 and "..." not in indices):
            raise InvalidArgumentError(f"einsum: {_text(indices)!r} does not fit an array of {x.ndim} axes")
        most = max(most, hidden)
        spread.append(_replaced(indices, range(-hidden, 0)))
    dots = list(range(-most, 0))
    if output is None:
        letters = [index for indices in inputs for index in indices if index != "..."]
        once = sorted(index for index in set(letters) if letters.count(index) == 1)
        return spread, [*dots, *once], arrays
    known = {index for indices in inputs for index in indices}
    for index in output:
        if index != "..." and index not in known:
            raise InvalidArgumentError(f"einsum: the result has the index {index!r}, which no operand has")
        if output.count(index) > 1:
            raise InvalidArgumentError(f"einsum: the index {index!r} stands twice in the result")
    if dots and "..." not in output:
        raise InvalidArgumentError("einsum: operands have axes for '...', and the result does not say where they go")
    return spread, _replaced(output, dots), arrays


def _replaced(indices, dots):
    if "..." not in indices:
        return list(indices)
    at = indices.index("...")
    return [*indices[:at], *dots, *indices[at + 1 :]]


def _extents(inputs, arrays):
    """How long each index is; 1 of one operand is repeated for axes of ``...`` and, as in NumPy, for letters."""
    extents = {}
    for indices, x in zip(inputs, arrays, strict=True):
        own = {}
        for index, extent in zip(indices, x.shape, strict=True):
            if own.setdefault(index, extent) != extent:
                raise InvalidArgumentError(
                    f"einsum: the index {index!r} of a diagonal has extents {own[index]} and {extent}"
                )
            known = extents.setdefault(index, extent)
            if known == 1:
                extents[index] = extent
            elif extent not in (1, known):
                raise InvalidArgumentError(f"einsum: the index {index!r} has extents {known} and {extent}")
    return extents


def _elsewhere(inputs, at, output):
    """The indices that other operands or the result need."""
    return set(output).union(*(indices for number, indices in enumerate(inputs) if number != at))


def _own(indices, x, needed):
    """One operand with each index once, and without those that nobody else has."""
    indices = list(indices)
    for index in dict.fromkeys(indices):
        while indices.count(index) > 1:
            first = indices.index(index)
            second = indices.index(index, first + 1)
            writeable = x.flags.writeable
            x = cl.diagonal(x, axis1=first, axis2=second)
            # As in NumPy, where it is the diagonal of functions only that cannot be written to.
            x.flags.writeable = writeable
            indices = [each for axis, each in enumerate(indices) if axis not in (first, second)] + [index]
    x = _summed(indices, x, needed)
    return [index for index in indices if index in needed], x


def _summed(indices, x, needed):
    """Without the indices that are not needed."""
    axes = tuple(axis for axis, index in enumerate(indices) if index not in needed)
    if not axes:
        return x
    if x.dtype.kind == "b":
        return cl.any(x, axis=axes)
    return cl.sum(x, axis=axes, dtype=x.dtype)


def _contracted(left, right, needed, extents):
    """The product of two operands, summed over what is not needed any more."""
    (a, x), (b, y) = left, right
    batch = [index for index in a if index in b and index in needed]
    summed = [index for index in a if index in b and index not in needed]
    rows = [index for index in a if index not in b]
    columns = [index for index in b if index not in a]
    result = [*batch, *rows, *columns]
    if not summed:
        # Nothing to sum, so nothing for a matrix product to win.
        first, second = _aligned(a, x, result), _aligned(b, y, result)
        return result, first & second if x.dtype.kind == "b" else first * second

    def extent(group, indices, array):
        return [array.shape[indices.index(index)] for index in group]

    # An axis of extent 1 meets a longer one: what is summed must be as long on both sides.
    x = _lengthened(a, x, summed, extents)
    y = _lengthened(b, y, summed, extents)
    depth = math.prod(extents[index] for index in summed)
    outer_x, outer_y = extent(batch, a, x), extent(batch, b, y)
    outer = [max(i, j) if 0 not in (i, j) else 0 for i, j in zip(outer_x, outer_y, strict=True)]
    height, width = extent(rows, a, x), extent(columns, b, y)
    first = cl.permute_dims(x, [a.index(index) for index in (*batch, *rows, *summed)])
    second = cl.permute_dims(y, [b.index(index) for index in (*batch, *summed, *columns)])
    first = cl.reshape(first, (*outer_x, math.prod(height), depth))
    second = cl.reshape(second, (*outer_y, depth, math.prod(width)))
    return result, cl.reshape(matmul(first, second), (*outer, *height, *width))


def _lengthened(indices, x, group, extents):
    shape = [extents[index] if index in group else extent for index, extent in zip(indices, x.shape, strict=True)]
    return x if shape == list(x.shape) else cl.broadcast_to(x, shape)


def _aligned(indices, x, target):
    """With the axes in the order of the target, and an axis of extent 1 for what is missing."""
    present = [index for index in target if index in indices]
    x = cl.permute_dims(x, [indices.index(index) for index in present])
    shape = iter(x.shape)
    return cl.reshape(x, [next(shape) if index in indices else 1 for index in target])


def _given_path(optimize):
    if isinstance(optimize, list | tuple) and optimize and optimize[0] == "einsum_path":
        return [tuple(step) for step in optimize[1:]]
    return None


def _greedy_path(terms, output, extents):
    """Pairs of positions to contract; the result of each step goes to the end."""

    def size(indices):
        return math.prod(extents[index] for index in indices)

    terms = [set(indices) for indices in terms]
    path = []
    while len(terms) > 1:
        best = None
        for i in range(len(terms)):
            for j in range(i + 1, len(terms)):
                others = set(output).union(*(term for number, term in enumerate(terms) if number not in (i, j)))
                both = terms[i] | terms[j]
                left = both & others
                cost = (size(left) - size(terms[i]) - size(terms[j]), size(both), i, j)
                if best is None or cost < best[0]:
                    best = (cost, left)
        (_, _, i, j), left = best
        path.append((i, j))
        terms = [term for number, term in enumerate(terms) if number not in (i, j)] + [left]
    return path
