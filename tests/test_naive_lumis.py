"""The plain-Python reference of Lumis against situations worked out by hand from the rules."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from typing import Any

import pytest
from naive.lumis import COLOURS, TEAMS, NaiveLumis, Tower, deal, team_of

# Two towers on either side of each ordinary space; (0, 0) touches only (0, 1) on the grid.
LINE = ["CbCvCgC"]
OPEN = ["bbbb", "bCbb", "bb*b", "bbb."]


def make_ruleset(board: list[str], **changes: Any) -> dict[str, Any]:
    values = {
        "board": board,
        "cards_per_colour": 13,
        "opening_hand": 0,
        "hand_limit": 15,
        "supply_cards": {"yellow": [[1, 4], [3, 2]], "red": [[4, 1], [2, 3]]},
        "fire_stones": 50,
        "tower_stones": 40,
        "first_team": "yellow",
        "max_turns": 400,
        "base_towers": True,
    }
    assert set(changes) <= set(values)
    return values | changes


def new_game(board: list[str], seats: int = 2, **changes: Any) -> NaiveLumis:
    """A game whose piles are in the colours' order and whose hands are empty."""
    ruleset = make_ruleset(board, **changes)
    deck = [colour for colour in COLOURS for _ in range(ruleset["cards_per_colour"])]
    setup = {"hands": [[] for _ in range(seats)], "piles": {team: list(deck) for team in TEAMS}}
    return NaiveLumis(ruleset, seats, setup)


def hold(game: NaiveLumis, seat: int, **cards: int) -> None:
    """Move cards from the team's pile into a hand."""
    for colour, number in cards.items():
        for _ in range(number):
            game.piles[team_of(seat)].remove(colour)
        game.hands[seat][colour] += number


def discard_all(game: NaiveLumis, team: str, keep: int) -> None:
    """Move all cards of a pile but the first few to the discards."""
    game.discards[team].update(game.piles[team][keep:])
    del game.piles[team][keep:]


def place(
    game: NaiveLumis,
    team: str,
    towers: dict[tuple[int, int], int] | None = None,
    stones: list[tuple[int, int]] | None = None,
) -> None:
    """Put pieces of a team on the board, out of the supplies."""
    for space, height in (towers or {}).items():
        game.towers[space] = Tower(team, height)
        game.tower_stones -= height
        game.fire_stones[team] -= 1
    for space in stones or []:
        game.stones[space] = team
        game.fire_stones[team] -= 1


def draw(seat: int, supply: int, cards: list[str], **more: Any) -> dict[str, Any]:
    return {"seat": seat, "action": "draw", "supply": supply, "cards": cards, **more}


def give(seat: int, supply: int, cards: list[str]) -> dict[str, Any]:
    return {"seat": seat, "action": "give", "supply": supply, "cards": cards}


def tower(seat: int, space: list[int], height: int) -> dict[str, Any]:
    return {"seat": seat, "action": "tower", "space": space, "height": height}


def base(seat: int, space: list[int], card: str) -> dict[str, Any]:
    return {"seat": seat, "action": "base", "space": space, "card": card}


def connect(seat: int, *spaces: list[int]) -> dict[str, Any]:
    return {"seat": seat, "action": "connect", "spaces": list(spaces)}


def skip(seat: int) -> dict[str, Any]:
    return {"seat": seat, "action": "skip"}


def refused(game: NaiveLumis, step: dict[str, Any], ruling: str) -> None:
    """Assert that a step is refused for a ruling's sake and changes nothing."""
    before = game.position()
    with pytest.raises(ValueError, match=rf"^{ruling}:"):
        game.apply(step)
    assert game.position() == before


def of_kind(game: NaiveLumis, kind: str) -> list[dict[str, Any]]:
    return [step for step in game.legal_steps() if step["action"] == kind]


def heights(game: NaiveLumis) -> dict[tuple[int, int], int]:
    return {space: standing.height for space, standing in game.towers.items()}


# R1: what may stand where ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "space", [[1, 1], [2, 2], [3, 3], [-1, 0], [0, -1], [9, 9], [0, 2], [0, 3], [0, True], [0], 7]
)
def test_r1_no_bare_stone_but_on_an_empty_ordinary_space(space: Any) -> None:
    game = new_game(OPEN)
    hold(game, 0, light_blue=9)
    place(game, "yellow", stones=[(0, 2)])
    place(game, "red", stones=[(0, 3)])
    assert str(game.connection_error([space])).startswith("R1:")


@pytest.mark.parametrize("space", [[0, 0], [2, 2], [3, 3], [-1, 0], [0, -1], [4, 0], None])
def test_r1_no_tower_but_on_a_tower_space(space: Any) -> None:
    game = new_game(OPEN)
    hold(game, 0, cream=3, light_blue=3)
    refused(game, tower(0, space, 1), "R1")
    assert [step["space"] for step in of_kind(game, "tower")] == [[1, 1]] * 3


def test_r1_base_towers_only_on_own_base_lines_without_corners() -> None:
    game = new_game(["bbb", "bbb"], fire_stones=9)
    hold(game, 0, violet=1)
    for space in ([0, -1], [1, 3], [-1, -1], [-1, 3], [2, 3], [0, 0]):
        refused(game, base(0, space, "violet"), "R1")
    assert [step["space"] for step in of_kind(game, "base")] == [
        [-1, 0], [-1, 1], [-1, 2], [2, 0], [2, 1], [2, 2]
    ]  # fmt: skip
    game.apply(draw(0, 1, ["light_blue"]))
    hold(game, 1, violet=1)
    assert [step["space"] for step in of_kind(game, "base")] == [[0, -1], [1, -1], [0, 3], [1, 3]]


# R2: what is linked ---------------------------------------------------------------------------


