"""Counter-based random streams: Philox4x64-10, one stream per (seed, deal, purpose).

A stream is a small NumPy record, so that it can be a field of a game's state. The bits are those
of `numpy.random.Philox`, which the tests compare them with: the key holds the run's seed and a
mix of deal and purpose, the counter counts blocks of four words.

References
----------
J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC 2011. D. Lemire, "Fast random integer generation in an interval", TOMACS 29 (2019).
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from lumis_fast.core.jit import kernel

__all__ = [
    "PURPOSE_CHANCE",
    "PURPOSE_SEARCH",
    "PURPOSE_SETUP",
    "STREAM",
    "below",
    "fork",
    "next_word",
    "open_stream",
    "shuffle",
    "stream_key",
    "uniform",
]

STREAM = np.dtype(
    [
        ("key", np.uint64, (2,)),
        ("counter", np.uint64),
        ("block", np.uint64, (4,)),
        ("used", np.uint64),
    ]
)
"""A stream: `used` counts the 32-bit halves of `block` that were given out (8: none is left)."""

PURPOSE_SETUP = 0
PURPOSE_CHANCE = 1
PURPOSE_SEARCH = 2
"""Purposes from here on: `PURPOSE_SEARCH + rotation * seats + seat`."""

_M0 = np.uint64(0xD2E7470EE14C6C93)
_M1 = np.uint64(0xCA5A826395121157)
_W0 = np.uint64(0x9E3779B97F4A7C15)
_W1 = np.uint64(0xBB67AE8584CAA73B)
_HALF_BITS = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_NO_HALF_LEFT = np.uint64(8)


@intrinsic
def _high_product(typingctx, a, b):
    """The high 64 bits of the 128-bit product of two uint64."""

    def codegen(context, builder, signature, args):
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@kernel
def _next_block(stream):
    stream.counter += _ONE
    c0, c1, c2, c3 = stream.counter, np.uint64(0), np.uint64(0), np.uint64(0)
    k0, k1 = stream.key[0], stream.key[1]
    for _ in range(10):
        h0, l0 = _high_product(_M0, c0), _M0 * c0
        h1, l1 = _high_product(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = h1 ^ c1 ^ k0, l1, h0 ^ c3 ^ k1, l0
        k0 += _W0
        k1 += _W1
    stream.block[0], stream.block[1], stream.block[2], stream.block[3] = c0, c1, c2, c3
    stream.used = np.uint64(0)


@kernel
def _next_half(stream):
    if stream.used >= _NO_HALF_LEFT:
        _next_block(stream)
    used = stream.used
    stream.used = used + _ONE
    return (stream.block[used >> _ONE] >> ((used & _ONE) * _HALF_BITS)) & _LOW_HALF


@kernel
def next_word(stream):
    """Draw 64 random bits; a half that was left of the word before is dropped.

    Parameters
    ----------
    stream : STREAM record

    Returns
    -------
    uint64
    """
    stream.used += stream.used & _ONE
    if stream.used >= _NO_HALF_LEFT:
        _next_block(stream)
    word = stream.block[stream.used >> _ONE]
    stream.used += np.uint64(2)
    return word


@kernel
def below(stream, n):
    """Draw an integer uniformly from 0 to n - 1, without bias (Lemire).

    Parameters
    ----------
    stream : STREAM record
    n : int
        From 1 to 2**32 - 1.

    Returns
    -------
    int64
    """
    bound = np.uint64(n)
    product = _next_half(stream) * bound
    if (product & _LOW_HALF) < bound:
        threshold = ((_LOW_HALF - bound) + _ONE) % bound
        while (product & _LOW_HALF) < threshold:
            product = _next_half(stream) * bound
    return np.int64(product >> _HALF_BITS)


@kernel
def uniform(stream):
    """Draw a double uniformly from [0, 1), a multiple of 2**-53.

    Parameters
    ----------
    stream : STREAM record

    Returns
    -------
    float64
    """
    return np.float64(next_word(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def shuffle(stream, items, n):
    """Shuffle the first n items in place (Fisher and Yates).

    Parameters
    ----------
    stream : STREAM record
    items : 1-d array
    n : int
        How many of them.
    """
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        items[i], items[j] = items[j], items[i]


@kernel
def stream_key(deal, purpose):
    """Mix deal and purpose into the second word of a stream's key (SplitMix64's finalizer).

    Parameters
    ----------
    deal, purpose : int
        The purpose is below 2**16.

    Returns
    -------
    uint64
        Different for different pairs as long as deal is below 2**48.
    """
    z = (np.uint64(deal) << np.uint64(16)) | np.uint64(purpose)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def open_stream(stream, seed, deal, purpose):
    """Set a stream to its beginning.

    Parameters
    ----------
    stream : STREAM record
        Written.
    seed : int
        The run's seed, from 0 to 2**64 - 1.
    deal : int
        The deal's index in the run, below 2**48.
    purpose : int
        What the stream is for, below 2**16; see the constants of this module.
    """
    stream.key[0] = np.uint64(seed)
    stream.key[1] = stream_key(deal, purpose)
    stream.counter = np.uint64(0)
    stream.used = _NO_HALF_LEFT


@kernel
def fork(stream, child):
    """Start a new stream with a key drawn from another.

    Parameters
    ----------
    stream : STREAM record
        Two words are drawn from it.
    child : STREAM record
        Written: at its beginning.
    """
    child.key[0] = next_word(stream)
    child.key[1] = next_word(stream)
    child.counter = np.uint64(0)
    child.block[:] = np.uint64(0)  # equal streams are equal bytes
    child.used = _NO_HALF_LEFT
