"""The plain-Python reference of Lumina Spell against situations worked out by hand."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from typing import Any

import pytest
from lumina_rulesets import CHANGES, RARE, ruleset
from naive.lumina_spell import CARDS, COLOURS, NaiveLuminaSpell, all_tiles, deal, tile_order

Tile = tuple[str, int]
LETTERS = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "*": "rainbow"}

# Boards of 5 x 5 with two tiles of each of the four colours out of the way of the middle row.
CORNERS = ["r6 .. .. .. y6", ".. r5 y5 .. ..", "", ".. g5 b5 .. ..", "g6 .. .. .. b6"]
LONE = ["r6 .. .. .. y6", ".. r5 y5 .. ..", ".. .. *1 .. ..", ".. g5 b5 .. ..", "g6 .. .. .. b6"]
EMPTY = ".. .. .. .. .."


def tiles(text: str) -> list[Tile]:
    """Read tiles like `r1 y12 *3`."""
    return [(LETTERS[word[0]], int(word[1:])) for word in text.split()]


def lists(text: str) -> list[list[Any]]:
    return [list(tile) for tile in tiles(text)]


def make_ruleset(**changes: Any) -> dict[str, Any]:
    values = ruleset("small").values | {"max_turns": 500}
    assert set(changes) <= set(values)
    return values | changes


def new_game(
    rows: list[str] | None = None,
    hands: list[str] | None = None,
    face_up: list[int] | None = None,
    deck: list[int] | None = None,
    seats: int = 2,
    first: int = 0,
    **changes: Any,
) -> NaiveLuminaSpell:
    """A game of the small ruleset, put into a situation in which each seat has had a turn."""
    values = make_ruleset()
    setup = deal(values, seats, random.Random(1)) | {"first": first}
    game = NaiveLuminaSpell(values, seats, setup)
    # The rest need not go together as a real ruleset's values must.
    game.ruleset = make_ruleset(**changes)
    game.colours = COLOURS[: game.ruleset["colours"]]
    if rows is not None:
        lay(game, rows)
    if hands is not None:
        game.hands = [Counter(tiles(hand)) for hand in hands]
        game.starting = [None] * seats
        game.turns_taken = [1] * seats
    if face_up is not None:
        game.face_up = list(face_up)
    if deck is not None:
        game.deck = list(deck)
    return game


def lay(game: NaiveLuminaSpell, rows: list[str]) -> None:
    """Lay tiles on the board; `..` is a gap."""
    game.board = {
        (r, c): tiles(word)[0]
        for r, row in enumerate(rows)
        for c, word in enumerate(row.split())
        if word != ".."
    }


def middle(row: str) -> list[str]:
    return [*CORNERS[:2], row, *CORNERS[3:]]


def shown(game: NaiveLuminaSpell) -> list[str]:
    letters = {colour: letter for letter, colour in LETTERS.items()}
    return [
        " ".join(
            letters[game.board[r, c][0]] + str(game.board[r, c][1])
            if (r, c) in game.board
            else ".."
            for c in range(game.side)
        )
        for r in range(game.side)
    ]


def hand(game: NaiveLuminaSpell, seat: int) -> list[Tile]:
    return sorted(game.hands[seat].elements(), key=tile_order)


def push(seat: int, side: str, line: int, tile: str, take: int = 1) -> dict[str, Any]:
    (pushed,) = lists(tile)
    return {
        "seat": seat,
        "action": "push",
        "side": side,
        "line": line,
        "tile": pushed,
        "take": take,
    }


def claim(seat: int, *cards: tuple[int, str], edge: list[int] | None = None) -> dict[str, Any]:
    paid = [{"card": card, "tiles": lists(text)} for card, text in cards]
    return {"seat": seat, "action": "claim", "cards": paid, "edge": edge}


def pass_(seat: int) -> dict[str, Any]:
    return {"seat": seat, "action": "pass"}


def refused(game: NaiveLuminaSpell, step: dict[str, Any], ruling: str) -> None:
    """Assert that a step is refused for a ruling's sake and changes nothing."""
    before = game.position()
    with pytest.raises(ValueError, match=rf"^{ruling}:"):
        game.apply(step)
    assert game.position() == before


def reason(game: NaiveLuminaSpell) -> str:
    assert game.outcome is not None
    return game.outcome["reason"]