def test_r2_the_six_neighbours_and_the_base_lines() -> None:
    game = new_game(["bbb", "bbb", "bbb"])
    assert sorted(game.neighbours((1, 1))) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert set(game.neighbours((-1, 2))) == {(0, 1), (0, 2), (-1, 1)}
    assert set(game.neighbours((3, 0))) == {(2, 0), (2, 1), (3, 1)}
    # The base lines of the two teams touch at this corner, which links nothing.
    assert set(game.neighbours((3, 2))) == {(2, 2), (2, 3), (3, 1)}


def test_r2_side_by_side_is_linked_and_enemies_are_not() -> None:
    game = new_game(["CCC", "CCC"])
    place(game, "yellow", {(0, 0): 1, (1, 1): 1, (0, 2): 1})
    place(game, "red", {(0, 1): 1, (1, 0): 1})
    # (0, 0) and (1, 1) lie across from each other; (1, 1) and (0, 2) touch.
    assert game.groups("yellow") == [frozenset({(0, 0)}), frozenset({(0, 2), (1, 1)})]
    assert game.groups("red") == [frozenset({(0, 1), (1, 0)})]


def test_r2_base_line_towers_side_by_side_are_linked() -> None:
    game = new_game(["bbb"])
    place(game, "yellow", {(-1, 0): 1, (-1, 1): 1, (1, 2): 1})
    assert game.groups("yellow") == [frozenset({(-1, 0), (-1, 1)}), frozenset({(1, 2)})]


def test_r2_enemy_stones_block() -> None:
    game = new_game(["CbCbC"])
    place(game, "yellow", {(0, 0): 1, (0, 2): 1})
    hold(game, 0, light_blue=1)
    assert game.has_connection()
    place(game, "red", stones=[(0, 1)])
    assert not game.has_connection()
    assert game.minimal_connections() == {}


# R3: the win ----------------------------------------------------------------------------------


def test_r3_a_connection_wins() -> None:
    game = new_game(["bbb", "bbb"])
    place(game, "yellow", {(-1, 0): 1, (2, 0): 1})
    hold(game, 0, light_blue=2)
    game.apply(connect(0, [1, 0], [0, 0]))
    assert game.outcome == {
        "returns": [1.0, 0.0], "scores": [1.0, 0.0], "reason": "connected", "turns": 1
    }  # fmt: skip
    assert game.legal_steps() == []
    assert not game.has_connection()
    assert game.minimal_connections() == {}
    assert str(game.connection_error([[0, 1]])).startswith("R3:")
    refused(game, draw(1, 2, ["light_blue"] * 2), "R3")


def test_r3_a_tower_completes_the_chain() -> None:
    game = new_game(["bCb"])
    place(game, "red", {(0, -1): 1, (0, 3): 1}, stones=[(0, 0), (0, 2)])
    game.to_move = 1
    hold(game, 1, cream=1)
    game.apply(tower(1, [0, 1], 1))
    assert game.outcome is not None
    assert (game.outcome["reason"], game.outcome["returns"]) == ("connected", [0.0, 1.0])


def test_r3_a_base_line_tower_completes_the_chain() -> None:
    game = new_game(["bCb"])
    place(game, "yellow", {(-1, 1): 1, (0, 1): 1})
    hold(game, 0, violet=2)
    game.apply(base(0, [1, 1], "violet"))
    assert game.outcome is not None
    assert game.outcome["reason"] == "connected"


def test_r3_a_takeover_completes_the_chain() -> None:
    game = new_game(["bCb"])
    place(game, "yellow", {(-1, 1): 1, (1, 1): 1})
    place(game, "red", {(0, 1): 1})
    hold(game, 0, cream=2)
    game.apply(tower(0, [0, 1], 2))
    assert game.outcome is not None
    assert game.outcome["returns"] == [1.0, 0.0]


def test_r3_the_same_base_line_twice_or_a_stone_at_the_edge_does_not_win() -> None:
    game = new_game(["bbb", "bbb"])
    place(game, "yellow", {(-1, 0): 1, (-1, 2): 1})
    hold(game, 0, light_blue=3)
    game.apply(connect(0, [0, 0], [0, 1]))
    assert game.outcome is None
    game.apply(draw(1, 2, ["light_blue"] * 2))
    place(game, "yellow", stones=[(1, 0)])
    assert not game.is_connected("yellow")
    game.apply(base(0, [2, 2], "light_blue"))
    assert game.outcome is None


# R4: legal connections ------------------------------------------------------------------------


def line_with(*columns: int) -> NaiveLumis:
    game = new_game(LINE)
    place(game, "yellow", {(0, column): 1 for column in columns})
    hold(game, 0, light_blue=3, violet=3, green=3)
    return game


def test_r4_one_pair_needs_every_stone() -> None:
    game = line_with(0, 2, 4, 6)
    assert game.connection_error([[0, 1]]) is None
    # (0, 0) and (0, 4) need both stones although (0, 2) lies between them.
    assert game.connection_error([[0, 3], [0, 1]]) is None
    assert game.connection_error([[0, 1], [0, 3], [0, 5]]) is None
    # Each stone closes something, but no pair needs both.
    assert str(game.connection_error([[0, 1], [0, 5]])).startswith("R4:")


def test_r4_nothing_closed_nothing_placed_and_twice_the_same() -> None:
    game = line_with(0, 2)
    for spaces in ([], [[0, 3]], [[0, 1], [0, 3]], [[0, 1], [0, 1]]):
        assert str(game.connection_error(spaces)).startswith("R4:")
    assert line_with(0).connection_error([[0, 1]]) is not None


def test_r4_linked_towers_cannot_be_connected_again() -> None:
    game = new_game(["CbC", "bbb"])
    place(game, "yellow", {(0, 0): 1, (0, 2): 1})
    hold(game, 0, light_blue=4)
    around = [[1, 0], [1, 1]]
    assert game.connection_error(around) is None
    place(game, "yellow", stones=[(0, 1)])
    assert str(game.connection_error(around)).startswith("R4:")
    assert game.minimal_connections() == {}


