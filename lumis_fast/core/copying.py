"""Copying and hashing NumPy records inside compiled code."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["assign", "clear", "content_hash"]


@intrinsic
def assign(typingctx, target, source):
    """Copy a whole record onto another of the same type.

    Parameters
    ----------
    target, source : records
        Of one type.
    """
    if not (isinstance(target, types.Record) and target == source):
        return None

    def codegen(context, builder, signature, args):
        size = ir.Constant(ir.IntType(64), signature.args[0].size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
        return context.get_dummy_value()

    return types.none(target, source), codegen


@intrinsic
def content_hash(typingctx, record):
    """Hash the bytes of a record; bytes that a value does not use must be zero.

    Parameters
    ----------
    record : record
        Its size is a multiple of 8 bytes.

    Returns
    -------
    uint64
    """
    if not isinstance(record, types.Record) or record.size % 8:
        return None
    word = ir.IntType(64)

    def codegen(context, builder, signature, args):
        words = builder.bitcast(args[0], word.as_pointer())
        h = ir.Constant(word, 0x9E3779B97F4A7C15)
        for i in range(signature.args[0].size // 8):
            place = builder.gep(words, [ir.Constant(word, i)])
            value = builder.load(place, align=1)
            h = builder.mul(builder.xor(h, value), ir.Constant(word, 0xBF58476D1CE4E5B9))
            h = builder.xor(h, builder.lshr(h, ir.Constant(word, 29)))
        h = builder.mul(h, ir.Constant(word, 0x94D049BB133111EB))
        return builder.xor(h, builder.lshr(h, ir.Constant(word, 32)))

    return types.uint64(record), codegen


@intrinsic
def clear(typingctx, record):
    """Set all bytes of a record to zero.

    Parameters
    ----------
    record : record
    """
    if not isinstance(record, types.Record):
        return None

    def codegen(context, builder, signature, args):
        size = ir.Constant(ir.IntType(64), signature.args[0].size)
        cgutils.memset(builder, args[0], size, 0)
        return context.get_dummy_value()

    return types.none(record), codegen
