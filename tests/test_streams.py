"""Random streams against NumPy's Philox and against exact arithmetic."""

import itertools

import numpy as np
import pytest

from lumis_fast.core.jit import entry
from lumis_fast.core.streams import (
    PURPOSE_CHANCE,
    PURPOSE_SEARCH,
    PURPOSE_SETUP,
    STREAM,
    below,
    fork,
    next_word,
    open_stream,
    shuffle,
    stream_key,
    uniform,
)

# 1 - 1e-6 quantiles of the chi-square distribution, by degrees of freedom.
CRITICAL = {2: 27.63, 6: 38.26, 23: 70.55}


@entry
def start(stream, seed, deal, purpose):
    open_stream(stream[0], seed, deal, purpose)


@entry
def draw_words(stream, words):
    for i in range(len(words)):
        words[i] = next_word(stream[0])


@entry
def draw_below(stream, n, numbers):
    for i in range(len(numbers)):
        numbers[i] = below(stream[0], n)


@entry
def draw_uniform(stream, numbers):
    for i in range(len(numbers)):
        numbers[i] = uniform(stream[0])


@entry
def shuffle_often(stream, items, times):
    """Shuffle a row of 0, 1, 2, ... anew into each row."""
    for i in range(times):
        for k in range(items.shape[1]):
            items[i, k] = k
        shuffle(stream[0], items[i], items.shape[1])


@entry
def fork_stream(stream, child):
    fork(stream[0], child[0])


@entry
def keys_of(deals, purposes, keys):
    for i in range(len(deals)):
        for k in range(purposes):
            keys[i, k] = stream_key(deals[i], k)


def opened(seed=1, deal=2, purpose=3):
    stream = np.zeros(1, STREAM)
    start(stream, np.uint64(seed), deal, purpose)
    return stream


def peer(stream):
    return np.random.Philox(key=stream["key"][0].copy())


def words_of(stream, n):
    words = np.zeros(n, np.uint64)
    draw_words(stream, words)
    return words


@pytest.mark.parametrize(
    "key", [(0, 0, 0), (1, 2, 3), (2**64 - 1, 2**48 - 1, 2**16 - 1), (7, 10**9, 4)]
)
def test_words_are_those_of_numpys_philox(key):
    stream = opened(*key)
    assert stream["key"][0, 0] == key[0]
    assert words_of(stream, 103).tolist() == peer(stream).random_raw(103).tolist()


def test_a_stream_goes_on_where_its_record_was_copied():
    stream = opened()
    words_of(stream, 6)
    copy = stream.copy()
    assert words_of(copy, 9).tolist() == peer(stream).random_raw(15)[6:].tolist()
    assert words_of(stream, 9).tolist() == peer(stream).random_raw(15)[6:].tolist()


def test_uniform_is_the_upper_53_bits():
    stream, numbers = opened(), np.zeros(1000)
    draw_uniform(stream, numbers)
    wanted = [(int(word) >> 11) * 2.0**-53 for word in peer(stream).random_raw(1000)]
    assert numbers.tolist() == wanted
    assert numbers.min() >= 0 and numbers.max() < 1


def lemire(words, n, count):
    """Unbiased numbers below n from the halves of words, lower half first, in plain integers."""
    halves = (half for word in words for half in (int(word) & 0xFFFFFFFF, int(word) >> 32))
    wanted = []
    while len(wanted) < count:
        product = next(halves) * n
        if product % 2**32 >= 2**32 % n:
            wanted.append(product >> 32)
    return wanted


@pytest.mark.parametrize("n", [1, 2, 7, 121, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_below_is_lemires_method(n):
    stream, numbers = opened(), np.zeros(500, np.int64)
    draw_below(stream, n, numbers)
    assert numbers.tolist() == lemire(peer(stream).random_raw(2000), n, 500)


def chi_square(counts):
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_below_is_uniform():
    stream, numbers = opened(), np.zeros(70_000, np.int64)
    draw_below(stream, 7, numbers)
    assert chi_square(np.bincount(numbers, minlength=7).tolist()) < CRITICAL[6]


def test_below_rejects_what_would_bias_it():
    # Without rejection, floor(3 h / 4) is a multiple of 3 for two of each four values of h.
    stream, numbers = opened(), np.zeros(60_000, np.int64)
    draw_below(stream, 3 * 2**30, numbers)
    assert chi_square(np.bincount(numbers % 3, minlength=3).tolist()) < CRITICAL[2]


def test_every_order_comes_equally_often():
    stream, items = opened(), np.zeros((48_000, 4), np.int64)
    shuffle_often(stream, items, len(items))
    orders = {order: 0 for order in itertools.permutations(range(4))}
    for row in items.tolist():
        orders[tuple(row)] += 1
    assert len(orders) == 24
    assert chi_square(list(orders.values())) < CRITICAL[23]


def test_a_fork_takes_its_key_from_two_words():
    stream, child = opened(), np.zeros(1, STREAM)
    fork_stream(stream, child)
    words = peer(stream).random_raw(3).tolist()
    assert child["key"][0].tolist() == words[:2]
    assert words_of(child, 5).tolist() == peer(child).random_raw(5).tolist()
    assert words_of(stream, 1).tolist() == words[2:]


def test_every_deal_and_purpose_has_its_own_key():
    deals = np.array([*range(2000), *(2**48 - 1 - k for k in range(2000))], np.int64)
    keys = np.zeros((len(deals), PURPOSE_SEARCH + 16), np.uint64)
    keys_of(deals, keys.shape[1], keys)
    assert len(np.unique(keys)) == keys.size
    assert len({PURPOSE_SETUP, PURPOSE_CHANCE, PURPOSE_SEARCH}) == 3