def test_r4_own_stones_and_towers_may_be_used() -> None:
    game = new_game(["CbCbC", "bbbbb"])
    place(game, "yellow", {(0, 0): 1, (0, 2): 1, (0, 4): 1}, stones=[(0, 1)])
    hold(game, 0, light_blue=5)
    # (1, 0) touches the old stone; with (1, 1) to (1, 3) beside it, it is not needed.
    assert game.connection_error([[1, 1], [1, 2], [1, 3]]) is not None
    assert game.connection_error([[1, 2], [1, 3]]) is None
    assert game.connection_error([[0, 3]]) is None


def test_r4_a_detour_is_legal_if_no_stone_can_be_left_out() -> None:
    game = new_game(["CbC", "bbb", "bbb"])
    place(game, "yellow", {(0, 0): 1, (0, 2): 1})
    hold(game, 0, light_blue=6)
    assert game.connection_error([[0, 1]]) is None
    assert game.connection_error([[1, 0], [1, 1]]) is None
    # Down to the third row and up again on the right.
    assert game.connection_error([[1, 0], [2, 0], [2, 1], [1, 2]]) is None
    assert str(game.connection_error([[1, 0], [1, 1], [2, 0]])).startswith("R4:")


# R5: what a connection costs ------------------------------------------------------------------


def test_r5_one_card_of_its_colour_for_each_stone() -> None:
    game = new_game(["CbvC"])
    place(game, "yellow", {(0, 0): 1, (0, 3): 1})
    hold(game, 0, light_blue=2, green=2, cream=2)
    assert str(game.connection_error([[0, 1], [0, 2]])).startswith("R5:")
    assert not game.has_connection()
    hold(game, 0, violet=1)
    assert game.has_connection()
    game.apply(connect(0, [0, 1], [0, 2]))
    assert game.position()["hands"][0] == {
        "size": 5,
        "cards": {"light_blue": 1, "cream": 2, "violet": 0, "green": 2},
    }
    assert game.discards["yellow"] == Counter(light_blue=1, violet=1)
    assert game.fire_stones["yellow"] == 46
    assert game.position()["teams"]["yellow"]["stones"] == [[0, 1], [0, 2]]


# R6, R7, R8: towers ---------------------------------------------------------------------------


def test_r6_a_new_tower() -> None:
    game = new_game(["CbVbG"])
    hold(game, 0, cream=3, violet=1)
    assert [(s["space"], s["height"]) for s in of_kind(game, "tower")] == [
        ([0, 0], 1), ([0, 0], 2), ([0, 0], 3), ([0, 2], 1)
    ]  # fmt: skip
    refused(game, tower(0, [0, 0], 4), "R6")
    refused(game, tower(0, [0, 0], 0), "R6")
    refused(game, tower(0, [0, 4], 1), "R6")
    refused(game, {"seat": 0, "action": "tower", "space": [0, 0]}, "R6")
    game.apply(tower(0, [0, 0], 2))
    assert game.towers == {(0, 0): Tower("yellow", 2)}
    assert (game.tower_stones, game.fire_stones["yellow"]) == (38, 49)
    assert game.hands[0] == Counter(cream=1, violet=1)
    assert game.discards["yellow"] == Counter(cream=2)


def test_r7_building_over() -> None:
    game = new_game(["CbbbG"])
    place(game, "yellow", {(0, 0): 2})
    game.to_move = 1
    hold(game, 1, cream=4, green=5)
    assert [s["height"] for s in of_kind(game, "tower") if s["space"] == [0, 0]] == [3, 4]
    refused(game, tower(1, [0, 0], 2), "R7")
    refused(game, tower(1, [0, 0], 5), "R6")
    game.apply(tower(1, [0, 0], 3))
    assert game.towers == {(0, 0): Tower("red", 3)}
    # 40 less 3 on the board; yellow has its stone back, red paid one.
    assert game.tower_stones == 37
    assert game.fire_stones == {"yellow": 50, "red": 49}
    assert game.discards == {"yellow": Counter(), "red": Counter(cream=3)}


def test_r8_own_towers_cannot_be_raised() -> None:
    game = new_game(["CbbbC"], seats=4)
    place(game, "yellow", {(0, 0): 1})
    game.to_move = 2
    hold(game, 2, cream=3)
    refused(game, tower(2, [0, 0], 2), "R8")
    assert {tuple(step["space"]) for step in of_kind(game, "tower")} == {(0, 4)}


# R9, R10: safe towers, base-line towers -------------------------------------------------------


def test_r9_a_stone_of_its_own_team_makes_a_tower_safe() -> None:
    game = new_game(["CbCCb"])
    place(game, "yellow", {(0, 0): 1, (0, 2): 1, (0, 3): 1}, stones=[(0, 1)])
    game.to_move = 1
    hold(game, 1, cream=2)
    refused(game, tower(1, [0, 0], 2), "R9")
    refused(game, tower(1, [0, 2], 2), "R9")
    # Linked through its neighbour, but no stone touches it.
    assert of_kind(game, "tower") == [tower(1, [0, 3], 2)]
    assert [t["safe"] for t in game.position()["teams"]["yellow"]["towers"]] == [True, True, False]


def test_r9_neither_neighbouring_towers_nor_enemy_stones_make_safe() -> None:
    game = new_game(["CCb"])
    place(game, "yellow", {(0, 0): 1, (0, 1): 1})
    place(game, "red", stones=[(0, 2)])
    game.to_move = 1
    hold(game, 1, cream=2)
    assert of_kind(game, "tower") == [tower(1, [0, 0], 2), tower(1, [0, 1], 2)]
    # Taken over, the second one stands beside a red stone and is safe from now on.
    game.apply(tower(1, [0, 1], 2))
    hold(game, 0, cream=3)
    refused(game, tower(0, [0, 1], 3), "R9")


