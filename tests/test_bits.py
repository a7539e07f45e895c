"""Bits of machine words against Python's integers."""

import random

import numpy as np
import pytest

from lumis_fast.core.bits import popcount, trailing_zeros, without_lowest
from lumis_fast.core.jit import entry


@entry
def describe_words(words, answers):
    for i in range(len(words)):
        answers[i, 0] = popcount(words[i])
        answers[i, 1] = trailing_zeros(words[i])


@entry
def list_bits(word, places):
    n = 0
    while word:
        places[n] = trailing_zeros(word)
        word = without_lowest(word)
        n += 1
    return n


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_counts_and_lowest_bits(width):
    drawn = random.Random(width)
    words = [1 << k for k in range(width)] + [(1 << width) - 1]
    words += [drawn.getrandbits(width) | 1 << drawn.randrange(width) for _ in range(200)]
    answers = np.zeros((len(words), 2), np.int64)
    describe_words(np.array(words, f"u{width // 8}"), answers)
    assert answers[:, 0].tolist() == [bin(word).count("1") for word in words]
    assert answers[:, 1].tolist() == [(word & -word).bit_length() - 1 for word in words]


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_no_bit_at_all(width):
    answers = np.full((1, 2), -1, np.int64)
    describe_words(np.zeros(1, f"u{width // 8}"), answers)
    assert answers.tolist() == [[0, width]]


@pytest.mark.parametrize("word", [0, 1, 1 << 63, (1 << 64) - 1, 0x8000_0000_0100_0040])
def test_steps_through_the_bits_of_a_long_word(word):
    places = np.full(64, -1, np.int64)
    n = list_bits(np.uint64(word), places)
    assert places[:n].tolist() == [k for k in range(64) if word >> k & 1]