# Set-up: D1 to D4, R24 ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["standard", "three-colours", "largest"])
def test_a_deal_is_the_rulings_set_up(name: str, seats: int) -> None:
    values = ruleset(name).values
    setup = deal(values, seats, random.Random(3))
    side = values["side"]
    assert [len(row) for row in setup["board"]] == [side] * side
    laid = [tuple(tile) for row in setup["board"] for tile in row]
    centre = laid.pop(side * side // 2)
    assert sorted(laid) == sorted(all_tiles(values))
    rainbows = [centre, *map(tuple, setup["starting_tiles"])]
    assert len(rainbows) == seats + 1
    assert {colour for colour, _ in rainbows} == {"rainbow"}
    assert Counter(n for _, n in rainbows) <= Counter(values["rainbow_numbers"])
    assert sorted(setup["deck"]) == sorted(values["deck"])
    game = NaiveLuminaSpell(values, seats, setup)
    assert game.face_up + game.deck == setup["deck"]
    assert len(game.face_up) == 4
    assert game.to_move == setup["first"]
    assert [hand(game, seat) for seat in range(seats)] == [[t] for t in rainbows[1:]]


def test_standard_tiles_are_48() -> None:
    tiles_there = all_tiles(ruleset("standard").values)
    assert len(tiles_there) == 48
    assert len(set(tiles_there)) == 24
    assert {colour for colour, _ in tiles_there} == {"red", "yellow", "green", "blue"}
    assert {number for _, number in tiles_there} == {1, 2, 3, 4, 5, 6}


def test_r24_every_seat_may_begin() -> None:
    values = ruleset("small").values
    firsts = Counter(deal(values, 3, random.Random(n))["first"] for n in range(60))
    assert set(firsts) == {0, 1, 2}


@pytest.mark.parametrize("seats", [1, 5, 0])
def test_seats_are_two_to_four(seats: int) -> None:
    values = ruleset("small").values
    with pytest.raises(ValueError, match="2 to 4 seats"):
        NaiveLuminaSpell(values, seats, deal(values, 2, random.Random(1)))


def test_impossible_set_ups_are_refused() -> None:
    values = ruleset("small").values
    good = deal(values, 2, random.Random(1))

    def with_board(change: Any) -> dict[str, Any]:
        setup = copy.deepcopy(good)
        change(setup["board"])
        return setup

    def swap_centre(board: list[list[Any]]) -> None:
        board[0][0], board[2][2] = board[2][2], board[0][0]

    def another(board: list[list[Any]]) -> None:
        board[0][0] = ["red", 9]

    bad = [
        ("D1", with_board(swap_centre)),
        ("D2", with_board(another)),
        ("D3", good | {"starting_tiles": [["red", 1], ["rainbow", 2]]}),
        ("D3", good | {"starting_tiles": [["rainbow", 9], ["rainbow", 2]]}),
        ("D4", good | {"deck": good["deck"][1:]}),
        ("R24", good | {"first": 2}),
        ("1 starting tiles", good | {"starting_tiles": good["starting_tiles"][:1]}),
        ("the board", with_board(lambda board: board.pop())),
    ]
    for text, setup in bad:
        with pytest.raises(ValueError, match=rf"^{text}"):
            NaiveLuminaSpell(values, 2, setup)


# R1: where may be pushed ----------------------------------------------------------------------


def test_r1_a_full_board_has_an_entry_at_each_end_of_each_line() -> None:
    for name, entries in (("small", 20), ("standard", 28), ("largest", 36)):
        values = ruleset(name).values
        game = NaiveLuminaSpell(values, 2, deal(values, 2, random.Random(2)))
        assert len({(s["side"], s["line"]) for s in game.legal_pushes()}) == entries


def test_r1_a_row_is_pushed_from_either_end() -> None:
    game = new_game(middle("r2 y3 g4 b5 y6"), ["r1 y1", "r1"], [13])
    game.apply(push(0, "left", 2, "r1"))
    assert shown(game) == middle("r1 r2 y3 g4 b5")
    assert hand(game, 0) == tiles("y1 y6")
    game = new_game(middle("r2 y3 g4 b5 y6"), ["r1 y1", "r1"], [13])
    game.apply(push(0, "right", 2, "y1"))
    assert shown(game) == middle("y3 g4 b5 y6 y1")
    assert hand(game, 0) == tiles("r1 r2")


def test_r1_a_column_is_pushed_from_either_end() -> None:
    rows = [
        "r6 .. r2 .. y6",
        ".. .. y3 .. ..",
        ".. .. g4 .. ..",
        ".. .. b5 .. ..",
        "g6 .. y6 .. b6",
    ]
    game = new_game(rows, ["r1 y1", "r1"], [13])
    game.apply(push(0, "top", 2, "r1"))
    assert [row.split()[2] for row in shown(game)] == ["r1", "r2", "y3", "g4", "b5"]
    assert hand(game, 0) == tiles("y1 y6")
    game = new_game(rows, ["r1 y1", "r1"], [13])
    game.apply(push(0, "bottom", 2, "y1"))
    assert [row.split()[2] for row in shown(game)] == ["y3", "g4", "b5", "y6", "y1"]
    assert hand(game, 0) == tiles("r1 r2")


def test_r1_colour_or_number_must_match_the_first_tile_alone() -> None:
    game = new_game(middle(".. r2 y3 y3 .."), ["r5 g2 b1 y4 r2", "r1"], [13])
    row = [(s["side"], tuple(s["tile"])) for s in game.legal_pushes() if s["line"] == 2]
    from_left = {tile for side, tile in row if side == "left"}
    from_right = {tile for side, tile in row if side == "right"}
    assert from_left == {("red", 5), ("green", 2), ("red", 2)}
    assert from_right == {("yellow", 4)}
    refused(game, push(0, "left", 2, "b1"), "R1")
    refused(game, push(0, "left", 2, "y4"), "R1")


@pytest.mark.parametrize(
    ("side", "line"), [("left", 5), ("left", -1), ("up", 0), (None, 0), ("top", True), ("top", "2")]
)
def test_r1_no_other_entries(side: Any, line: Any) -> None:
    game = new_game(middle("r2 r2 r2 r2 r2"), ["r1", "r1"], [13])
    refused(game, push(0, side, line, "r1"), "R1")


# R2: lines with no tile, or one ----------------------------------------------------------------


def test_r2_an_empty_line_cannot_be_pushed_and_a_single_tile_can() -> None:
    rows = ["r6 y6 .. .. ..", EMPTY, ".. .. r3 .. ..", EMPTY, "g6 b6 .. .. .."]
    game = new_game(rows, ["r1 r1", "r1"], [13])
    refused(game, push(0, "left", 1, "r1"), "R2")
    refused(game, push(0, "top", 3, "r1"), "R2")
    assert game.longest_combo("left", 1) == 0
    game.apply(push(0, "left", 2, "r1"))
    assert shown(game) == [*rows[:2], ".. .. .. .. r1", *rows[3:]]
    assert hand(game, 0) == tiles("r1 r3")


# R3: where the tiles end up --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "side", "take", "after", "gained"),
    [
        # Full line: everything moves by one.
        ("r2 y4 g6 b3 y1", "left", 1, "r1 r2 y4 g6 b3", "y1"),
        # A gap: what stays is packed against the far end, behind it the pusher.
        ("r2 .. y4 .. g6", "left", 1, ".. .. r1 r2 y4", "g6"),
        (".. r2 .. y4 ..", "left", 1, ".. .. .. r1 r2", "y4"),
        # Gap at the edge: the first tile met lies further in.
        (".. .. .. r2 y4", "left", 1, ".. .. .. r1 r2", "y4"),
        # Combos.
        ("r2 y4 g6 b3 y4", "left", 2, ".. r1 r2 y4 g6", "b3 y4"),
        ("r2 .. y3 .. g4", "left", 2, ".. .. .. r1 r2", "y3 g4"),
        ("r2 .. y3 .. g4", "left", 3, ".. .. .. .. r1", "r2 y3 g4"),
        # From the other end the far end is the left one.
        ("g4 .. y3 .. r2", "right", 1, "y3 r2 r1 .. ..", "g4"),
        ("g4 .. y3 .. r2", "right", 3, "r1 .. .. .. ..", "r2 y3 g4"),
    ],
)
def test_r3_the_block_is_packed_against_the_far_end(
    before: str, side: str, take: int, after: str, gained: str
) -> None:
    game = new_game(middle(before), ["r1", "r1"], [13])
    game.apply(push(0, side, 2, "r1", take))
    assert shown(game) == middle(after)
    assert hand(game, 0) == sorted(tiles(gained), key=tile_order)


def test_r3_other_lines_stay_as_they_are() -> None:
    rows = ["r6 r2 .. .. y6", ".. .. .. .. g1", EMPTY, ".. y5 .. .. ..", "g6 .. .. .. b6"]
    game = new_game(rows, ["r1", "r1"], [13])
    game.apply(push(0, "top", 1, "r1"))
    assert shown(game) == [
        "r6 .. .. .. y6",
        ".. .. .. .. g1",
        EMPTY,
        ".. r1 .. .. ..",
        "g6 r2 .. .. b6",
    ]


# R4 to R8: combos ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "longest"),
    [
        # The far end is on the right; numbers are read from there.
        ("r1 r1 r1 r1 r6", 1),
        ("r1 r5 r6 y6 g4", 1),
        ("r1 r5 r6 y6 g5", 4),
        ("r6 y3 g4 b3 y2", 4),
        ("r6 y2 g3 b3 y2", 4),
        ("r6 y4 g4 b3 y2", 4),
        ("r2 y3 g4 b5 y6", 5),
        ("r3 y3 g3 b3 y3", 5),
        # No wrap from 6 to 1.
        ("r2 r1 r6 r1 r6", 1),
        ("r1 y6 g6 b6 y6", 4),
        # Differences are counted from the tile that left just before.
        ("r1 y4 g3 b2 y1", 4),
        ("r1 y2 g3 b5 y4", 2),
        # Gaps do not break a combo.
        ("r4 .. y3 .. r2", 3),
        (".. .. *3 .. r2", 2),
        # A rainbow tile counts with its number.
        ("r1 y1 g4 *3 b2", 3),
        ("r1 y1 g4 *5 b2", 1),
        ("r1 y1 b1 y1 *5", 1),
        ("r1 y1 b1 y6 *5", 2),
    ],
)
def test_r4_r5_longest_combo(row: str, longest: int) -> None:
    game = new_game(middle(row), ["r1 *1", "r1"], [13])
    assert game.longest_combo("left", 2) == longest


def test_r4_the_tile_at_the_far_end_leaves_first_whatever_its_number() -> None:
    game = new_game(middle("r1 r1 r1 r1 b6"), ["r1", "r1"], [13])
    assert [s["take"] for s in game.legal_pushes() if (s["side"], s["line"]) == ("left", 2)] == [1]
    game.apply(push(0, "left", 2, "r1"))
    assert hand(game, 0) == tiles("b6")