def test_r10_a_base_line_tower() -> None:
    game = new_game(["bbb"])
    hold(game, 0, green=1, violet=2)
    refused(game, base(0, [-1, 0], "cream"), "R10")
    refused(game, base(0, [-1, 0], "grey"), "R10")
    assert len(of_kind(game, "base")) == 6 * 2
    game.apply(base(0, [-1, 0], "green"))
    assert game.towers == {(-1, 0): Tower("yellow", 1)}
    assert (game.tower_stones, game.fire_stones["yellow"]) == (39, 49)
    assert game.discards["yellow"] == Counter(green=1)
    hold(game, 1, green=5)
    refused(game, tower(1, [-1, 0], 2), "R1")
    refused(game, base(1, [-1, 0], "green"), "R1")
    game.apply(draw(1, 2, ["light_blue"] * 2))
    refused(game, base(0, [-1, 0], "violet"), "R10")


# R11: too few tower stones --------------------------------------------------------------------

# Row 0: towers of two teams made safe by a stone each. Row 2: towers that are not.
SHORT = ["CbCbCbC", "bbbbbbb", "GbGbGbG"]


def short_of_stones(left: int) -> NaiveLumis:
    game = new_game(SHORT)
    place(game, "yellow", {(0, 0): 3, (0, 2): 2, (2, 0): 3, (2, 2): 1}, stones=[(0, 1)])
    place(game, "red", {(0, 4): 4, (0, 6): 1, (2, 4): 2}, stones=[(0, 5)])
    game.tower_stones = left
    hold(game, 0, green=12)
    return game


def test_r11_no_cut_while_the_supply_is_enough() -> None:
    game = short_of_stones(left=3)
    before = heights(game)
    game.apply(tower(0, [2, 6], 3))
    assert heights(game) == before | {(2, 6): 3}
    assert game.tower_stones == 0


def test_r11_first_all_safe_towers_of_both_teams_are_cut_to_one() -> None:
    game = short_of_stones(left=3)
    game.apply(tower(0, [2, 6], 4))
    assert heights(game) == {
        (0, 0): 1, (0, 2): 1, (2, 0): 3, (2, 2): 1, (0, 4): 1, (0, 6): 1, (2, 4): 2, (2, 6): 4
    }  # fmt: skip
    # 3 in the supply, 2 + 1 + 3 cut off, 4 used: one was needed, all were cut.
    assert game.tower_stones == 5


def test_r11_then_every_tower_that_can_be_built_over_gives_one() -> None:
    game = short_of_stones(left=0)
    # The safe ones bring 6, the own (2, 0) and the enemy's (2, 4) one each; (2, 2) has only one.
    game.apply(tower(0, [2, 6], 7))
    assert heights(game) == {
        (0, 0): 1, (0, 2): 1, (2, 0): 2, (2, 2): 1, (0, 4): 1, (0, 6): 1, (2, 4): 1, (2, 6): 7
    }  # fmt: skip
    assert game.tower_stones == 1


def test_r11_not_even_so_enough_and_nothing_is_cut() -> None:
    game = short_of_stones(left=0)
    assert [s["height"] for s in of_kind(game, "tower") if s["space"] == [2, 6]] == list(
        range(1, 9)
    )
    refused(game, tower(0, [2, 6], 9), "R11")


def test_r11_the_tower_built_over_gives_nothing_and_keeps_its_old_height() -> None:
    game = short_of_stones(left=0)
    # The safe ones bring 6, the own (2, 0) brings 1: with the 2 that stand there, 9 and no more.
    taken = [s["height"] for s in of_kind(game, "tower") if s["space"] == [2, 4]]
    assert taken == [3, 4, 5, 6, 7, 8, 9]
    game.apply(tower(0, [2, 4], 9))
    assert game.tower_stones == 0
    assert heights(game) == {
        (0, 0): 1, (0, 2): 1, (2, 0): 2, (2, 2): 1, (0, 4): 1, (0, 6): 1, (2, 4): 9
    }  # fmt: skip


def test_r11_only_the_stones_on_top_of_the_old_ones_count() -> None:
    game = short_of_stones(left=2)
    before = heights(game)
    game.apply(tower(0, [2, 4], 4))
    assert heights(game) == before | {(2, 4): 4}
    assert game.tower_stones == 0


def test_r11_holds_for_base_line_towers_too() -> None:
    game = short_of_stones(left=0)
    game.apply(base(0, [-1, 0], "green"))
    assert game.tower_stones == 5
    assert heights(game)[(2, 0)] == 3
    bare = new_game(["bCbb"], tower_stones=1)
    place(bare, "red", {(0, 1): 1})
    hold(bare, 0, cream=3)
    refused(bare, base(0, [-1, 0], "cream"), "R11")
    assert of_kind(bare, "base") == of_kind(bare, "tower") == []


# R12: too few fire stones ---------------------------------------------------------------------


def test_r12_a_connection_needs_its_stones() -> None:
    game = new_game(LINE)
    place(game, "yellow", {(0, 0): 1, (0, 2): 1, (0, 4): 1})
    hold(game, 0, light_blue=1, violet=1)
    game.fire_stones["yellow"] = 1
    assert str(game.connection_error([[0, 1], [0, 3]])).startswith("R12:")
    pairs = {frozenset(map(min, pair)) for pair in game.minimal_connections()}
    assert pairs == {frozenset({(0, 0), (0, 2)}), frozenset({(0, 2), (0, 4)})}
    game.apply(connect(0, [0, 1]))
    assert game.outcome is not None
    assert game.outcome["reason"] == "out_of_fire_stones"
    assert game.outcome["returns"] == [0.0, 1.0]


def test_r12_two_stones_left_are_enough_to_place_one() -> None:
    game = new_game(LINE)
    hold(game, 0, cream=2)
    game.fire_stones["yellow"] = 2
    game.apply(tower(0, [0, 0], 1))
    assert game.outcome is None
    game.apply(draw(1, 2, ["light_blue"] * 2))
    game.apply(base(0, [-1, 4], "cream"))
    assert game.outcome is not None
    assert (game.outcome["reason"], game.outcome["turns"]) == ("out_of_fire_stones", 3)


