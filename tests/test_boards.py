"""Boards as values, compared with whole numbers of Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lumis_fast.core.boards import (
    blank,
    count,
    first_row,
    first_space,
    load,
    row_of,
    rows_from_above,
    rows_from_below,
    single,
    store,
)
from lumis_fast.core.jit import entry

WORD = (1 << 64) - 1
OPERATIONS = 10


def scratch(rows: int) -> np.void:
    fields = [("a", np.uint64, (rows,)), ("b", np.uint64, (rows,))]
    return np.zeros(1, np.dtype([*fields, ("out", np.uint64, (OPERATIONS, rows))]))[0]


@entry
def combine(w, n, space):
    a, b = load(w.a, w.a), load(w.b, w.a)
    store(w.out[0], a | b)
    store(w.out[1], a & b)
    store(w.out[2], a ^ b)
    store(w.out[3], ~a)
    store(w.out[4], a << n)
    store(w.out[5], a >> n)
    store(w.out[6], rows_from_above(a))
    store(w.out[7], rows_from_below(a))
    store(w.out[8], single(a, space))
    store(w.out[9], blank(a))


@entry
def ask(w):
    a, b = load(w.a, w.a), load(w.b, w.a)
    lowest = first_space(a) if a else -1
    return bool(a), a == b, a != b, count(a), first_row(a), lowest, row_of(a, 2)


@pytest.mark.parametrize("rows", [32, 48])
def test_operators_do_to_rows_what_python_does_to_numbers(rows: int) -> None:
    w, rng = scratch(rows), random.Random(rows)
    for _ in range(20):
        a, b = ([rng.getrandbits(64) for _ in range(rows)] for _ in range(2))
        n, space = rng.randrange(64), rng.randrange(64 * rows)
        w["a"], w["b"] = a, b
        combine(w, n, space)
        alone = [1 << space % 64 if row == space // 64 else 0 for row in range(rows)]
        assert w["out"].tolist() == [
            [x | y for x, y in zip(a, b, strict=True)],
            [x & y for x, y in zip(a, b, strict=True)],
            [x ^ y for x, y in zip(a, b, strict=True)],
            [x ^ WORD for x in a],
            [x << n & WORD for x in a],
            [x >> n for x in a],
            [0, *a[:-1]],
            [*a[1:], 0],
            alone,
            [0] * rows,
        ]


@pytest.mark.parametrize("rows", [32, 48])
def test_questions(rows: int) -> None:
    w, rng = scratch(rows), random.Random(rows)
    for first in (0, 5, rows - 1):
        a = [0] * first + [rng.getrandbits(63) << 1 | 1 << 63 for _ in range(rows - first)]
        w["a"] = w["b"] = a
        lowest = (a[first] & -a[first]).bit_length() - 1
        bits = sum(row.bit_count() for row in a)
        assert ask(w) == (True, True, False, bits, first, 64 * first + lowest, a[2])
        w["b"][first] ^= np.uint64(2)
        assert ask(w)[1:3] == (False, True)


def test_an_empty_board_is_false() -> None:
    w = scratch(32)
    assert ask(w) == (False, True, False, 0, 64, -1, 0)