def test_r5_the_pushers_number_does_not_matter() -> None:
    for pusher in ("r6", "r1"):
        game = new_game(middle("r2 .. .. .. .."), [pusher, "r1"], [13])
        taken = [s["take"] for s in game.legal_pushes() if (s["side"], s["line"]) == ("left", 2)]
        assert taken == [1]


def test_r6_the_player_chooses_how_many_leave() -> None:
    game = new_game(middle("r6 y2 g3 b4 y3"), ["r1", "r1"], [13])
    taken = [s["take"] for s in game.legal_pushes() if (s["side"], s["line"]) == ("left", 2)]
    assert taken == [1, 2, 3, 4]
    for take in (0, 5, -1, None, True, "1"):
        refused(game, push(0, "left", 2, "r1") | {"take": take}, "R6")
    game.apply(push(0, "left", 2, "r1", 2))
    assert hand(game, 0) == tiles("y3 b4")


def test_r7_the_pusher_never_leaves_in_its_own_push() -> None:
    game = new_game(middle("r2 r2 .. .. .."), ["r2", "r1"], [13])
    assert game.longest_combo("left", 2) == 2
    refused(game, push(0, "left", 2, "r2", 3), "R6")
    game.apply(push(0, "left", 2, "r2", 2))
    assert shown(game) == middle(".. .. .. .. r2")


def test_r8_a_rainbow_on_the_board_is_pushed_by_any_tile() -> None:
    game = new_game(middle(".. *3 .. b5 .."), ["r1 g6", "r1"], [13])
    row = {(s["side"], tuple(s["tile"])) for s in game.legal_pushes() if s["line"] == 2}
    assert {tile for side, tile in row if side == "left"} == {("red", 1), ("green", 6)}
    assert {tile for side, tile in row if side == "right"} == set()


# R9, R10: what may push ------------------------------------------------------------------------


def test_r9_the_starting_tile_matches_everything() -> None:
    game = new_game(middle("r2 .. .. .. y4"), [""] * 2, [13])
    game.hands[0] = Counter(tiles("*5"))
    game.starting[0] = ("rainbow", 5)
    row = [s for s in game.legal_pushes() if s["line"] == 2 and s["side"] in ("left", "right")]
    assert [(s["side"], s["tile"], s["take"]) for s in row] == [
        ("left", ["rainbow", 5], 1),
        ("right", ["rainbow", 5], 1),
    ]
    game.apply(push(0, "left", 2, "*5"))
    assert shown(game) == middle(".. .. .. *5 r2")
    assert game.position()["hands"][0] == {"tiles": [["yellow", 4]], "starting_tile": None}


def test_r9_a_rainbow_taken_from_the_board_never_pushes_again() -> None:
    game = new_game(middle("r2 .. .. .. *5"), ["r1 b1 b2", "y1"], [13])
    game.apply(push(0, "left", 2, "r1"))
    assert hand(game, 0) == tiles("b1 b2 *5")
    game.to_move = 0
    refused(game, push(0, "left", 2, "*5"), "R9")
    assert all(s["tile"] != ["rainbow", 5] for s in game.legal_pushes())


def test_r9_a_starting_tile_that_comes_back_is_a_collected_one() -> None:
    game = new_game(middle(".. .. .. .. y4"), [""] * 2, [13])
    game.hands = [Counter(tiles("*5")), Counter(tiles("r1 r2"))]
    game.starting[0] = ("rainbow", 5)
    game.apply(push(0, "left", 2, "*5"))
    game.apply(push(1, "left", 0, "r1"))
    game.apply(push(0, "right", 2, "y4"))
    assert hand(game, 0) == tiles("*5")
    assert game.position()["hands"][0]["starting_tile"] is None


def test_r9_another_players_rainbow_of_the_same_number_does_not_push() -> None:
    game = new_game(middle("r2 .. .. .. .."), ["*5 r1", "r1"], [13])
    game.starting = [None, ("rainbow", 5)]
    refused(game, push(0, "left", 2, "*5"), "R9")


def test_r10_tiles_taken_may_push_later_and_only_tiles_in_hand_push() -> None:
    game = new_game(middle("r2 .. .. .. b4"), ["r1", "r1"], [13])
    refused(game, push(0, "left", 2, "r3"), "R10")
    refused(game, push(0, "left", 2, "r1") | {"tile": None}, "R10")
    refused(game, push(0, "left", 2, "r1") | {"tile": ["red"]}, "R10")
    game.apply(push(0, "left", 2, "r1"))
    assert hand(game, 0) == tiles("b4")
    game.to_move = 0
    # Blue 4 came in this way; it may push the blue 6 in the corner.
    game.apply(push(0, "right", 4, "b4"))
    assert hand(game, 0) == tiles("g6")


def test_r10_hands_have_no_limit() -> None:
    many = " ".join(f"{c}{n}" for c in "rygb" for n in range(1, 7))
    game = new_game(middle("r2 .. .. .. b4"), [many, "r1"], [13])
    game.apply(push(0, "left", 2, "r1"))
    assert game.hands[0].total() == 24


# R11, R12: turns and claims --------------------------------------------------------------------


def test_r11_a_turn_is_a_push_or_a_claim_of_up_to_four_cards() -> None:
    row = [2, 16, 6, 7]
    rich = "r4 r4 b5 g5 y1 r1 b1 g2 g3 g4 r2"
    game = new_game(middle("r2 .. .. .. b4"), [rich, "y6"], row, [1, 2, 3])
    game.apply(claim(0, (2, "r4 r4"), (16, "b5 g5"), (6, "y1 r1 b1"), (7, "g2 g3 g4"), edge=[0, 0]))
    assert game.claimed == [[2, 16, 6, 7], []]
    assert hand(game, 0) == tiles("r2 r6")
    assert game.points(0) == 2 + 1 + 4 + 3
    assert (game.turn, game.to_move) == (1, 1)


@pytest.mark.parametrize(
    "cards",
    [
        None,
        [],
        [{"card": 2, "tiles": [["red", 4], ["red", 4]]}] * 5,
        [7],
        [{"card": 3, "tiles": [["red", 4], ["red", 4]]}],
        [{"card": 2, "tiles": [["red", 4], ["red", 4]]}, {"card": 2, "tiles": [["blue", 1]] * 2}],
        [{"card": None, "tiles": []}],
    ],
)
def test_r11_claims_that_are_none(cards: Any) -> None:
    game = new_game(middle("r2 .. .. .. b4"), ["r4 r4 b1 b1", "y6"], [2, 16, 6, 7])
    refused(game, claim(0) | {"cards": cards}, "R11")


def test_r11_nothing_is_refilled_during_a_claim() -> None:
    game = new_game(middle("r2 .. .. .. b4"), ["r4 r4 b1 b1 r2", "y6"], [2, 16, 6, 7], [3, 4])
    refused(game, claim(0, (2, "r4 r4"), (3, "b1 b1")), "R11")
    game.claim_one(2, tiles("r4 r4"))
    assert game.face_up == [16, 6, 7]
    assert game.legal_single_claims() == []


def test_r11_a_card_in_the_deck_twice_may_be_claimed_twice() -> None:
    game = new_game(middle("r2 .. .. .. b4"), ["r4 r4 b1 b1 r1", "y6"], [2, 2, 6, 7])
    game.apply(claim(0, (2, "r4 r4"), (2, "b1 b1")))
    assert game.claimed[0] == [2, 2]