def test_r12_with_the_last_stone_one_can_still_win() -> None:
    game = new_game(["b"])
    place(game, "yellow", {(-1, 0): 1, (1, 0): 1})
    hold(game, 0, light_blue=1)
    game.fire_stones["yellow"] = 1
    game.apply(connect(0, [0, 0]))
    assert game.outcome is not None
    assert game.outcome["reason"] == "connected"


def test_r12_a_losing_step_must_be_taken_if_it_is_the_only_one() -> None:
    game = new_game(["C"], hand_limit=1, seats=4)
    place(game, "yellow", {(-1, 0): 1, (1, 0): 1})
    hold(game, 0, cream=1)
    hold(game, 2, cream=1)
    place(game, "red", {(0, 0): 1})
    game.fire_stones["yellow"] = 1
    # No room to draw, to give or to build over: only a skip is left.
    assert game.legal_steps() == [skip(0)]
    del game.towers[(-1, 0)]
    assert game.legal_steps() == [base(0, [-1, 0], "cream")]
    refused(game, skip(0), "R16")
    game.apply(base(0, [-1, 0], "cream"))
    assert game.outcome is not None
    assert game.outcome["returns"] == [0.0, 1.0, 0.0, 1.0]


# R13, R14: drawing ----------------------------------------------------------------------------


def test_draw_takes_the_top_cards_and_turns_the_supply_card() -> None:
    game = new_game(["bbb"])
    game.piles["yellow"][:3] = ["light_blue", "light_blue", "light_blue"]
    assert game.legal_steps() == [
        {"seat": 0, "action": "draw", "supply": 1},
        {"seat": 0, "action": "draw", "supply": 3},
    ]
    game.apply(draw(0, 3, ["light_blue"] * 3))
    # The cards stay in their places: [3, 2] lies turned, in the second one.
    assert game.supply_cards == {"yellow": [[1, 4], [2, 3]], "red": [[4, 1], [2, 3]]}
    assert len(game.piles["yellow"]) == 49
    with pytest.raises(ValueError, match="not face up"):
        game.apply(draw(1, 3, ["light_blue"] * 3))
    game.apply(draw(1, 4, ["light_blue"] * 4))
    assert game.supply_cards["red"] == [[1, 4], [2, 3]]
    with pytest.raises(ValueError, match="not face up"):
        game.apply(draw(0, 3, ["light_blue"] * 3))


def test_r13_the_cards_must_be_the_next_ones() -> None:
    game = new_game(["bbb"])
    refused(game, draw(0, 3, ["light_blue"] * 2), "R13")
    refused(game, draw(0, 1, ["green"]), "R13")
    refused(game, {"seat": 0, "action": "draw", "supply": 1}, "R13")


def test_r13_no_shuffle_while_the_pile_is_enough() -> None:
    game = new_game(["bbb"], cards_per_colour=1)
    discard_all(game, "yellow", keep=3)
    drawn = ["light_blue", "cream", "violet"]
    refused(game, draw(0, 3, drawn, reshuffled={"after": 3, "pile": ["green"]}), "R13")
    game.apply(draw(0, 3, drawn))
    assert game.piles["yellow"] == []
    assert game.discards["yellow"] == Counter(green=1)


def test_r13_a_shuffle_in_the_middle_of_a_draw() -> None:
    game = new_game(["bbb"], cards_per_colour=1)
    discard_all(game, "yellow", keep=1)
    new_pile = ["green", "cream", "violet"]
    drawn = ["light_blue", "green", "cream"]
    good = draw(0, 3, drawn, reshuffled={"after": 1, "pile": new_pile})
    refused(game, draw(0, 3, drawn), "R13")
    refused(game, good | {"reshuffled": {"after": 0, "pile": new_pile}}, "R13")
    refused(game, good | {"reshuffled": {"after": 1, "pile": ["green", "cream"]}}, "R13")
    refused(game, good | {"reshuffled": {"after": 1, "pile": ["green", "cream", "green"]}}, "R13")
    refused(game, good | {"cards": ["light_blue", "green", "violet"]}, "R13")
    game.apply(good)
    assert game.hands[0] == Counter(light_blue=1, green=1, cream=1)
    assert game.piles["yellow"] == ["violet"]
    assert game.discards["yellow"] == Counter()


def test_r13_pile_and_discards_must_hold_enough() -> None:
    game = new_game(["bbb"], cards_per_colour=1)
    hold(game, 1, green=1)
    discard_all(game, "yellow", keep=1)
    assert [step["supply"] for step in of_kind(game, "draw")] == [1, 3]
    game.discards["yellow"]["green"] -= 1
    game.hands[0]["green"] += 1
    assert [step["supply"] for step in of_kind(game, "draw")] == [1, 3]
    game.discards["yellow"]["violet"] -= 1
    game.hands[0]["violet"] += 1
    assert [step["supply"] for step in of_kind(game, "draw")] == [1]
    refused(game, draw(0, 3, ["light_blue", "cream"]), "R13")


def test_r14_the_hand_limit_for_drawing() -> None:
    game = new_game(["bbb"])
    hold(game, 0, green=13)
    game.supply_cards["yellow"] = [[4, 1], [3, 2]]
    assert of_kind(game, "draw") == []
    refused(game, draw(0, 3, ["light_blue"] * 3), "R14")
    game.supply_cards["yellow"] = [[4, 1], [2, 3]]
    game.apply(draw(0, 2, ["light_blue"] * 2))
    assert game.hands[0].total() == 15


# R15: passing cards ---------------------------------------------------------------------------


