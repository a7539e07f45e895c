"""Boards as values: whole boards of 64-bit rows that stay in vector registers.

In memory a board is an array of `uint64` rows. Loops over such arrays write each step of a flood
to memory and read it back a row off, which costs several times what the step itself costs. A
board value is one LLVM vector instead, and kernels say what they mean in operators::

    grown = region | rows_from_above(region) | (region << 1)
    while grown & goal: ...

There are ``|``, ``&``, ``^``, ``~``, ``<<`` and ``>>`` (each row by itself), ``==``, ``!=`` and
truth: a board is true where any space is set. The number of rows is part of the type; functions
that make a board take it from an array field of a record, ``like``. A space's number is
``64 * row + bit``.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from lumis_fast.core.bits import trailing_zeros
from lumis_fast.core.jit import kernel

__all__ = [
    "BoardType",
    "blank",
    "count",
    "first_row",
    "first_space",
    "load",
    "row_of",
    "rows_from_above",
    "rows_from_below",
    "single",
    "store",
]

_WORD = ir.IntType(64)
_INDEX = ir.IntType(32)


class BoardType(types.Type):
    """The numba type of a board value.

    Parameters
    ----------
    rows : int
        How many rows of 64 bits.
    """

    def __init__(self, rows: int) -> None:
        self.rows = rows
        super().__init__(name=f"Board({rows})")


def _vector(rows: int) -> ir.VectorType:
    return ir.VectorType(_WORD, rows)


@register_model(BoardType)
class _BoardModel(models.PrimitiveModel):
    def __init__(self, manager, board):
        super().__init__(manager, board, _vector(board.rows))


def _all_rows(value: int, vector: ir.VectorType) -> ir.Constant:
    return ir.Constant(vector, [value] * vector.count)


def _declare(builder, result, name, vector):
    """Declare an LLVM function that reduces a vector to a word, or maps it to another one."""
    name = f"llvm.{name}.v{vector.count}i64"
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, [vector]), name)


def _any_bit(builder, board):
    bits = builder.call(_declare(builder, _WORD, "vector.reduce.or", board.type), [board])
    return builder.icmp_unsigned("!=", bits, ir.Constant(_WORD, 0))


# Operators ------------------------------------------------------------------------------------


def _define(function, same_type, result, lower):
    """Define an operator between two boards, or between a board and something else."""

    class Template(AbstractTemplate):
        def generic(self, args, kws):
            if kws or not args or not isinstance(args[0], BoardType):
                return None
            if same_type and len({*args}) != 1:
                return None
            return signature(result or args[0], *args)

    infer_global(function)(Template)
    other = [BoardType] if same_type else [types.Integer]
    parameters = [BoardType] if function in (bool, operator.invert) else [BoardType, *other]

    @lower_builtin(function, *parameters)
    def lowered(context, builder, sig, args):
        return lower(builder, *args)


def _shift(method):
    def lower(builder, board, n):
        n = builder.zext(n, _WORD) if n.type.width < _WORD.width else n
        lane = builder.insert_element(ir.Constant(board.type, ir.Undefined), n, _INDEX(0))
        same = ir.Constant(ir.VectorType(_INDEX, board.type.count), [0] * board.type.count)
        return getattr(builder, method)(board, builder.shuffle_vector(lane, lane, same))

    return lower


def _differs(builder, a, b):
    return _any_bit(builder, builder.xor(a, b))


for _pair, _method in (
    ((operator.or_, operator.ior), "or_"),
    ((operator.and_, operator.iand), "and_"),
    ((operator.xor, operator.ixor), "xor"),
):
    for _operator in _pair:
        _define(_operator, True, None, lambda builder, a, b, m=_method: getattr(builder, m)(a, b))
_define(operator.lshift, False, None, _shift("shl"))
_define(operator.rshift, False, None, _shift("lshr"))
_define(operator.invert, True, None, lambda builder, a: builder.not_(a))
_define(operator.ne, True, types.boolean, _differs)
_define(
    operator.eq, True, types.boolean, lambda builder, a, b: builder.not_(_differs(builder, a, b))
)
_define(bool, True, types.boolean, _any_bit)


# Making, reading and writing ------------------------------------------------------------------


def _rows_of(like):
    if isinstance(like, types.NestedArray):
        return like.shape[-1]
    return like.rows if isinstance(like, BoardType) else None


def _is_row_array(array):
    return isinstance(array, types.Array) and array.dtype == types.uint64 and array.ndim == 1


def _address(context, builder, array_type, array, rows):
    """Tell where the rows of an array are; checks the length where bounds are checked."""
    array = context.make_array(array_type)(context, builder, array)
    if context.enable_boundscheck:
        length = cgutils.unpack_tuple(builder, array.shape, 1)[0]
        last = ir.Constant(length.type, rows - 1)
        cgutils.do_boundscheck(context, builder, last, length, 0)
    return builder.bitcast(array.data, _vector(rows).as_pointer())


@intrinsic
def blank(typingctx, like):
    """Make a board with no space set.

    Parameters
    ----------
    like : array field of a record, or a board
        Its last axis tells the number of rows.

    Returns
    -------
    board
    """
    rows = _rows_of(like)
    if rows is None:
        return None

    def codegen(context, builder, sig, args):
        return ir.Constant(_vector(rows), None)

    return BoardType(rows)(like), codegen


@intrinsic
def load(typingctx, array, like):
    """Read a board from memory.

    Parameters
    ----------
    array : uint64 array
        As many rows as `like` tells.
    like : array field of a record, or a board

    Returns
    -------
    board
    """
    rows = _rows_of(like)
    if rows is None or not _is_row_array(array):
        return None

    def codegen(context, builder, sig, args):
        return builder.load(_address(context, builder, sig.args[0], args[0], rows), align=8)

    return BoardType(rows)(array, like), codegen


@intrinsic
def store(typingctx, array, board):
    """Write a board to memory.

    Parameters
    ----------
    array : uint64 array
        As long as the board.
    board : board
    """
    if not (isinstance(board, BoardType) and _is_row_array(array)):
        return None

    def codegen(context, builder, sig, args):
        place = _address(context, builder, sig.args[0], args[0], sig.args[1].rows)
        builder.store(args[1], place, align=8)
        return context.get_dummy_value()

    return types.none(array, board), codegen


def _shuffled(builder, board, step):
    """Move all rows by `step`; blank ones come in."""
    rows = board.type.count
    places = [i + step if 0 <= i + step < rows else rows for i in range(rows)]
    mask = ir.Constant(ir.VectorType(_INDEX, rows), places)
    return builder.shuffle_vector(board, ir.Constant(board.type, None), mask)


@intrinsic
def rows_from_above(typingctx, board):
    """Move a board down a row: each row becomes the one before it.

    Parameters
    ----------
    board : board

    Returns
    -------
    board
    """
    if not isinstance(board, BoardType):
        return None
    return board(board), lambda context, builder, sig, args: _shuffled(builder, args[0], -1)


@intrinsic
def rows_from_below(typingctx, board):
    """Move a board up a row: each row becomes the one after it.

    Parameters
    ----------
    board : board

    Returns
    -------
    board
    """
    if not isinstance(board, BoardType):
        return None
    return board(board), lambda context, builder, sig, args: _shuffled(builder, args[0], 1)


@intrinsic
def _single(typingctx, like, space):
    rows = _rows_of(like)
    if rows is None:
        return None

    def codegen(context, builder, sig, args):
        row = builder.lshr(args[1], _WORD(6))
        bit = builder.shl(_WORD(1), builder.and_(args[1], _WORD(63)))
        vector = _vector(rows)
        same = ir.Constant(ir.VectorType(_INDEX, rows), [0] * rows)

        def everywhere(word):
            lane = builder.insert_element(ir.Constant(vector, ir.Undefined), word, _INDEX(0))
            return builder.shuffle_vector(lane, lane, same)

        numbers = ir.Constant(vector, list(range(rows)))
        here = builder.icmp_unsigned("==", numbers, everywhere(row))
        return builder.select(here, everywhere(bit), ir.Constant(vector, None))

    return BoardType(rows)(like, types.int64), codegen


@kernel
def single(like, space):
    """Make a board with one space set.

    Parameters
    ----------
    like : array field of a record, or a board
    space : int

    Returns
    -------
    board
    """
    return _single(like, space)


# Questions ------------------------------------------------------------------------------------


@intrinsic
def count(typingctx, board):
    """Count the spaces of a board.

    Parameters
    ----------
    board : board

    Returns
    -------
    int64
    """
    if not isinstance(board, BoardType):
        return None

    def codegen(context, builder, sig, args):
        vector = args[0].type
        counts = builder.call(_declare(builder, vector, "ctpop", vector), [args[0]])
        return builder.call(_declare(builder, _WORD, "vector.reduce.add", vector), [counts])

    return types.int64(board), codegen


@intrinsic
def first_row(typingctx, board):
    """Tell the first row with a space set; 64 for an empty board.

    Parameters
    ----------
    board : board

    Returns
    -------
    int64
    """
    if not isinstance(board, BoardType):
        return None

    def codegen(context, builder, sig, args):
        vector = args[0].type
        used = builder.icmp_unsigned("!=", args[0], ir.Constant(vector, None))
        rows = builder.zext(builder.bitcast(used, ir.IntType(vector.count)), _WORD)
        return builder.cttz(rows, ir.Constant(ir.IntType(1), 0))

    return types.int64(board), codegen


@intrinsic
def row_of(typingctx, board, row):
    """Read a row of a board.

    Parameters
    ----------
    board : board
    row : int
        From 0.

    Returns
    -------
    uint64
    """
    if not (isinstance(board, BoardType) and isinstance(row, types.Integer)):
        return None

    def codegen(context, builder, sig, args):
        return builder.extract_element(args[0], args[1])

    return types.uint64(board, row), codegen


@kernel
def first_space(board):
    """Tell the lowest space of a board that is not empty.

    Parameters
    ----------
    board : board

    Returns
    -------
    int64
    """
    row = first_row(board)
    return 64 * row + trailing_zeros(row_of(board, row))