def test_r12_each_tile_pays_once_and_exactly_as_many_are_paid() -> None:
    game = new_game(middle("r2 .. .. .. b4"), ["r4 r4 b1 b1 r1", "y6"], [2, 3, 1, 7])
    refused(game, claim(0, (2, "r4 r4"), (3, "r4 r4")), "R12")
    refused(game, claim(0, (2, "r4")), "R12")
    refused(game, claim(0, (2, "r4 r4 r4")), "R12")
    refused(game, claim(0, (2, "y4 y4")), "R12")
    refused(game, claim(0, (1, "r4 r4")), "R12")
    refused(game, claim(0, (2, "")) | {"cards": [{"card": 2, "tiles": "r4"}]}, "R12")
    refused(game, claim(0, (2, "")) | {"cards": [{"card": 2, "tiles": [1, 2]}]}, "R12")
    game.apply(claim(0, (2, "r4 r4"), (3, "b1 b1")))
    assert hand(game, 0) == tiles("r1")


def test_r12_the_player_chooses_the_tiles() -> None:
    game = new_game(middle("r2 .. .. .. b4"), ["r4 r4 r4 b1 b1", "y6"], [2, 13, 13, 13])
    assert game.legal_single_claims() == [(2, tuple(tiles("r4 r4"))), (2, tuple(tiles("b1 b1")))]


# R13 to R15: what pays which card ----------------------------------------------------------------

PAYMENTS = {
    1: ("r3 r3 y3", "r3 y3 b3", "r3 r3 r3"),
    2: ("r3 r3", "b6 b6"),
    5: ("r3 y3 b3",),
    6: ("r1 r1 y1", "r1 r1 r1"),
    7: ("r1 r2 r3", "y4 y6 y5"),
    10: ("r1 y2 b3", "g6 y5 r4"),
    11: ("r1 y2 b3", "r1 r2 r3", "r1 y2 r3"),
    12: ("r1 r2 r3 r4", "r3 y4 g5 b6", "r6 r5 y4 y3"),
    13: ("r1 r2 r3 r4", "b3 b4 b5 b6"),
    16: ("r5 r5", "r4 y6", "r5 b5"),
    17: ("r1 y3 b6", "r2 r2 r6", "r3 r3 r4"),
    18: ("r1 y3 b6", "r2 y2 g6"),
}
SHORT_OF = {
    1: ("r3 r3 y4", "r1 r2 r3"),
    2: ("r3 y3", "r3 r4"),
    5: ("r3 r3 y3", "r3 r3 r3", "r3 y3 b4"),
    6: ("r1 r1 y2", "r2 y2 b2"),
    7: ("r1 r2 y3", "r1 r2 r4", "r1 r1 r2", "r5 r6 r1"),
    10: ("r1 r2 y3", "r1 y2 b4", "r1 r2 r3", "r1 y1 b1"),
    11: ("r1 y2 b4", "r2 y2 b2", "r5 y6 b1", "r1 y2 b2"),
    12: ("r1 r2 r3 r5", "r1 r2 r3 r3", "r4 r5 r6 r1"),
    13: ("r1 r2 r3 y4", "r1 r2 r3 r5"),
    16: ("r5 r4", "r6 r6"),
    17: ("r1 y3 b5", "r6 r6 r6"),
    18: ("r1 r3 b6", "r2 r2 r6", "r1 y3 b5", "r4 y5 b6"),
}
SAME_REQUIREMENT = {3: 2, 4: 2, 8: 7, 9: 7, 14: 13, 15: 13}


@pytest.mark.parametrize("card", range(1, 19))
def test_r13_r14_what_pays_a_card_and_what_falls_short(card: int) -> None:
    game = new_game(face_up=[card])
    like = SAME_REQUIREMENT.get(card, card)
    for text in PAYMENTS[like]:
        assert game.payment_error(card, tiles(text)) is None, text
        game.hands[game.to_move] = Counter(tiles(text))
        assert game.payments(card) == {tuple(sorted(tiles(text), key=tile_order))}
    for text in SHORT_OF[like]:
        assert str(game.payment_error(card, tiles(text)))[:3] in ("R13", "R14"), text
        game.hands[game.to_move] = Counter(tiles(text))
        assert game.payments(card) == set()


@pytest.mark.parametrize(
    ("card", "text", "pays"),
    [
        # A rainbow tile is of any one colour and keeps its number.
        (2, "r3 *3", True),
        (2, "r3 *4", False),
        (2, "*3 *3", True),
        (1, "r3 y3 *3", True),
        (5, "r3 y3 *3", True),
        (5, "r3 r3 *3", False),
        (5, "*3 *3 *3", True),
        (6, "r1 r1 *1", True),
        (6, "r1 r1 *2", False),
        (7, "r1 r2 *3", True),
        (7, "r1 y2 *3", False),
        (7, "*1 *2 *3", True),
        (7, "r1 r2 *2", False),
        (10, "r1 y2 *3", True),
        (10, "r1 r2 *3", False),
        (10, "r1 *2 *3", True),
        (11, "r1 r2 *3", True),
        (13, "r1 *2 *3 *4", True),
        (13, "r1 y2 *3 *4", False),
        (16, "r5 *5", True),
        (16, "r5 *4", False),
        (17, "r4 *5 *1", True),
        (18, "r4 *5 *1", True),
        (18, "r4 r1 *5", False),
    ],
)
def test_r15_a_rainbow_tile_stands_for_any_one_colour(card: int, text: str, pays: bool) -> None:
    game = new_game(face_up=[card])
    assert (game.payment_error(card, tiles(text)) is None) == pays
    game.hands[game.to_move] = Counter(tiles(text))
    assert bool(game.payments(card)) == pays


@pytest.mark.parametrize(
    ("card", "text", "pays"),
    [
        (2, "r3 *4", True),
        (6, "r1 *2 *3", True),
        (6, "r1 r2 *3", False),
        (7, "r1 r2 *2", True),
        (7, "r1 r3 *5", True),
        (7, "r1 r4 *5", False),
        (7, "r1 y2 *2", False),
        (16, "r4 *1", True),
        # 6 is the highest number there is: with 3 no rainbow makes 10.
        (16, "r3 *1", False),
        (17, "*1 *1 *1", True),
        (18, "r6 r1 *5", False),
    ],
)
def test_r15_the_switch_frees_the_number(card: int, text: str, pays: bool) -> None:
    game = new_game(face_up=[card], rainbow_number_wild=True)
    assert (game.payment_error(card, tiles(text)) is None) == pays
    game.hands[game.to_move] = Counter(tiles(text))
    assert bool(game.payments(card)) == pays


def test_d6_card_18_follows_its_switch() -> None:
    game = new_game(face_up=[18], card18_sum=15)
    assert game.payment_error(18, tiles("r4 y5 b6")) is None
    assert game.payment_error(18, tiles("r1 y3 b6")) == "R13: the numbers do not fit card 18"
    assert game.payment_error(17, tiles("r1 y3 b6")) is None


def test_r14_three_colours_in_a_game_with_two() -> None:
    game = new_game(face_up=[5], colours=2)
    # Rainbow tiles stand for colours of the game, of which there are two.
    assert str(game.payment_error(5, tiles("r3 y3 *3"))).startswith("R14")