def test_r15_the_giver_chooses_and_the_partner_gets_them() -> None:
    game = new_game(["bbb"], seats=4)
    hold(game, 0, light_blue=2, green=2)
    gifts = of_kind(game, "give")
    assert [(step["supply"], step["cards"]) for step in gifts] == [
        (1, ["light_blue"]),
        (1, ["green"]),
        (3, ["light_blue", "light_blue", "green"]),
        (3, ["light_blue", "green", "green"]),
    ]
    refused(game, give(0, 3, ["light_blue", "green"]), "R15")
    refused(game, give(0, 1, ["violet"]), "R15")
    refused(game, give(0, 3, ["green"] * 3), "R15")
    game.apply(give(0, 3, ["green", "light_blue", "green"]))
    assert game.hands[0] == Counter(light_blue=1)
    assert game.hands[2] == Counter(light_blue=1, green=2)
    assert game.supply_cards["yellow"] == [[1, 4], [2, 3]]
    assert game.discards["yellow"] == Counter()


def test_r15_too_few_cards_for_a_supply_number() -> None:
    game = new_game(["bbb"], seats=4)
    hold(game, 0, light_blue=2)
    assert [step["supply"] for step in of_kind(game, "give")] == [1]
    game.hands[0].clear()
    assert of_kind(game, "give") == []


def test_r14_the_partners_hand_limit() -> None:
    game = new_game(["bbb"], seats=4, hand_limit=6)
    hold(game, 0, light_blue=3)
    hold(game, 2, green=5)
    assert [step["supply"] for step in of_kind(game, "give")] == [1]
    refused(game, give(0, 3, ["light_blue"] * 3), "R14")
    hold(game, 2, green=1)
    assert of_kind(game, "give") == []
    refused(game, give(0, 1, ["light_blue"]), "R14")


def test_r15_seat_3_gives_to_seat_1_and_two_players_give_nothing() -> None:
    game = new_game(["bbb"], seats=4)
    game.to_move = 3
    hold(game, 3, violet=2)
    game.apply(give(3, 2, ["violet", "violet"]))
    assert [hand.total() for hand in game.hands] == [0, 2, 0, 0]
    pair = new_game(["bbb"])
    hold(pair, 0, violet=2)
    assert of_kind(pair, "give") == []
    refused(pair, give(0, 1, ["violet"]), "R15")


# R16, R17: no legal step, and very long games -------------------------------------------------


def stuck_game(**changes: Any) -> NaiveLumis:
    """Both seats hold one card, may hold no more, and every place to build on is taken."""
    game = new_game(["b"], hand_limit=1, **changes)
    for team, spaces in (("yellow", [(-1, 0), (1, 0)]), ("red", [(0, -1), (0, 1)])):
        place(game, team, {space: 1 for space in spaces})
    hold(game, 0, cream=1)
    hold(game, 1, cream=1)
    return game


def test_r16_all_skip_in_a_row() -> None:
    game = stuck_game()
    assert game.legal_steps() == [skip(0)]
    refused(game, draw(0, 1, ["light_blue"]), "R14")
    game.apply(skip(0))
    assert (game.turn, game.to_move, game.outcome) == (1, 1, None)
    game.apply(skip(1))
    assert game.outcome == {
        "returns": [0.5, 0.5], "scores": [0.5, 0.5], "reason": "stuck", "turns": 2
    }  # fmt: skip


def test_r16_no_skip_while_a_connection_is_possible() -> None:
    game = stuck_game()
    game.hands[0] = Counter(light_blue=1)
    assert game.legal_steps() == []
    assert game.has_connection()
    refused(game, skip(0), "R16")
    game.apply(connect(0, [0, 0]))
    assert game.outcome is not None
    assert game.outcome["reason"] == "connected"


def test_r16_an_action_between_the_skips_starts_the_count_again() -> None:
    game = stuck_game()
    game.hands[1] = Counter()
    game.apply(skip(0))
    game.supply_cards["red"] = [[1, 4], [2, 3]]
    game.apply(draw(1, 1, ["light_blue"]))
    assert game.skips_in_a_row == 0
    game.apply(skip(0))
    assert game.outcome is None
    game.apply(connect(1, [0, 0]))
    assert game.outcome is not None
    assert game.outcome["turns"] == 4


def test_r16_four_players_must_all_skip() -> None:
    game = stuck_game(seats=4)
    hold(game, 2, cream=1)
    hold(game, 3, cream=1)
    for seat in range(3):
        game.apply(skip(seat))
        assert game.outcome is None
    game.apply(skip(3))
    assert game.outcome is not None
    assert (game.outcome["reason"], game.outcome["returns"]) == ("stuck", [0.5] * 4)


def test_r16_the_order_of_the_ends() -> None:
    stuck = stuck_game(max_turns=2)
    stuck.apply(skip(0))
    stuck.apply(skip(1))
    assert stuck.outcome is not None
    assert stuck.outcome["reason"] == "stuck"
    out = new_game(["C"], max_turns=1)
    hold(out, 0, cream=1)
    out.fire_stones["yellow"] = 1
    out.apply(tower(0, [0, 0], 1))
    assert out.outcome is not None
    assert out.outcome["reason"] == "out_of_fire_stones"


def test_r17_the_longest_game() -> None:
    game = new_game(["bbb"], max_turns=2)
    game.apply(draw(0, 1, ["light_blue"]))
    assert game.outcome is None
    game.apply(draw(1, 2, ["light_blue"] * 2))
    assert game.outcome == {
        "returns": [0.5, 0.5], "scores": [0.5, 0.5], "reason": "unfinished", "turns": 2
    }  # fmt: skip


# R18, R19: what is shown, seats ---------------------------------------------------------------


