"""Bits of machine words: counting, finding, stepping through them.

Examples
--------
Inside compiled code, the set bits of `word`, lowest first::

    while word:
        bit = trailing_zeros(word)
        word = without_lowest(word)
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from lumis_fast.core.jit import kernel

__all__ = ["popcount", "trailing_zeros", "without_lowest"]


@intrinsic
def popcount(typingctx, word):
    """Count the set bits of an integer.

    Parameters
    ----------
    word : integer of any width

    Returns
    -------
    int64
    """
    if not isinstance(word, types.Integer):
        return None

    def codegen(context, builder, signature, args):
        return _widen(builder, builder.ctpop(args[0]))

    return types.int64(word), codegen


@intrinsic
def trailing_zeros(typingctx, word):
    """Tell the place of the lowest set bit.

    Parameters
    ----------
    word : integer of any width

    Returns
    -------
    int64
        The width of the type where no bit is set.
    """
    if not isinstance(word, types.Integer):
        return None

    def codegen(context, builder, signature, args):
        return _widen(builder, builder.cttz(args[0], ir.Constant(ir.IntType(1), 0)))

    return types.int64(word), codegen


def _widen(builder, value):
    wide = ir.IntType(64)
    return value if value.type == wide else builder.zext(value, wide)


@kernel
def without_lowest(word):
    """Clear the lowest set bit.

    Parameters
    ----------
    word : unsigned integer

    Returns
    -------
    integer of the same width (as numba promotes it)
    """
    return word & (word - type(word)(1))