@pytest.mark.parametrize("wild", [False, True])
@pytest.mark.parametrize("card", range(1, 19))
def test_payments_are_all_sets_of_tiles_that_pay(card: int, wild: bool) -> None:
    rng = random.Random(card)
    game = new_game(face_up=[card], rainbow_number_wild=wild)
    pool = all_tiles(ruleset("standard").values) + tiles("*1 *2 *3 *4 *5")
    met = 0
    for size in (6, 9, 11):
        held = rng.sample(pool, size)
        game.hands[game.to_move] = Counter(held)
        every = {
            tuple(sorted(chosen, key=tile_order))
            for chosen in itertools.combinations(held, CARDS[card][0])
        }
        paying = {chosen for chosen in every if game.payment_error(card, chosen) is None}
        assert game.payments(card) == paying
        met += len(paying)
    assert met > 0 or card in (5, 2, 3, 4, 6, 13, 14, 15)


# R16: the edge tile ----------------------------------------------------------------------------


def test_r16_one_tile_of_the_outermost_ring_or_none() -> None:
    rows = [
        "r6 .. .. .. y6",
        ".. r1 .. .. ..",
        "r2 .. r3 .. *5",
        ".. .. .. .. ..",
        "g6 .. b4 .. b6",
    ]
    game = new_game(rows, ["r4 r4 b1 b1", "y1"], [2, 13, 13, 13])
    choices = [[0, 0], [0, 4], [2, 0], [2, 4], [4, 0], [4, 2], [4, 4]]
    turns = [s for s in game.legal_steps() if s["action"] == "claim"]
    assert len(turns) == 2 * 8  # two payments; one of seven tiles, or none
    assert [s["edge"] for s in turns[:8]] == [None, *choices]
    for edge in ([1, 1], [2, 2], [0, 1], [5, 0], [-1, 0], [0], "x", [0, True], [[0], 0]):
        refused(game, claim(0, (2, "r4 r4"), edge=edge), "R16")
    game.apply(claim(0, (2, "r4 r4"), edge=[2, 4]))
    assert hand(game, 0) == tiles("b1 b1 *5")
    # Nothing slides.
    assert shown(game) == [*rows[:2], "r2 .. r3 .. ..", *rows[3:]]


def test_r16_the_edge_tile_is_optional_and_pays_for_nothing_in_its_turn() -> None:
    game = new_game(middle("r4 .. .. .. b4"), ["r4 b1", "y1"], [2, 13, 13, 13])
    refused(game, claim(0, (2, "r4 r4"), edge=[2, 0]), "R12")
    game = new_game(middle("r4 .. .. .. b4"), ["r4 r4 b1", "y1"], [2, 13, 13, 13])
    game.apply(claim(0, (2, "r4 r4")))
    assert hand(game, 0) == tiles("b1")
    assert shown(game) == middle("r4 .. .. .. b4")


def test_r16_a_rainbow_from_the_edge_is_a_collected_one() -> None:
    game = new_game(middle("r4 .. .. .. *4"), ["r4 r4 b1", "y1"], [2, 13, 13, 13])
    game.apply(claim(0, (2, "r4 r4"), edge=[2, 4]))
    assert game.position()["hands"][0] == {
        "tiles": [["blue", 1], ["rainbow", 4]],
        "starting_tile": None,
    }


def test_a_claim_turn_in_parts_is_the_same_turn() -> None:
    situation = dict(
        rows=middle("r4 .. .. .. b4"), hands=["r4 r4 b5 g5 r1", "y1"], face_up=[2, 16, 13, 13]
    )
    whole, parts = new_game(**situation, deck=[1, 3]), new_game(**situation, deck=[1, 3])
    whole.apply(claim(0, (2, "r4 r4"), (16, "g5 b5"), edge=[2, 0]))
    assert not parts.may_end_claim_turn()
    with pytest.raises(ValueError, match="^R16: no card"):
        parts.end_claim_turn(None)
    parts.claim_one(2, lists("r4 r4"))
    between = parts.position()
    assert between["claims_this_turn"] == [{"card": 2, "tiles": [["red", 4], ["red", 4]]}]
    assert (between["turn"], between["to_move"], between["face_up"]) == (0, 0, [16, 13, 13])
    assert between["hands"][0]["tiles"] == [["red", 1], ["green", 5], ["blue", 5]]
    assert between["points"] == [2, 0]
    assert parts.may_end_claim_turn()
    assert parts.legal_single_claims() == [(16, tuple(tiles("g5 b5")))]
    assert parts.legal_pushes() == []
    refused(parts, push(0, "left", 0, "r1"), "R11")
    refused(parts, pass_(0), "R11")
    with pytest.raises(ValueError, match="^R11: a claim turn"):
        parts.legal_steps()
    with pytest.raises(ValueError, match="^R11: card 2"):
        parts.claim_one(2, lists("r4 r4"))
    parts.claim_one(16, lists("b5 g5"))
    assert parts.legal_single_claims() == []
    with pytest.raises(ValueError, match="^R16: there is no tile"):
        parts.end_claim_turn([1, 1])
    assert parts.may_end_claim_turn()
    parts.end_claim_turn([2, 0])
    assert parts.position() == whole.position()
    assert parts.position()["claims_this_turn"] == []


def test_claim_turns_are_listed_once_whatever_the_order() -> None:
    game = new_game(LONE, ["r4 r4 b5 g5 b4 b4", "y1"], [16, 2, 13, 3])
    bills = Counter()
    for step in game.claim_turns():
        if step["edge"] is None:
            key = tuple((c["card"], tuple(map(tuple, c["tiles"]))) for c in step["cards"])
            bills[key] += 1
            assert game.step_error(step) is None
    pair_r, pair_b = tuple(tiles("r4 r4")), tuple(tiles("b4 b4"))
    ten = tuple(tiles("g5 b5"))
    expected = [
        [(2, pair_r)], [(2, pair_b)], [(3, pair_r)], [(3, pair_b)], [(16, ten)],
        [(2, pair_r), (3, pair_b)], [(2, pair_b), (3, pair_r)],
        [(2, pair_r), (16, ten)], [(2, pair_b), (16, ten)],
        [(3, pair_r), (16, ten)], [(3, pair_b), (16, ten)],
        [(2, pair_r), (3, pair_b), (16, ten)], [(2, pair_b), (3, pair_r), (16, ten)],
    ]  # fmt: skip
    assert bills == Counter(tuple(bill) for bill in expected)
    reverse = claim(0, (16, "g5 b5"), (3, "b4 b4"), (2, "r4 r4"))
    assert game.step_error(reverse) is None


# R17: the refill -------------------------------------------------------------------------------


def test_r17_the_row_is_refilled_at_the_start_of_the_next_turn() -> None:
    game = new_game(LONE, ["r4 r4 b4 b4 r1", "y1"], [2, 13, 3, 14], [5, 6, 7])
    game.apply(claim(0, (2, "r4 r4"), (3, "b4 b4")))
    # The cards that stay keep their order, the new ones come after them.
    assert (game.face_up, game.deck) == ([13, 14, 5, 6], [7])
    assert game.trigger is None


def test_r17_as_far_as_the_deck_goes() -> None:
    game = new_game(LONE, ["r4 r4 b4 b4 r1", "y1 y2"], [2, 13, 3, 14], [5])
    game.apply(claim(0, (2, "r4 r4"), (3, "b4 b4")))
    assert (game.face_up, game.deck) == ([13, 14, 5], [])
    game.apply(push(1, "right", 0, "y1"))
    assert game.face_up == [13, 14, 5]


# R18: passing ----------------------------------------------------------------------------------