def test_r18_the_position_shows_what_is_public_and_here_the_rest_too() -> None:
    game = new_game(["CbC"], cards_per_colour=1)
    place(game, "yellow", {(0, 2): 1, (0, 0): 2}, stones=[(0, 1)])
    place(game, "red", {(0, -1): 1})
    hold(game, 1, green=1)
    game.apply(draw(0, 1, ["light_blue"]))
    assert game.position() == {
        "game": "lumis",
        "seats": 2,
        "turn": 1,
        "to_move": 1,
        "over": False,
        "board": ["CbC"],
        "tower_stones": 36,
        "teams": {
            "yellow": {
                "stones": [[0, 1]],
                "towers": [
                    {"space": [0, 0], "height": 2, "safe": True},
                    {"space": [0, 2], "height": 1, "safe": True},
                ],
                "fire_stones": 47,
                "supply_cards": [[4, 1], [3, 2]],
                "discards": {"light_blue": 0, "cream": 0, "violet": 0, "green": 0},
                "pile": ["cream", "violet", "green"],
            },
            "red": {
                "stones": [],
                "towers": [{"space": [0, -1], "height": 1, "safe": False}],
                "fire_stones": 49,
                "supply_cards": [[4, 1], [2, 3]],
                "discards": {"light_blue": 0, "cream": 0, "violet": 0, "green": 0},
                "pile": ["light_blue", "cream", "violet"],
            },
        },
        "hands": [
            {"size": 1, "cards": {"light_blue": 1, "cream": 0, "violet": 0, "green": 0}},
            {"size": 1, "cards": {"light_blue": 0, "cream": 0, "violet": 0, "green": 1}},
        ],
        "outcome": None,
    }


@pytest.mark.parametrize(
    ("first_team", "order"), [("yellow", [0, 1, 2, 3, 0]), ("red", [1, 2, 3, 0, 1])]
)
def test_r19_the_order_of_the_seats(first_team: str, order: list[int]) -> None:
    game = new_game(["bbb"], seats=4, first_team=first_team)
    seen = []
    for _ in order:
        seen.append(game.to_move)
        supply = game.supply_cards[team_of(game.to_move)][0][0]
        wrong = draw((game.to_move + 1) % 4, supply, ["light_blue"] * supply)
        refused(game, wrong, "R19")
        game.apply(game.random_step(random.Random(1)))
    assert seen == order
    assert [team_of(seat) for seat in range(4)] == ["yellow", "red", "yellow", "red"]


def test_r19_a_team_wins_together_and_shares_all_but_the_hands() -> None:
    game = new_game(["bCb"], seats=4)
    place(game, "red", {(0, 1): 1})
    place(game, "red", {(0, -1): 1, (0, 3): 1}, stones=[(0, 0)])
    game.to_move = 3
    hold(game, 3, light_blue=1)
    game.apply(connect(3, [0, 2]))
    assert game.outcome is not None
    assert game.outcome["returns"] == [0.0, 1.0, 0.0, 1.0]
    assert game.discards["red"] == Counter(light_blue=1)


def test_setups_and_seats_that_cannot_be() -> None:
    ruleset = make_ruleset(["bbb"], opening_hand=1, cards_per_colour=1)
    good = deal(ruleset, 2, random.Random(5))
    assert [hand.total() for hand in NaiveLumis(ruleset, 2, good).hands] == [1, 1]
    with pytest.raises(ValueError, match="2 or 4 seats"):
        NaiveLumis(ruleset, 3, good)
    with pytest.raises(ValueError, match="hands"):
        NaiveLumis(ruleset, 4, good)
    with pytest.raises(ValueError, match="opening hand"):
        NaiveLumis(ruleset, 2, good | {"hands": [[], []]})
    piles = {"yellow": good["piles"]["red"] + ["green"], "red": good["piles"]["red"]}
    with pytest.raises(ValueError, match="deck"):
        NaiveLumis(ruleset, 2, good | {"piles": piles})


# Base lines that stand as towers --------------------------------------------------------------


def test_without_base_towers_the_whole_lines_stand_as_own_towers() -> None:
    game = new_game(["bbb", "bbb"], base_towers=False)
    hold(game, 0, light_blue=2, green=1)
    assert of_kind(game, "base") == []
    with pytest.raises(ValueError, match="base lines"):
        game.apply(base(0, [-1, 0], "green"))
    top = frozenset({(-1, 0), (-1, 1), (-1, 2)})
    bottom = frozenset({(2, 0), (2, 1), (2, 2)})
    assert game.minimal_connections() == {(top, bottom): {(2, 0, 0, 0)}}
    assert game.connection_error([[0, 1]]) is not None
    game.apply(connect(0, [0, 1], [1, 1]))
    assert game.outcome is not None
    assert game.outcome["reason"] == "connected"
    assert game.position()["teams"]["yellow"]["towers"] == []
    assert game.fire_stones["yellow"] == 48


# Minimal connections --------------------------------------------------------------------------


def test_minimal_connections_by_hand() -> None:
    # From (0, 0) to (0, 2): over (0, 1), violet; or over (1, 0) and (1, 1), light blue and cream.
    game = new_game(["CvC", "bcg"])
    place(game, "yellow", {(0, 0): 1, (0, 2): 1})
    pair = (frozenset({(0, 0)}), frozenset({(0, 2)}))
    hold(game, 0, light_blue=1, cream=1)
    assert game.minimal_connections() == {pair: {(1, 1, 0, 0)}}
    hold(game, 0, violet=1)
    assert game.minimal_connections() == {pair: {(1, 1, 0, 0), (0, 0, 1, 0)}}
    game.fire_stones["yellow"] = 1
    assert game.minimal_connections() == {pair: {(0, 0, 1, 0)}}


def test_minimal_connections_lead_through_other_groups() -> None:
    game = line_with(0, 2, 4)
    first, second, third = (frozenset({(0, column)}) for column in (0, 2, 4))
    assert game.minimal_connections() == {
        (first, second): {(1, 0, 0, 0)},
        (second, third): {(0, 0, 1, 0)},
        (first, third): {(1, 0, 1, 0)},
    }