def test_r18_pass_only_with_no_push_and_no_payable_card() -> None:
    # Every tile on the board is at an end of its lines; red 5 fits none of these.
    board = ["y1 .. .. .. ..", ".. g2 .. .. ..", ".. .. b3 .. ..", EMPTY, ".. .. .. .. y4"]
    game = new_game(board, ["r5", "y1"], [16, 2, 13, 14], colours=4)
    assert game.legal_steps() == [pass_(0)]
    assert game.step_error(pass_(0)) is None
    game.hands[0] = Counter(tiles("r5 r5"))
    refused(game, pass_(0), "R18")  # the pair pays card 2
    game.face_up = [13, 14]
    assert game.legal_steps() == [pass_(0)]
    game.hands[0] = Counter(tiles("r4"))
    refused(game, pass_(0), "R18")  # it fits yellow 4
    game.hands[0] = Counter(tiles("r5 *4"))
    game.apply(pass_(0))
    assert (game.turn, game.to_move, game.passes) == (1, 1, 1)
    assert hand(game, 0) == tiles("r5 *4")


def test_r18_a_push_or_claim_ends_a_row_of_passes() -> None:
    board = ["y1 .. .. .. ..", ".. g2 .. .. ..", ".. .. b3 .. ..", EMPTY, ".. .. .. .. r4"]
    game = new_game(board, ["r5 y2", "y1"], [13])
    game.passes = 1
    game.apply(push(0, "left", 0, "y2"))
    assert game.passes == 0


# R19: running out ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "runs_out"), [("", True), ("*3", True), ("*3 *5", True), ("*3 r1", False)]
)
def test_r19_a_seat_with_no_coloured_tile_becomes_inactive(held: str, runs_out: bool) -> None:
    game = new_game(LONE, ["r4 r5", held, "g4"], [13], seats=3)
    game.apply(push(0, "left", 0, "r4"))
    assert game.inactive == [False, runs_out, False]
    assert game.to_move == (2 if runs_out else 1)
    assert game.turn == 1


def test_r19_not_at_ones_first_turn() -> None:
    game = new_game(LONE, ["r4 r5", "*3", "g4"], [13], seats=3)
    game.turns_taken[1] = 0
    game.apply(push(0, "left", 0, "r4"))
    assert (game.inactive, game.to_move) == ([False] * 3, 1)


def test_r19_a_starting_tile_in_hand_is_not_a_collected_one() -> None:
    game = new_game(LONE, ["r4 r5", "*3", "g4"], [13], seats=3)
    game.starting[1] = ("rainbow", 3)
    game.apply(push(0, "left", 0, "r4"))
    assert (game.inactive, game.to_move) == ([False] * 3, 1)


def test_r19_inactive_for_good_and_cards_still_score() -> None:
    game = new_game(LONE, ["r4 r5", "*3", "g4"], [13], seats=3, max_turns=3)
    game.claimed[1] = [6]
    game.apply(push(0, "left", 0, "r4"))
    game.hands[1] = Counter(tiles("r1"))
    game.apply(push(2, "left", 4, "g4"))
    assert game.to_move == 0
    game.apply(push(0, "right", 2, "r5"))
    assert game.outcome is not None
    assert game.outcome["scores"][1] == 4 - 1


def test_r19_it_is_found_out_when_the_turn_comes() -> None:
    # A claim that spends everything; the seat itself is not inactive before its next turn.
    game = new_game(LONE, ["r4 r4", "y4 y5"], [2, 13, 14, 15], [1, 3])
    game.apply(claim(0, (2, "r4 r4")))
    assert game.inactive == [False, False]
    game.apply(push(1, "right", 0, "y4"))
    assert game.inactive == [True, False]
    assert game.to_move == 1


# R20: stalled ----------------------------------------------------------------------------------


def test_r20_all_inactive() -> None:
    game = new_game(LONE, ["r4 r4", "*2"], [2, 13, 14, 15], [1, 3])
    game.apply(claim(0, (2, "r4 r4")))
    assert game.inactive == [True, True]
    assert game.outcome == {
        "returns": [1.0, 0.0],
        "scores": [2, -1],
        "reason": "stalled",
        "turns": 1,
    }


def test_r20_all_inactive_after_a_push_of_the_last_coloured_tile() -> None:
    # The taken rainbow tile is all that is left.
    game = new_game(middle("r2 .. .. .. *5"), ["r4", ""], [13])
    game.apply(push(0, "left", 2, "r4"))
    assert reason(game) == "stalled"
    assert game.position()["to_move"] == 0


def stuck_game(hands: list[str], **changes: Any) -> NaiveLuminaSpell:
    """Red 2 is shut in, so that red 5 and red 6 fit nothing and yet no colour is gone."""
    rows = [
        "y1 .. .. .. ..",
        ".. g2 .. .. ..",
        ".. .. b3 .. ..",
        "g2 r2 .. .. b3",
        ".. y4 .. .. y4",
    ]
    return new_game(rows, hands, [13], seats=len(hands), **changes)


def test_r20_all_pass_in_a_row() -> None:
    game = stuck_game(["r5", "r5 *1", "r6"])
    for seat in range(3):
        assert game.outcome is None
        game.apply(pass_(seat))
    assert game.outcome == {
        "returns": [0.5, 0.0, 0.5],
        "scores": [-1, -2, -1],
        "reason": "stalled",
        "turns": 3,
    }


def test_r20_inactive_seats_do_not_have_to_pass() -> None:
    game = stuck_game(["r5", "*1", "r6"])
    game.inactive[1] = True
    game.apply(pass_(0))
    assert (game.outcome, game.to_move) == (None, 2)
    game.apply(pass_(2))
    assert reason(game) == "stalled"


# R21, R26: triggers ----------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "threshold"), [(2, 15), (3, 12), (4, 10)])
def test_r21_points_reach_the_threshold(seats: int, threshold: int) -> None:
    for before, triggers in ((threshold - 3, False), (threshold - 2, True), (threshold - 1, True)):
        points = [0] * 18
        points[1], points[0] = 2, before
        hands = ["r4 r4 b2", *["b2 b2"] * (seats - 1)]
        game = new_game(LONE, hands, [2, 13], [3, 4, 5, 6], seats=seats, points=points)
        game.claimed[0] = [1]
        game.apply(claim(0, (2, "r4 r4")))
        assert game.trigger == ("points" if triggers else None)
        assert game.outcome is None


def test_r21_tiles_in_hand_do_not_lower_the_points_that_count() -> None:
    many = "r4 r4 " + "b2 " * 9
    game = new_game(LONE, [many, "b2"], [2, 13], [3, 4, 5, 6])
    game.claimed[0] = [13, 14, 6]
    game.apply(claim(0, (2, "r4 r4")))
    assert (game.points(0), game.score(0), game.trigger) == (16, 7, "points")


def test_r21_a_colour_gone() -> None:
    rows = ["r6 r5 .. .. y6", ".. y5 .. .. ..", EMPTY, "b1 .. .. .. ..", "g6 .. .. .. .."]
    game = new_game(rows, ["b4 y2", "r1"], [13])
    game.apply(push(0, "left", 3, "b4"))  # blue for blue
    assert (game.trigger, hand(game, 0)) == (None, tiles("y2 b1"))
    game = new_game(rows, ["r1 b2 b2 y2", "r1"], [2, 13], [3, 4, 5, 6])
    game.apply(claim(0, (2, "b2 b2"), edge=[3, 0]))
    assert game.trigger == "colour_gone"
    assert game.outcome is None


def test_r21_a_rainbow_tile_is_of_no_colour() -> None:
    rows = ["r6 r5 .. .. y6", ".. y5 .. .. ..", EMPTY, "b1 .. .. .. *2", "g6 .. .. .. *3"]
    game = new_game(rows, ["r1 b2 b2 y2", "r1"], [2, 13], [3, 4, 5, 6])
    game.apply(claim(0, (2, "b2 b2"), edge=[3, 0]))
    assert game.trigger == "colour_gone"