def minimal_by_trying_all_sets(game: NaiveLumis) -> tuple[dict[Any, set[Any]], bool]:
    """What `minimal_connections` promises, out of every subset of the empty ordinary spaces."""
    team = team_of(game.to_move)
    grid = itertools.product(range(game.rows), range(game.columns))
    free = [space for space in grid if game.is_ordinary(space) and space not in game.stones]
    room = min(game.hands[game.to_move].total(), game.fire_stones[team], len(free))
    groups = game.groups(team)
    vectors: dict[Any, set[Any]] = {}
    any_legal = False
    for size in range(1, room + 1):
        for spaces in itertools.combinations(free, size):
            if game.connection_error(spaces) is not None:
                continue
            any_legal = True
            price = Counter(map(game.colour_of, spaces))
            vector = tuple(price[colour] for colour in COLOURS)
            after = game.groups(team, spaces)
            for pair in itertools.combinations(groups, 2):
                if any(pair[0] | pair[1] <= group for group in after):
                    vectors.setdefault(pair, set()).add(vector)
    minimal = {pair: {v for v in found if not beaten(v, found)} for pair, found in vectors.items()}
    return minimal, any_legal


def beaten(vector: Any, others: set[Any]) -> bool:
    return any(
        other != vector and all(a <= b for a, b in zip(other, vector, strict=True))
        for other in others
    )


@pytest.mark.parametrize(
    ("board", "seats", "base_towers"),
    [
        (["CbgCv", "bcvbg", "VgbcB"], 2, True),
        (["bGvc", "cb*G", "Vgcb", "bcCv"], 4, True),
        (["bvcb", "gCBv", "cbvg"], 2, False),
        (["b.cV", "CgvG", "vbcb", ".gBb"], 2, True),
    ],
)
def test_minimal_connections_equal_a_search_through_all_sets(
    board: list[str], seats: int, base_towers: bool
) -> None:
    ruleset = make_ruleset(board, opening_hand=7, fire_stones=10, base_towers=base_towers)
    met = 0
    for seed in range(60):
        rng = random.Random(seed)
        game = NaiveLumis(ruleset, seats, deal(ruleset, seats, rng))
        for _ in range(rng.randrange(14)):
            if game.outcome is None:
                game.apply(game.random_step(rng))
        if game.outcome is not None or game.hands[game.to_move].total() > 8:
            continue
        expected, any_legal = minimal_by_trying_all_sets(game)
        assert game.minimal_connections() == expected
        assert game.has_connection() is any_legal
        met += any_legal
        if met == 4:
            break
    assert met == 4


# Whole random games ---------------------------------------------------------------------------


def everything(game: NaiveLumis) -> dict[str, Any]:
    """All cards and stones there are, wherever they are."""
    counts: dict[str, Any] = {
        "tower_stones": game.tower_stones + sum(t.height for t in game.towers.values())
    }
    for team in TEAMS:
        cards = Counter(game.piles[team]) + game.discards[team]
        for seat in range(game.seats):
            if team_of(seat) == team:
                cards += game.hands[seat]
        on_board = sum(owner == team for owner in game.stones.values())
        on_towers = sum(t.team == team for t in game.towers.values())
        counts[team] = (cards, game.fire_stones[team] + on_board + on_towers)
    return counts


SMALL = ["cbGgcb", "Vcbvgc", "gb*bBc", "cGvcgv", "bcgCbv"]


@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_lost_in_random_games(seats: int) -> None:
    ruleset = make_ruleset(
        SMALL, cards_per_colour=6, opening_hand=3, fire_stones=14, tower_stones=9, max_turns=150
    )
    reasons: Counter[str] = Counter()
    cuts = reshuffles = 0
    for seed in range(25):
        rng = random.Random(seed)
        setup = deal(ruleset, seats, rng)
        game = NaiveLumis(ruleset, seats, setup)
        start = everything(game)
        assert start == {
            "tower_stones": 9,
            "yellow": (Counter(dict.fromkeys(COLOURS, 6)), 14),
            "red": (Counter(dict.fromkeys(COLOURS, 6)), 14),
        }
        steps = []
        while game.outcome is None:
            before = heights(game)
            step = game.random_step(rng)
            game.apply(step)
            steps.append(step)
            assert everything(game) == start
            assert all(hand.total() <= 15 for hand in game.hands)
            assert all(t.height >= 1 for t in game.towers.values()) and game.tower_stones >= 0
            cuts += any(game.towers[space].height < old for space, old in before.items())
            reshuffles += "reshuffled" in step
        reasons[game.outcome["reason"]] += 1
        assert game.outcome["turns"] == len(steps) == game.turn
        again = NaiveLumis(ruleset, seats, setup)
        for step in steps:
            again.apply(step)
        assert again.position() == game.position()
    # The boards are small and the stones few so that all of these are met.
    assert cuts > 0
    assert reshuffles > 0
    assert reasons["connected"] > 0
    assert reasons["out_of_fire_stones"] > 0


@pytest.mark.parametrize("seats", [2, 4])
def test_every_listed_step_can_be_played_and_random_steps_are_listed(seats: int) -> None:
    ruleset = make_ruleset(SMALL, cards_per_colour=4, opening_hand=3, fire_stones=12)
    for seed in range(2):
        rng = random.Random(seed)
        game = NaiveLumis(ruleset, seats, deal(ruleset, seats, rng))
        for _ in range(30):
            if game.outcome is not None:
                break
            listed = game.legal_steps()
            assert listed or game.has_connection()
            for step in rng.sample(listed, min(6, len(listed))):
                played = copy.deepcopy(game)
                full = played.with_chance(step, rng) if step["action"] == "draw" else step
                played.apply(full)
                assert played.turn == game.turn + 1
            step = game.random_step(rng)
            if step["action"] != "connect":
                without_chance = {
                    key: value
                    for key, value in step.items()
                    if step["action"] != "draw" or key not in ("cards", "reshuffled")
                }
                assert without_chance in listed
            game.apply(step)
        assert game.turn > 0