def test_r21_only_colours_of_the_ruleset_can_be_gone() -> None:
    board = ["r6 r5 .. .. y6", *[EMPTY] * 3, "g6 .. .. .. y2"]
    game = new_game(board, ["r1 y2", "r1"], [13], colours=3)
    game.apply(push(0, "left", 0, "r1"))
    assert game.trigger is None


@pytest.mark.parametrize(
    ("seats", "left", "triggers"), [(2, 3, False), (2, 2, True), (4, 5, False), (4, 4, True)]
)
def test_r21_no_more_tiles_on_the_board_than_players(seats: int, left: int, triggers: bool) -> None:
    row = "r6 y6 " + "*1 " * (left - 2) + ".. " * (5 - left)
    board = [row, "y1 .. .. .. ..", *[EMPTY] * 3]
    hands = ["r4 r4 r2", *["y2 y3"] * (seats - 1)]
    game = new_game(board, hands, [2, 13], [3, 4, 5, 6], seats=seats, colours=2)
    game.apply(claim(0, (2, "r4 r4"), edge=[1, 0]))
    assert len(game.board) == left
    assert game.trigger == ("few_tiles" if triggers else None)


def test_r27_few_tiles_counts_inactive_seats_too() -> None:
    board = ["r6 y6 *1 *1 ..", "y1 .. .. .. ..", *[EMPTY] * 3]
    game = new_game(board, ["r4 r4 r2", "y2", "*1", ""], [2, 13], [3, 4, 5, 6], seats=4, colours=2)
    game.inactive = [False, False, True, True]
    game.apply(claim(0, (2, "r4 r4"), edge=[1, 0]))
    assert game.trigger == "few_tiles"


@pytest.mark.parametrize(("deck", "triggers"), [([5, 6], False), ([5], True), ([], False)])
def test_r21_the_last_card_is_revealed(deck: list[int], triggers: bool) -> None:
    game = new_game(LONE, ["r4 r4 r2", "y2 y3"], [2, 13, 14, 15], deck)
    game.apply(claim(0, (2, "r4 r4")))
    assert game.trigger == ("last_card" if triggers else None)
    assert game.to_move == 1
    assert game.outcome is None


def test_r26_points_before_colour_gone_before_few_tiles() -> None:
    board = ["r6 y6 *1 .. ..", *[EMPTY] * 4]
    for points, colours, expected in ((2, 2, "points"), (0, 2, "colour_gone"), (0, 1, "few_tiles")):
        values = [points] * 18
        game = new_game(
            board,
            ["r4 r4 r2", "y2 y3"],
            [2, 13],
            [3, 4, 5, 6],
            colours=colours,
            points=values,
            thresholds=[2, 2, 2],
        )
        # Taking yellow 6 leaves two tiles and no yellow one.
        game.apply(claim(0, (2, "r4 r4"), edge=[0, 1]))
        assert len(game.board) == 2
        assert game.trigger == expected


def test_r26_the_reason_is_the_trigger_that_came_first() -> None:
    game = new_game(LONE, ["r4 r4 r2", "y2 y2 y3"], [2, 3, 14, 15], [5], thresholds=[2, 2, 2])
    game.claimed[1] = []
    game.ruleset["points"] = [0, 0, 2, *[0] * 15]
    game.apply(claim(0, (2, "r4 r4")))  # reveals the last card
    game.apply(claim(1, (3, "y2 y2")))  # reaches the points
    assert reason(game) == "last_card"


# R22, R27: the final round ---------------------------------------------------------------------


def test_r22_the_round_is_played_out_to_the_player_before_the_starting_one() -> None:
    hands = ["r4 r4 r2", "y2 y3", "g2 g3"]
    for first, seat, more in ((0, 0, [1, 2]), (0, 1, [2]), (0, 2, []), (1, 0, []), (1, 2, [0])):
        order = [hands[(n - seat) % 3] for n in range(3)]
        rules = {"seats": 3, "first": first, "thresholds": [2, 2, 2]}
        game = new_game(LONE, order, [2, 13], [3, 4, 5, 6], **rules)
        game.to_move = seat
        game.apply(claim(seat, (2, "r4 r4")))
        for other in more:
            assert game.outcome is None
            assert game.to_move == other
            game.apply(game.legal_pushes()[0])
        assert reason(game) == "points"
        assert game.outcome is not None
        assert game.outcome["turns"] == 1 + len(more)


def test_r22_the_last_card_shown_to_the_starting_player_starts_a_whole_round() -> None:
    game = new_game(LONE, ["g2 g3 g4", "r4 r4 r2"], [2, 13, 14, 15], [5])
    game.to_move = 1
    game.apply(claim(1, (2, "r4 r4")))
    assert (game.to_move, game.trigger, game.outcome) == (0, "last_card", None)
    game.apply(push(0, "left", 4, "g2"))
    assert game.outcome is None
    game.apply(push(1, "left", 0, "r2"))
    assert reason(game) == "last_card"


def test_r22_nothing_is_refilled_after_the_last_turn() -> None:
    game = new_game(LONE, ["g2 g3", "r4 r4 r2"], [2, 13, 14, 15], [5], thresholds=[2, 2, 2])
    game.to_move = 1
    game.apply(claim(1, (2, "r4 r4")))
    assert reason(game) == "points"
    assert (game.face_up, game.deck) == ([13, 14, 15], [5])


def test_r27_nothing_is_refilled_for_an_inactive_seat() -> None:
    game = new_game(LONE, ["r4 r4 r2", "*3", "g2"], [2, 13, 14, 15], [5], seats=3)
    game.apply(claim(0, (2, "r4 r4")))
    # Seat 1 turns out inactive; the refill is seat 2's.
    assert (game.to_move, game.face_up) == (2, [13, 14, 15, 5])
    game = new_game(LONE, ["r4 r4", "*3", ""], [2, 13, 14, 15], [5, 6], seats=3)
    game.apply(claim(0, (2, "r4 r4")))
    assert reason(game) == "stalled"
    assert (game.face_up, game.deck) == ([13, 14, 15], [5, 6])


def test_r27_the_round_ends_at_the_starting_seat_active_or_not() -> None:
    game = new_game(LONE, ["*3", "r4 r4 r2", "g2 g3"], [2, 13], [3, 4, 5, 6], seats=3)
    game.ruleset["thresholds"] = [2, 2, 2]
    game.to_move, game.inactive = 1, [True, False, False]
    game.apply(claim(1, (2, "r4 r4")))
    game.apply(push(2, "left", 4, "g2"))
    assert reason(game) == "points"
    assert game.turn == 2


def test_r27_some_pass_and_the_rest_turn_out_inactive() -> None:
    game = stuck_game(["r5", "r6", "*1"])
    game.apply(pass_(0))
    assert game.outcome is None
    game.apply(pass_(1))
    assert reason(game) == "stalled"
    assert game.inactive == [False, False, True]
    assert game.position()["to_move"] == 1


def test_r27_a_stall_ends_the_final_round_too_and_keeps_the_first_reason() -> None:
    game = stuck_game(["r5", "r6", "r6", "*1"], first=3)
    game.to_move, game.trigger = 0, "colour_gone"
    game.inactive[3] = True
    game.apply(pass_(0))
    game.apply(pass_(1))
    assert game.outcome is None
    game.apply(pass_(2))
    assert reason(game) == "colour_gone"
    game = stuck_game(["r5", "r6", "*1", "*1"], first=3)
    game.to_move, game.trigger = 0, "last_card"
    game.apply(pass_(0))
    game.apply(pass_(1))
    # Seat 2 is found inactive, then the round is over before seat 3 is looked at.
    assert reason(game) == "last_card"
    assert game.inactive == [False, False, True, False]


# R23: scores; R28: the limit -------------------------------------------------------------------


def test_r23_one_point_less_for_each_tile_and_ties_share() -> None:
    game = new_game(LONE, ["r4", "*1 y2 y3", "g4 g5"], [13], seats=3, max_turns=1)
    game.claimed = [[2], [6], [3]]  # 2, 4 and 2 points
    game.apply(push(0, "left", 0, "r4"))
    assert game.outcome == {
        "returns": [0.5, 0.5, 0.0],
        "scores": [1, 1, 0],
        "reason": "unfinished",
        "turns": 1,
    }


def test_r23_scores_may_be_negative_and_three_may_share() -> None:
    game = new_game(LONE, ["r4", "y2", "g4"], [13], seats=3, max_turns=1)
    game.apply(push(0, "left", 0, "r4"))
    assert game.outcome is not None
    assert game.outcome["scores"] == [-1, -1, -1]
    assert game.outcome["returns"] == [1 / 3] * 3


def test_r28_the_limit_of_turns() -> None:
    game = new_game(LONE, ["r4", "y2"], [13], max_turns=2)
    game.apply(push(0, "left", 0, "r4"))
    assert game.outcome is None
    # Yellow 6 came into seat 0's hand; yellow 2 may go in at the top of the middle column.
    game.apply(push(1, "top", 2, "y2"))
    assert reason(game) == "unfinished"
    assert game.turn == 2


def test_r28_a_trigger_before_the_limit_stays_the_reason() -> None:
    game = new_game(LONE, ["r4 r4 r2", "y2 y3", "g2"], [2, 13], [3, 4, 5, 6], seats=3, max_turns=2)
    game.ruleset["thresholds"] = [2, 2, 2]
    game.apply(claim(0, (2, "r4 r4")))
    game.apply(game.legal_pushes()[0])
    assert reason(game) == "points"
    assert game.turn == 2


def test_nothing_is_legal_after_the_end() -> None:
    game = new_game(LONE, ["r4 r5", "y2"], [13], max_turns=1)
    game.apply(push(0, "left", 0, "r4"))
    assert game.legal_steps() == game.legal_pushes() == game.legal_single_claims() == []
    refused(game, push(1, "left", 0, "y2"), "R20")
    with pytest.raises(ValueError, match="^R20:"):
        game.random_step(random.Random(1))


def test_only_the_seat_to_move_moves() -> None:
    game = new_game(LONE, ["r4 r5", "y2"], [13])
    refused(game, push(1, "right", 0, "y2"), "R27")
    refused(game, {"action": "pass"}, "R27")
    refused(game, {"seat": 0, "action": "skip"}, "R11")


# Whole games -----------------------------------------------------------------------------------


def total(game: NaiveLuminaSpell) -> Counter[Tile]:
    return sum(game.hands, Counter(game.board.values())) + game.spent


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", CHANGES)
def test_random_games_keep_every_tile_and_card(name: str, seats: int) -> None:
    values = ruleset(name).values
    for number in range(1 if name in ("largest", "tall_numbers") else 3):
        rng = random.Random(f"{name} {seats} {number}")
        game = NaiveLuminaSpell(values, seats, deal(values, seats, rng))
        everything = total(game)
        assert everything.total() == values["side"] ** 2 + seats
        paid = 0
        while game.outcome is None:
            step = game.random_step(rng)
            assert game.step_error(step) is None
            before = len(game.board)
            game.apply(step)
            if step["action"] == "push":
                assert len(game.board) == before + 1 - step["take"]
            if step["action"] == "claim":
                paid += sum(len(c["tiles"]) for c in step["cards"])
            assert total(game) == everything
            assert game.spent.total() == paid
            cards = itertools.chain(game.face_up, game.deck, *game.claimed)
            assert sorted(cards) == values["deck"]
            assert len(game.face_up) <= 4
            assert game.starting == [
                tile if game.turns_taken[seat] == 0 else None
                for seat, tile in enumerate(game.starting)
            ]
        check_outcome(game)


def check_outcome(game: NaiveLuminaSpell) -> None:
    position = game.position()
    outcome = position["outcome"]
    points = [sum(game.ruleset["points"][c - 1] for c in cards) for cards in position["claimed"]]
    held = [len(entry["tiles"]) for entry in position["hands"]]
    scores = [p - h for p, h in zip(points, held, strict=True)]
    assert (position["points"], outcome["scores"]) == (points, scores)
    best = [score == max(scores) for score in scores]
    assert outcome["returns"] == [won / sum(best) for won in best]
    assert outcome["turns"] == position["turn"] <= game.ruleset["max_turns"]


def test_listed_steps_are_legal_and_random_steps_are_among_them() -> None:
    values = ruleset("small").values
    rng = random.Random(8)
    claims = 0
    for _ in range(3):
        game = NaiveLuminaSpell(values, 3, deal(values, 3, rng))
        while game.outcome is None:
            steps = game.legal_steps()
            assert all(
                game.step_error(step) is None for step in rng.sample(steps, min(9, len(steps)))
            )
            keys = {repr(ordered(step)) for step in steps}
            assert len(keys) == len(steps)
            step = game.random_step(rng)
            assert repr(ordered(step)) in keys
            claims += step["action"] == "claim"
            game.apply(step)
    assert claims > 0


def ordered(step: dict[str, Any]) -> dict[str, Any]:
    """A step with its claims in the order in which `claim_turns` lists them."""
    if step["action"] != "claim":
        return step
    by_number = sorted(
        step["cards"], key=lambda c: (c["card"], [tile_order(t) for t in c["tiles"]])
    )
    return step | {"cards": by_number}


def test_games_replay_from_their_steps() -> None:
    values = ruleset("standard").values
    setup = deal(values, 4, random.Random(5))
    game = NaiveLuminaSpell(values, 4, copy.deepcopy(setup))
    steps = game.play_out(random.Random(6))
    again = NaiveLuminaSpell(values, 4, setup)
    for step in steps:
        again.apply(step)
    assert again.position() == game.position()
    assert len(steps) == game.turn


def met_in(game: NaiveLuminaSpell, steps: list[dict[str, Any]]) -> set[str]:
    claims = [step["cards"] for step in steps if step["action"] == "claim"]
    paid = [tile for cards in claims for card in cards for tile in card["tiles"]]
    found = {step["action"] for step in steps} | {reason(game)}
    found |= {"inactive"} if any(game.inactive) else set()
    found |= {"rainbow paid"} if any(colour == "rainbow" for colour, _ in paid) else set()
    return found | ({"four claims"} if any(len(cards) == 4 for cards in claims) else set())


@pytest.mark.parametrize("what", RARE)
def test_small_rulesets_meet_the_rare_rules(what: str) -> None:
    name, seats = RARE[what]
    values = ruleset(name).values
    met: set[str] = set()
    for number in range(200):
        rng = random.Random(number)
        game = NaiveLuminaSpell(values, seats, deal(values, seats, rng))
        met |= met_in(game, game.play_out(rng))
        if what in met:
            break
    assert what in met


def test_colours_are_in_a_fixed_order() -> None:
    assert COLOURS == ("red", "yellow", "green", "blue", "violet", "orange")
    assert sorted(tiles("*1 b1 g9 r2 r1"), key=tile_order) == tiles("r1 r2 g9 b1 *1")
