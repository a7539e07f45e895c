"""The engine of the Stone Guardians against situations worked out by hand, ruling by ruling."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from rules_check import chi_square
from stone_table import (
    ALWAYS_HIT,
    AWAY,
    CITY,
    HOME,
    LANDING,
    NEAR,
    REFUGES,
    SEA,
    SYMBOL,
    TARGET,
    Table,
    situation,
)

from lumis_fast.games.stone_guardians import SPELLS, SYMBOLS

RHUAM = [(4, -1), (3, 0), (3, 1), (4, -2), (4, 0), (5, -2), (5, -1)]
LUTAO = [(0, 0), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1), (2, -1), (-1, 2)]
SHIP = (HOME, SEA)


def spells(table: Table, people: int, **counts: int) -> None:
    """Give a people spells from the deck."""
    for name, count in counts.items():
        table.state["spells"][people, SPELLS.index(name)] += count
        table.state["spell_deck"][SPELLS.index(name)] -= count
        table.state["spell_count"][people] += count


# Set-up and setting phase ---------------------------------------------------------------------


@pytest.mark.parametrize("seats, armies", [(2, 75), (3, 50), (4, 38)])
def test_at_the_start_there_are_armies_a_marker_and_no_more(seats, armies):
    table = Table(seats)
    assert table.stage == "setting" and table.of("order") == table.state["people"]
    for people in range(seats):
        placed = bin(table.of("owned", people)).count("1")
        assert placed + table.of("to_place", people) + table.of("supply", people) == armies
        assert placed + table.of("to_place", people) == 84 // seats
        assert [table.of(name, people) for name in ("markers", "ship_stock", "sticks")] == [1, 0, 0]
        assert table.of("spell_count", people) == 0
    bonus = [table.of("to_place", p) for p in table.state["order"][:seats]]
    assert bonus == sorted(bonus, reverse=True) and sum(bonus) == 32


def setting(armies: int = 0, markers: int = 0, ships: int = 0) -> Table:
    """The first people, which has HOME and its refuge, has things to place."""
    table = situation({HOME: 3})
    for name, count in (("to_place", armies), ("markers", markers), ("ship_stock", ships)):
        table.state[name][0] = count
    table.state["supply"][0] -= armies
    return table


def test_a_province_takes_armies_up_to_eight():
    table = setting(armies=9)
    table.begin("setting")
    assert table.may("place_armies", target=HOME, count=5)
    assert not table.may("place_armies", target=HOME, count=6)
    assert not table.may("place_armies", target=HOME, count=0)
    assert not table.may("place_armies", target=NEAR, count=1)
    table.do("place_armies", target=HOME, count=5)
    assert not table.may("place_armies", target=HOME, count=1)
    assert table.may("place_armies", target=REFUGES[0], count=4)
    assert not table.may("place_armies", target=REFUGES[0], count=5)


def test_armies_must_be_placed_where_there_is_room_and_return_where_there_is_none():
    table = setting(armies=13)
    supply = table.of("supply")
    table.begin("setting")
    table.do("place_armies", target=HOME, count=5)
    assert not table.may("end_setting")
    table.do("place_armies", target=REFUGES[0], count=6)
    assert table.of("to_place") == 2 and table.kinds() == {"end_setting"}
    table.do("end_setting")
    assert table.of("supply") == supply + 2 and table.of("to_place") == 0


def test_armies_without_room_return_where_the_setting_is_skipped():
    table = setting(armies=4)
    for space in (HOME, REFUGES[0]):
        table.state["armies"][table.at(space)] = 8
    supply = table.of("supply")
    table.begin("setting")
    assert table.stage == "movement" and table.of("supply") == supply + 4


def test_who_has_nothing_to_place_is_not_asked():
    table = setting(markers=1)  # HOME has no symbol
    table.state["ship_stock"][1] = 1
    table.begin("setting")
    assert (table.stage, int(table.state["to_move"])) == ("setting", 1)
    table.do("end_setting")
    assert (table.stage, int(table.state["to_move"])) == ("movement", 0)


def test_markers_and_ships_may_be_kept_back():
    table = setting(ships=1)
    table.begin("setting")
    table.do("end_setting")
    assert table.of("ship_stock") == 1 and table.stage == "movement"


def test_a_people_sets_all_before_the_next_stone():
    table = setting(armies=2, ships=1)
    table.state["ship_stock"][1] = 1
    table.begin("setting")
    table.do("place_ship", edge=SHIP)
    table.do("place_armies", target=HOME, count=1)
    table.do("place_armies", target=HOME, count=1)
    assert table.state["to_move"] == 0
    table.do("end_setting")
    assert table.state["to_move"] == 1


def test_a_marker_goes_on_the_symbol_of_an_own_province():
    table = setting(markers=1)
    table.put(0, SYMBOL, 1)
    table.put(1, (0, -3), 1)
    table.begin("setting")
    assert table.may("place_marker", target=SYMBOL)
    assert not table.may("place_marker", target=HOME)
    assert not table.may("place_marker", target=(0, -3))  # another people's symbol
    table.do("place_marker", target=SYMBOL)
    assert table.has_city(SYMBOL) and table.of("markers") == 0
    assert table.kinds() == {"end_setting"}


def test_in_a_whole_country_a_marker_goes_anywhere():
    table = setting(markers=1)
    for space in RHUAM:
        table.put(0, space, 1)
    table.begin("setting")
    assert all(table.may("place_marker", target=space) for space in RHUAM)
    table.clear((5, -2))
    assert [s for s in RHUAM if table.may("place_marker", target=s)] == [SYMBOL]


def test_a_country_takes_one_marker_even_where_it_stands_empty():
    table = setting(markers=2)
    table.put(0, SYMBOL, 1)
    table.marker((5, -1))  # nobody is there
    table.state["ship_stock"][0] = 1
    table.begin("setting")
    assert not table.may("place_marker", target=SYMBOL)


def test_lutao_takes_no_more_markers():
    table = setting(markers=1, ships=1)
    for space in LUTAO:
        table.put(0, space, 1)
    table.begin("setting")
    assert not any(table.may("place_marker", target=space) for space in LUTAO)


def test_a_ship_is_set_on_a_free_sea_edge_of_an_own_province():
    table = setting(ships=2)
    table.put(1, AWAY, 1)
    table.begin("setting")
    assert table.may("place_ship", edge=SHIP)
    assert table.may("place_ship", edge=(HOME, (3, -1)))
    assert not table.may("place_ship", edge=(AWAY, SEA))
    table.do("place_ship", edge=SHIP)
    assert table.has_ship(*SHIP) and table.of("ship_stock") == 1
    assert not table.may("place_ship", edge=SHIP)


# Movement -------------------------------------------------------------------------------------


def test_movement_goes_into_foreign_and_empty_provinces_only():
    table = situation({HOME: 5, NEAR: 1}, {TARGET: 1})
    table.movement()
    assert table.may("move", origin=HOME, target=TARGET, count=1)
    assert table.may("move", origin=HOME, target=SYMBOL, count=1)
    assert table.may("move", origin=HOME, target=AWAY, count=1)
    assert not table.may("move", origin=HOME, target=NEAR, count=1)
    assert not table.may("move", origin=HOME, target=(5, -1), count=1)  # too far
    assert not table.may("move", origin=TARGET, target=SYMBOL, count=1)  # another people's


def test_one_army_stays_and_none_is_compelled():
    table = situation({HOME: 3})
    table.movement()
    assert table.may("move", origin=HOME, target=TARGET, count=2)
    assert not table.may("move", origin=HOME, target=TARGET, count=3)
    assert not table.may("move", origin=HOME, target=TARGET, count=0)
    table.do("move", origin=HOME, target=TARGET, count=1)
    assert table.may("move", origin=HOME, target=NEAR, count=1)
    assert not table.may("move", origin=HOME, target=NEAR, count=2)
    table.do("end_movement")
    assert table.stage == "formation" and table.armies(HOME) == 2


def test_an_army_moves_once():
    table = situation({HOME: 4})
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=3)
    assert not table.may("move", origin=TARGET, target=NEAR, count=1)


def test_an_empty_province_is_conquered_at_once_with_marker_and_ships():
    table = situation({HOME: 4})
    table.marker(SYMBOL)
    table.ship(SYMBOL, (3, -1))
    table.movement()
    table.do("move", origin=HOME, target=SYMBOL, count=2)
    assert (table.owner(SYMBOL), table.armies(SYMBOL)) == (0, 2)
    assert table.has_city(SYMBOL) and table.has_ship(SYMBOL, (3, -1))
    assert table.state["contested"] == 0


def test_several_groups_enter_one_empty_province():
    table = situation({HOME: 3, NEAR: 3})
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=2)
    table.do("move", origin=NEAR, target=TARGET, count=2)
    assert (table.owner(TARGET), table.armies(TARGET)) == (0, 4)


def test_attackers_from_several_provinces_make_one_fight_without_a_limit():
    table = situation({HOME: 8, NEAR: 8}, {TARGET: 1}, **ALWAYS_HIT)
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=7)
    table.do("move", origin=NEAR, target=TARGET, count=7)
    assert (table.owner(TARGET), table.armies(TARGET), table.attackers(TARGET)) == (1, 1, 14)
    table.do("end_movement")
    # Four cards against two: three hits against one.
    table.hold_back_all()
    assert (table.owner(TARGET), table.armies(TARGET), table.attackers(TARGET)) == (0, 13, 0)
    assert table.stage == "formation"


# Ships ----------------------------------------------------------------------------------------


def afloat(*lands, sticks: int = 9, ships=(SHIP,), **changes) -> Table:
    table = situation(*lands, **changes)
    table.state["sticks"][0] = sticks
    for ship in ships:
        table.ship(*ship)
    return table


def test_a_trip_costs_the_sea_hexes_of_its_way():
    table = afloat({HOME: 5}, sticks=2)
    table.movement()
    # (2,0) alone; (2,0) (1,1); (2,0) (1,1) (0,2).
    assert table.may("sail", ship=SHIP, edge=(LANDING, SEA), count=1)
    assert table.may("sail", ship=SHIP, edge=(LANDING, (1, 1)), count=1)
    assert not table.may("sail", ship=SHIP, edge=((0, 1), (0, 2)), count=1)
    table.do("sail", ship=SHIP, edge=(AWAY, (1, 1)), count=2)
    assert table.of("sticks") == 0
    assert (table.owner(AWAY), table.armies(AWAY), table.armies(HOME)) == (0, 2, 3)
    assert table.has_ship(AWAY, (1, 1)) and not table.has_ship(*SHIP)


def test_sticks_that_are_not_used_are_kept():
    table = afloat({HOME: 5}, sticks=3)
    table.movement()
    table.do("end_movement")
    table.do("end_formation")
    assert table.of("sticks") == 3


def test_a_ship_takes_armies_and_leaves_one_behind():
    table = afloat({HOME: 3})
    table.movement()
    assert table.may("sail", ship=SHIP, edge=(AWAY, SEA), count=2)
    assert not table.may("sail", ship=SHIP, edge=(AWAY, SEA), count=3)
    assert not table.may("sail", ship=SHIP, edge=(AWAY, SEA), count=0)
    alone = afloat({HOME: 1})
    alone.movement()
    assert not alone.may("sail", ship=SHIP, edge=(AWAY, SEA), count=1)


def test_a_trip_lands_at_foreign_or_empty_provinces_only():
    table = afloat({HOME: 3, AWAY: 1}, {LANDING: 1})
    table.movement()
    assert table.may("sail", ship=SHIP, edge=(LANDING, SEA), count=1)
    assert not table.may("sail", ship=SHIP, edge=(AWAY, SEA), count=1)


def test_other_peoples_ships_and_ships_of_nobody_do_not_sail():
    table = afloat({HOME: 3}, {AWAY: 5}, ships=((AWAY, SEA), (TARGET, (3, 2))))
    table.movement()
    assert "sail" not in table.kinds()
    assert not table.may("sail", ship=(AWAY, SEA), edge=(LANDING, SEA), count=1)


def test_a_ship_at_the_landing_edge_returns_to_supply_before_the_fight():
    table = afloat({HOME: 5}, {LANDING: 2}, ships=(SHIP, (LANDING, SEA), (LANDING, (1, 1))))
    table.movement()
    table.do("sail", ship=SHIP, edge=(LANDING, SEA), count=3)
    assert table.has_ship(LANDING, SEA) and table.has_ship(LANDING, (1, 1))
    assert sum(bin(int(word)).count("1") for word in table.state["ships"]) == 2
    assert table.attackers(LANDING) == 3


def test_a_ship_makes_one_trip_in_movement_and_one_in_formation():
    table = afloat({HOME: 5, NEAR: 1})
    table.movement()
    table.do("sail", ship=SHIP, edge=(AWAY, SEA), count=3)
    # The armies that landed cannot go on, nor can the ship.
    assert not table.may("sail", ship=(AWAY, SEA), edge=(LANDING, SEA), count=1)
    table.do("end_movement")
    table.do("sail", ship=(AWAY, SEA), edge=SHIP, count=2)
    table.do("land")
    assert (table.armies(HOME), table.armies(AWAY)) == (4, 1)
    assert not table.may("sail", ship=SHIP, edge=(AWAY, SEA), count=1)


def test_a_captured_ship_sails_in_formation():
    table = afloat({HOME: 6}, {AWAY: 1}, ships=((AWAY, SEA),), **ALWAYS_HIT)
    table.movement()
    table.do("move", origin=HOME, target=AWAY, count=4)
    assert not table.may("sail", ship=(AWAY, SEA), edge=(LANDING, SEA), count=1)
    table.do("end_movement")
    table.hold_back_all()
    assert (table.owner(AWAY), table.armies(AWAY)) == (0, 3)
    table.do("sail", ship=(AWAY, SEA), edge=SHIP, count=2)
    table.do("land")
    assert table.armies(HOME) == 4 and table.has_ship(*SHIP)


# Fights ---------------------------------------------------------------------------------------


def test_the_attacker_orders_several_fights():
    table = situation({HOME: 8}, {TARGET: 1, SYMBOL: 1}, **ALWAYS_HIT)
    table.movement()
    for space in (TARGET, SYMBOL):
        table.do("move", origin=HOME, target=space, count=3)
    table.do("end_movement")
    assert table.stage == "fight_order" and table.kinds() == {"fight"}
    assert not table.may("fight", target=NEAR)
    assert table.may("fight", target=TARGET)
    table.do("fight", target=SYMBOL)
    table.hold_back_all()
    # The last one begins by itself.
    assert (table.owner(SYMBOL), table.owner(TARGET)) == (0, 0)
    assert (table.armies(SYMBOL), table.armies(TARGET)) == (2, 2)


def test_a_single_fight_begins_by_itself_and_the_attacker_holds_back_first():
    table = situation({HOME: 8}, {TARGET: 1})
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=3)
    table.do("end_movement")
    assert (table.stage, int(table.state["to_move"])) == ("attacker_holds_back", 0)
    table.do("hold_back", what=_first_card(table, 0))
    assert (table.stage, int(table.state["to_move"])) == ("defender_holds_back", 1)


def _first_card(table: Table, side: int) -> str:
    cards = int(table.state["hand"][side])
    return next(s for i, s in enumerate(SYMBOLS) if cards >> 8 * i & 255)


def test_destroyed_armies_return_to_their_own_supply():
    table = situation({HOME: 8}, {TARGET: 2}, **ALWAYS_HIT)
    before = [table.of("supply", people) for people in (0, 1)]
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=5)
    table.do("end_movement")
    table.hold_back_all()
    assert [table.of("supply", p) - before[p] for p in (0, 1)] == [2, 2]
    assert (table.owner(TARGET), table.armies(TARGET)) == (0, 3)


def test_where_all_die_the_province_is_nobodys_and_keeps_marker_and_ship():
    table = afloat({HOME: 3, SYMBOL: 3}, {TARGET: 1}, ships=((TARGET, (3, 2)),), **ALWAYS_HIT)
    table.marker(TARGET)
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=1)
    table.do("end_movement")
    table.hold_back_all()
    assert table.owner(TARGET) is None and table.armies(TARGET) == table.attackers(TARGET) == 0
    assert table.has_city(TARGET) and table.has_ship(TARGET, (3, 2))
    # The ship waits for whoever enters next.
    assert not table.may("sail", ship=(TARGET, (3, 2)), edge=SHIP, count=1)
    assert not table.may("move", origin=HOME, target=TARGET, count=1)
    table.do("end_formation")
    table.movement(1)
    assert table.owner(TARGET) is None


def test_a_province_without_armies_scores_for_nobody():
    table = situation({HOME: 3})
    table.marker(SYMBOL)
    assert _counted(table, 0) == 2  # HOME and the refuge


def test_golem_provinces_are_fought_for():
    table = situation({LANDING: 8}, **ALWAYS_HIT)
    table.movement()
    table.do("move", origin=LANDING, target=CITY, count=7)
    assert table.state["contested"] == 1 and table.owner(CITY) is None
    table.do("end_movement")
    # Three hits against three golems, which strike at the same time.
    assert table.stage == "attacker_holds_back"
    table.hold_back_all()
    assert (table.owner(CITY), table.armies(CITY), table.golems(CITY)) == (0, 4, 0)
    assert table.state["golem_supply"] == 6
    assert (int(table.state["holder"]), int(table.state["hold_since"])) == (0, 1)


def test_attackers_that_fall_to_golems_leave_them_in_place():
    table = situation({LANDING: 3}, **ALWAYS_HIT)
    table.movement()
    table.do("move", origin=LANDING, target=CITY, count=1)
    table.do("end_movement")
    table.hold_back_all()
    assert (table.owner(CITY), table.golems(CITY)) == (None, 2)
    assert table.state["golem_supply"] == 4 and table.state["holder"] == 255


def test_the_holder_of_the_city_fights_golems_too():
    table = situation({LANDING: 5})
    table.hold(0)
    table.movement()
    table.do("move", origin=LANDING, target=(0, 1), count=3)
    assert table.attackers((0, 1)) == 3 and table.golems((0, 1)) == 2


# Elimination ----------------------------------------------------------------------------------


def three(**changes) -> Table:
    """The first people attacks the last province of the second one."""
    table = situation({HOME: 8}, {TARGET: 1}, {AWAY: 3}, **(ALWAYS_HIT | changes))
    table.clear(REFUGES[1])
    return table


def test_a_people_without_a_province_is_out_and_the_stones_close_up():
    table = three()
    spells(table, 1, guard=2)
    table.state["sticks"][1] = table.state["ship_stock"][1] = table.state["markers"][1] = 3
    table.ship(TARGET, (3, 2))
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=4)
    assert table.state["alive"] == 0b111
    table.do("end_movement")
    table.hold_back_all()
    assert table.state["alive"] == 0b101 and table.state["order"].tolist()[:2] == [0, 2]
    names = ("sticks", "ship_stock", "markers", "spell_count")
    assert [table.of(name, 1) for name in names] == [0, 0, 0, 0]
    assert table.state["spell_discards"][SPELLS.index("guard")] == 2
    assert table.has_ship(TARGET, (3, 2)) and not table.state["over"]
    table.do("end_formation")
    assert (table.stage, int(table.state["to_move"])) == ("movement", 2)


def test_a_people_that_comes_later_knocks_out_an_earlier_one():
    table = three()
    table.state["order"][:3] = 1, 2, 0
    table.movement(0)
    assert table.state["stone"] == 2
    table.do("move", origin=HOME, target=TARGET, count=4)
    table.do("end_movement")
    table.hold_back_all()
    assert table.state["order"].tolist()[:2] == [2, 0] and table.state["stone"] == 1
    table.do("end_formation")
    assert sorted(table.state["order"].tolist()[:2]) == [0, 2]
    assert table.state["turn"] == 1 and table.stage == "buying"


def test_the_last_people_wins_at_once():
    table = situation({HOME: 8}, {TARGET: 1}, **ALWAYS_HIT)
    table.clear(REFUGES[1])
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=4)
    table.do("end_movement")
    table.hold_back_all()
    assert table.reason == "last_left" and table.values_of_end() == [1.0, 0.0]
    assert table.state["turn"] == 0  # the action phase did not end


def test_a_people_whose_other_province_is_under_attack_is_not_out():
    table = three()
    table.put(1, NEAR, 1)
    table.movement()
    for space in (TARGET, NEAR):
        table.do("move", origin=HOME, target=space, count=3)
    table.do("end_movement")
    table.do("fight", target=TARGET)
    while table.stage in ("attacker_holds_back", "defender_holds_back"):
        if table.state["fight"] == table.at(NEAR):
            assert table.state["alive"] == 0b111
        table.do("hold_back", what=_first_card(table, int(table.stage == "defender_holds_back")))
    assert table.state["alive"] == 0b101


def test_armies_in_every_other_stone_go_on_when_somebody_is_out():
    table = three()
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=4)
    table.do("end_movement")
    table.hold_back_all()
    table.do("end_formation")
    table.do("end_movement")
    table.do("end_formation")
    # Counting has come: a people that is out has no points and no stone.
    assert table.of("points", 1) == 0 and 1 not in table.state["order"].tolist()


# Formation ------------------------------------------------------------------------------------


def test_formation_goes_between_own_provinces_only():
    table = situation({HOME: 5, NEAR: 1}, {TARGET: 1})
    table.formation()
    assert table.may("move", origin=HOME, target=NEAR, count=4)
    assert not table.may("move", origin=HOME, target=NEAR, count=5)
    assert not table.may("move", origin=HOME, target=TARGET, count=1)
    assert not table.may("move", origin=HOME, target=SYMBOL, count=1)
    assert not table.may("move", origin=HOME, target=REFUGES[0], count=1)


def test_armies_that_moved_or_fought_move_once_more():
    table = situation({HOME: 5, NEAR: 1}, {TARGET: 1}, **ALWAYS_HIT)
    table.movement()
    table.do("move", origin=HOME, target=TARGET, count=4)
    table.do("end_movement")
    table.hold_back_all()
    assert table.armies(TARGET) == 3
    table.do("move", origin=TARGET, target=NEAR, count=2)
    assert table.armies(NEAR) == 3


def test_arrivals_stay_but_count_as_the_one_left_behind():
    table = situation({HOME: 3, NEAR: 1, TARGET: 1})
    table.formation()
    assert not table.may("move", origin=NEAR, target=TARGET, count=1)
    table.do("move", origin=HOME, target=NEAR, count=2)
    assert table.may("move", origin=NEAR, target=TARGET, count=1)
    assert not table.may("move", origin=NEAR, target=TARGET, count=2)
    table.do("move", origin=NEAR, target=TARGET, count=1)
    assert [table.armies(space) for space in (HOME, NEAR, TARGET)] == [1, 2, 2]


def test_more_than_eight_are_sent_back_at_the_end_of_formation():
    table = situation({HOME: 8, NEAR: 8})
    supply = table.of("supply")
    table.formation()
    table.do("move", origin=HOME, target=NEAR, count=6)
    assert table.armies(NEAR) == 14
    table.do("end_formation")
    assert (table.armies(NEAR), table.of("supply")) == (8, supply + 6)


def test_eight_and_less_stay():
    table = situation({HOME: 8, NEAR: 7})
    supply = table.of("supply")
    table.formation()
    table.do("move", origin=HOME, target=NEAR, count=1)
    table.do("end_formation")
    assert (table.armies(NEAR), table.of("supply")) == (8, supply)


def test_a_formation_trip_unloads_and_loads_at_own_edges():
    table = afloat({HOME: 5, AWAY: 3, LANDING: 1}, ships=(SHIP, (AWAY, SEA), (LANDING, SEA)))
    table.formation()
    assert not table.may("sail", ship=SHIP, edge=((0, 1), (1, 1)), count=1)  # golems
    assert not table.may("sail", ship=SHIP, edge=SHIP, count=1)
    table.do("sail", ship=SHIP, edge=(AWAY, SEA), count=3)
    assert table.stage == "stopover" and table.of("sticks") == 8
    assert not table.has_ship(*SHIP) and table.has_ship(AWAY, SEA)
    assert table.may("unload", count=3) and not table.may("unload", count=4)
    table.do("unload", count=2)
    assert not table.may("unload", count=1)
    # Three were there: all may come aboard, as arrivals stay.
    assert table.may("load", count=3) and not table.may("load", count=4)
    table.do("load", count=2)
    assert not table.may("load", count=1)
    assert not table.may("sail_on", edge=(AWAY, SEA)) and not table.may(
        "move", origin=HOME, target=AWAY, count=1
    )
    table.do("sail_on", edge=(LANDING, (1, 1)))
    assert table.of("sticks") == 6
    table.do("land")
    assert table.stage == "formation"
    assert [table.armies(space) for space in (HOME, AWAY, LANDING)] == [2, 3, 4]
    assert (
        table.has_ship(AWAY, SEA)
        and table.has_ship(LANDING, SEA)
        and table.has_ship(LANDING, (1, 1))
    )


def test_only_the_last_edge_of_a_trip_displaces_a_ship():
    table = afloat({HOME: 5, AWAY: 3}, ships=(SHIP, (AWAY, SEA)))
    table.formation()
    table.do("sail", ship=SHIP, edge=(AWAY, SEA), count=3)
    table.do("land")
    assert sum(bin(int(word)).count("1") for word in table.state["ships"]) == 1
    assert not table.may("sail", ship=(AWAY, SEA), edge=SHIP, count=1)  # it made its trip


def test_all_may_leave_a_ship_only_where_others_come_aboard():
    table = afloat({HOME: 5, AWAY: 1, LANDING: 1})
    table.formation()
    table.do("sail", ship=SHIP, edge=(AWAY, SEA), count=3)
    table.do("unload", count=3)
    assert table.kinds() == {"load"}
    table.do("load", count=1)
    table.do("sail_on", edge=(LANDING, SEA))
    assert table.may("unload", count=1)  # another one waits here, too
    table.do("land")
    table.do("end_formation")
    table.formation()
    table.do("move", origin=AWAY, target=HOME, count=2)
    table.do("sail", ship=(LANDING, SEA), edge=(AWAY, SEA), count=1)
    # The army of AWAY is unmoved; take it away first, by hand.
    table.state["unmoved"][table.at(AWAY)] = 0
    assert not table.may("unload", count=1)
    assert table.kinds() == {"sail_on", "land"}


def test_armies_that_arrived_are_not_loaded():
    table = afloat({HOME: 5, NEAR: 1, AWAY: 1}, ships=(SHIP,))
    table.formation()
    table.do("move", origin=HOME, target=AWAY, count=2)
    table.do("sail", ship=SHIP, edge=(AWAY, SEA), count=1)
    assert table.may("load", count=1) and not table.may("load", count=2)


def test_a_trip_cannot_go_further_than_its_sticks():
    table = afloat({HOME: 5, AWAY: 1, LANDING: 1}, sticks=2)
    table.formation()
    assert table.may("sail", ship=SHIP, edge=(AWAY, (1, 1)), count=1)
    table.do("sail", ship=SHIP, edge=(AWAY, SEA), count=2)
    assert table.may("sail_on", edge=(LANDING, SEA))
    assert not table.may("sail_on", edge=(LANDING, (1, 1)))
    table.do("sail_on", edge=(LANDING, SEA))
    assert table.of("sticks") == 0 and "sail_on" not in table.kinds()
    assert table.may("land")


# Lutao's city, artifacts, victory -------------------------------------------------------------


def check_victory(table: Table) -> None:
    table.begin("victory_check", int(table.state["people"]))


@pytest.mark.parametrize("artifacts, rounds", [(0, 3), (1, 2)])
def test_the_city_must_be_held_for_three_rounds_one_less_for_an_artifact(artifacts, rounds):
    for number in range(1, 5):
        table = situation({HOME: 3})
        table.hold(0, since=2)
        table.state["artifacts"][0] = artifacts
        table.state["round"] = 1 + number  # the `number`-th round of the hold
        check_victory(table)
        assert bool(table.state["over"]) == (number >= rounds)
        if number >= rounds:
            assert table.reason == "lutao_held" and table.values_of_end() == [1.0, 0.0]


def test_with_a_hold_of_one_round_an_artifact_does_not_make_it_none():
    table = situation({HOME: 3}, hold_rounds=1)
    table.state["artifacts"][0] = 1
    check_victory(table)
    assert not table.state["over"]


def test_the_hold_begins_with_the_conquest_of_the_empty_city():
    table = situation({LANDING: 3})
    table.clear(CITY)
    table.state["round"] = 5
    table.movement()
    table.do("move", origin=LANDING, target=CITY, count=1)
    assert (int(table.state["holder"]), int(table.state["hold_since"])) == (0, 5)


def test_whoever_takes_the_city_from_another_people_begins_its_own_hold():
    table = situation({LANDING: 8}, **ALWAYS_HIT)
    table.hold(1, armies=1, since=3)
    table.state["round"] = 4
    table.movement()
    table.do("move", origin=LANDING, target=CITY, count=4)
    assert table.state["holder"] == 1
    table.do("end_movement")
    table.hold_back_all()
    assert (int(table.state["holder"]), int(table.state["hold_since"])) == (0, 4)


def test_a_defended_city_stays_held_since_then():
    table = situation({LANDING: 3}, **ALWAYS_HIT)
    table.hold(1, armies=4, since=3)
    table.state["round"] = 4
    table.movement()
    table.do("move", origin=LANDING, target=CITY, count=1)
    table.do("end_movement")
    table.hold_back_all()
    assert table.owner(CITY) == 1 and table.armies(CITY) == 3
    assert (int(table.state["holder"]), int(table.state["hold_since"])) == (1, 3)


def test_an_emptied_city_has_no_holder():
    table = situation({LANDING: 3}, **ALWAYS_HIT)
    table.hold(1, armies=1, since=1)
    table.movement()
    table.do("move", origin=LANDING, target=CITY, count=1)
    table.do("end_movement")
    table.hold_back_all()
    assert table.owner(CITY) is None and table.state["holder"] == 255


def test_an_artifact_is_taken_by_its_own_people_with_its_province():
    artifact = {1: (0, -1), 2: (1, -1)}
    table = situation({LANDING: 5, (2, -1): 5})
    table.state["artifact_card"][:2] = 0, 1
    for space in artifact.values():
        table.clear(space)
    table.movement()
    table.do("move", origin=LANDING, target=(1, -1), count=2)
    assert table.of("artifacts", 0) == table.of("artifacts", 1) == 0  # the other people's
    table.state["artifact_card"][:2] = 1, 0
    table.clear((1, -1))
    table.movement()
    table.do("move", origin=LANDING, target=(1, -1), count=2)
    assert (table.of("artifacts", 0), table.of("artifacts", 1)) == (1, 0)


def test_an_artifact_is_taken_after_a_fight_and_kept_when_the_province_is_lost():
    table = situation({LANDING: 8}, {(2, -1): 8}, **ALWAYS_HIT)
    table.state["artifact_card"][:2] = 1, 0
    table.movement()
    table.do("move", origin=LANDING, target=(1, -1), count=7)
    table.do("end_movement")
    table.hold_back_all()
    # Two golems and three hits: one combat round, two armies lost.
    assert table.armies((1, -1)) == 5 and table.of("artifacts", 0) == 1
    table.do("end_formation")
    table.put(0, (1, -1), 1)
    table.do("move", origin=(2, -1), target=(1, -1), count=4)
    table.do("end_movement")
    table.hold_back_all()
    assert table.owner((1, -1)) == 1 and table.of("artifacts", 0) == 1
    assert table.of("artifacts", 1) == 0


# Golem actions --------------------------------------------------------------------------------


def golems(*lands, **changes) -> Table:
    """The first people holds Lutao's city and has golem actions to come."""
    table = situation(*lands, **changes)
    table.hold(0)
    return table


def begin_golems(table: Table) -> None:
    table.formation()
    table.do("end_formation")


def test_golems_attack_a_neighbour_that_another_people_has():
    table = golems({}, {LANDING: 2, (-1, 2): 1}, **ALWAYS_HIT)
    begin_golems(table)
    assert table.stage == "golems" and table.state["golem_actions"] == 1
    assert table.may("golem_attack", origin=(1, -1), target=LANDING)
    assert table.may("golem_attack", origin=(2, -1), target=LANDING)
    assert not table.may("golem_attack", origin=(-1, 0), target=LANDING)  # not beside it
    assert not table.may("golem_attack", origin=(1, -1), target=CITY)  # the own one
    assert not table.may("golem_attack", origin=(1, -1), target=(0, -1))  # golems
    assert not table.may("golem_attack", origin=LANDING, target=(1, -1))
    table.do("golem_attack", origin=(1, -1), target=LANDING)
    # Two golems against two armies, three cards: two hits each way. All die.
    assert table.golems((1, -1)) == 0 and table.state["to_move"] == 1
    table.hold_back_all()
    assert (table.owner(LANDING), table.golems(LANDING), table.armies(LANDING)) == (None, 0, 0)
    assert table.state["golem_supply"] == 5
    assert (table.stage, int(table.state["to_move"])) == ("movement", 1)  # no action is left


def test_golems_that_win_stay_and_own_nothing():
    table = golems({}, {LANDING: 1, (-1, 2): 1}, **ALWAYS_HIT)
    begin_golems(table)
    table.do("golem_attack", origin=(1, -1), target=LANDING)
    table.hold_back_all()
    assert (table.owner(LANDING), table.golems(LANDING)) == (None, 1)
    assert table.state["holder"] == 0 and table.attackers(LANDING) == 0


def test_golems_are_placed_in_an_empty_province_of_lutao():
    table = golems({}, {LANDING: 2})
    table.clear((0, 1))
    begin_golems(table)
    assert table.may("golem_place", target=(0, 1))
    assert not table.may("golem_place", target=LANDING)
    assert not table.may("golem_place", target=(1, -1))  # golems are there
    assert not table.may("golem_place", target=HOME)  # empty, but not on Lutao
    table.do("golem_place", target=(0, 1))
    assert table.golems((0, 1)) == 2 and table.state["golem_supply"] == 1


def test_of_a_single_golem_in_supply_it_is_placed_alone():
    table = golems({})
    table.clear((0, 1))
    table.state["golem_supply"] = 1
    begin_golems(table)
    table.do("golem_place", target=(0, 1))
    assert table.golems((0, 1)) == 1 and table.state["golem_supply"] == 0


def test_golem_actions_need_the_city_and_something_to_do():
    for hold, free, supply in (
        (True, True, 3),
        (True, False, 3),
        (True, True, 0),
        (False, True, 3),
    ):
        table = situation({}, {REFUGES[1]: 2})
        if hold:
            table.hold(0)
        if free:
            table.clear((0, 1))
        table.state["golem_supply"] = supply
        begin_golems(table)
        assert (table.stage == "golems") == (hold and free and supply > 0)


def test_with_three_players_there_are_two_actions_and_they_may_be_ended():
    table = golems({}, {LANDING: 2}, {(-1, 2): 2})
    table.clear((0, 1))
    begin_golems(table)
    assert table.state["golem_actions"] == 2
    table.do("golem_place", target=(0, 1))
    assert table.stage == "golems" and table.state["golem_actions"] == 1
    table.do("end_golems")
    assert (table.stage, int(table.state["to_move"])) == ("movement", 1)
    assert table.state["golem_actions"] == 0 and table.state["turn"] == 1


def test_golems_of_several_provinces_join_for_an_action_each():
    table = golems({}, {LANDING: 3}, {(-1, 2): 2}, **ALWAYS_HIT)
    begin_golems(table)
    table.do("golem_attack", origin=(1, -1), target=LANDING)
    assert table.stage == "golems" and table.kinds() == {"golem_attack", "fight"}
    assert not table.may("golem_attack", origin=(-1, 1), target=(-1, 2))  # another target
    assert not table.may("end_golems") and not table.may("fight", target=(-1, 2))
    table.do("golem_attack", origin=(0, 1), target=LANDING)
    # No action is left, so the fight begins: four golems against three hits; then none against one.
    table.hold_back_all()
    assert (table.owner(LANDING), table.golems(LANDING)) == (None, 1)
    assert table.state["golem_supply"] == 3 + 3


def test_a_golem_fight_may_begin_before_all_have_joined():
    table = golems({}, {LANDING: 1}, {(-1, 2): 1}, **ALWAYS_HIT)
    begin_golems(table)
    table.do("golem_attack", origin=(2, -1), target=LANDING)
    table.do("fight", target=LANDING)
    table.hold_back_all()
    assert (table.owner(LANDING), table.golems(LANDING)) == (None, 0)
    # One action is left, for the emptied province or the other people.
    assert table.stage == "golems" and table.state["golem_actions"] == 1
    assert table.may("golem_place", target=LANDING)
    assert table.may("golem_attack", origin=(-1, 1), target=(-1, 2))


def test_a_golem_fight_begins_at_once_where_nobody_can_join():
    table = golems({}, {(1, -2): 1}, {(-1, 2): 1}, **ALWAYS_HIT)
    table.put(2, (0, -1), 1)  # of the neighbours of (1,-2) only (1,-1) has golems now
    begin_golems(table)
    table.do("golem_attack", origin=(1, -1), target=(1, -2))
    assert table.stage == "defender_holds_back" and table.state["golem_actions"] == 1


def test_golems_can_knock_a_people_out():
    table = golems({}, {LANDING: 1}, **ALWAYS_HIT)
    table.clear(REFUGES[1])
    begin_golems(table)
    table.do("golem_attack", origin=(1, -1), target=LANDING)
    table.hold_back_all()
    assert table.reason == "last_left" and table.values_of_end() == [1.0, 0.0]


# Counting and the new order -------------------------------------------------------------------


def _counted(table: Table, people: int) -> int:
    check_victory(table)
    return table.of("points", people)


def test_a_province_counts_one_and_a_city_one_more():
    table = situation({HOME: 1, SYMBOL: 5})
    assert _counted(table, 0) == 3  # with the refuge
    table.marker(SYMBOL)
    assert _counted(table, 0) == 4


def test_a_whole_country_counts_its_bonus_and_one_more_with_a_city():
    table = situation(dict.fromkeys(RHUAM, 1))
    assert _counted(table, 0) == 1 + 7 + 4
    table.marker(HOME)
    assert _counted(table, 0) == 1 + 7 + 4 + 1 + 1
    table.put(1, (5, -2), 1)
    assert _counted(table, 0) == 1 + 6 + 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lutao_counts_its_golems_for_each_opponent(seats):
    table = situation({LANDING: 1, (2, -1): 1}, *[{}] * (seats - 1))
    assert _counted(table, 0) == 1 + (2 + 1) * (seats - 1)
    table.hold(0)
    table.state["hold_since"] = table.state["round"]
    assert _counted(table, 0) == 1 + (3 + 2 + 1) * (seats - 1) + 1


@pytest.mark.parametrize("cap, points", [(13, 12), (12, 12), (11, 11)])
def test_points_have_a_cap(cap, points):
    table = situation(dict.fromkeys(RHUAM, 1), points_cap=cap)
    assert _counted(table, 0) == points


def test_the_new_order_is_by_points():
    table = situation({HOME: 1}, {SYMBOL: 1, NEAR: 1}, {AWAY: 1, (0, 3): 1, (1, 3): 1})
    check_victory(table)
    assert [table.of("points", p) for p in range(3)] == [2, 3, 4]
    assert table.state["order"].tolist()[:3] == [2, 1, 0]
    assert (table.stage, int(table.state["to_move"])) == ("buying", 2)


def test_lots_decide_ties_evenly():
    """Two peoples have three points, two have two: four orders, each as likely."""
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in range(400):
        table = situation({HOME: 1}, {SYMBOL: 1, NEAR: 1}, {AWAY: 1}, {(1, 3): 1, (0, 3): 1})
        table.state["chance"]["key"] = seed, 77
        table.state["chance"]["used"] = 8
        check_victory(table)
        counts[tuple(table.state["order"].tolist())] += 1
    orders = [(1, 3, 0, 2), (1, 3, 2, 0), (3, 1, 0, 2), (3, 1, 2, 0)]
    assert chi_square(counts, dict.fromkeys(orders, 0.25)) > 1e-4


def test_victory_is_checked_before_counting_and_before_the_last_round_ends():
    table = situation({HOME: 1}, max_rounds=4)
    table.hold(0, since=2)
    table.state["round"], table.state["points"][:2] = 4, (7, 9)
    check_victory(table)
    assert table.reason == "lutao_held" and table.of("points") == 7


@pytest.mark.parametrize("last, over", [(5, False), (6, True)])
def test_a_long_game_ends_with_the_counting_of_its_last_round(last, over):
    table = situation({HOME: 1}, {SYMBOL: 1}, {AWAY: 1, NEAR: 1}, max_rounds=6)
    table.state["round"] = last
    check_victory(table)
    assert bool(table.state["over"]) == over
    if over:
        assert table.reason == "unfinished" and table.values_of_end() == [0.0, 0.0, 1.0]


def test_who_shares_the_most_points_shares_an_unfinished_game():
    table = situation({HOME: 1}, {SYMBOL: 1}, {}, max_rounds=6)
    table.state["round"] = 6
    check_victory(table)
    assert table.values_of_end() == [0.5, 0.5, 0.0]


def test_turns_are_action_phases_ended():
    table = situation({HOME: 1})
    table.movement()
    table.do("end_movement")
    assert table.state["turn"] == 0
    table.do("end_formation")
    assert (int(table.state["turn"]), int(table.state["to_move"])) == (1, 1)


# Spells ---------------------------------------------------------------------------------------


def acquire(table: Table, people: int = 0) -> None:
    table.state["points"][:2] = 5  # so that buying waits
    table.begin("acquisition", people)


def test_each_city_brings_a_spell():
    table = situation({SYMBOL: 1, (0, -3): 1, HOME: 1}, {(-2, -2): 1})
    for space in (SYMBOL, (0, -3), (-2, -2), (-1, 4)):
        table.marker(space)
    acquire(table)
    assert [table.of("spell_count", p) for p in (0, 1)] == [2, 1]
    assert table.state["spells"][0].sum() == 2 and table.state["spell_deck"].sum() == 57


@pytest.mark.parametrize("seats", [2, 4])
def test_lutaos_city_brings_a_spell_for_each_opponent(seats):
    table = situation({SYMBOL: 1}, *[{}] * (seats - 1))
    table.hold(0)
    table.marker(SYMBOL)
    acquire(table)
    assert table.of("spell_count") == 1 + (seats - 1)


def test_above_the_limit_spells_are_discarded_by_choice():
    table = situation({SYMBOL: 1}, {})
    table.marker(SYMBOL)
    spells(table, 0, guard=2, strength=2)
    acquire(table)
    assert table.stage == "discarding" and table.of("spell_count") == 5
    assert table.may("discard_spell", what="guard")
    absent = next(s for s in SPELLS if table.state["spells"][0, SPELLS.index(s)] == 0)
    assert not table.may("discard_spell", what=absent)
    table.do("discard_spell", what="guard")
    assert table.stage == "buying" and table.of("spell_count") == 4
    assert table.state["spell_discards"][SPELLS.index("guard")] == 1


def test_four_spells_are_not_above_the_limit():
    table = situation({HOME: 1}, {})
    spells(table, 0, guard=2, strength=2)
    acquire(table)
    assert table.stage == "buying" and table.of("spell_count") == 4


def test_the_holder_of_the_city_has_no_limit_and_has_it_again_afterwards():
    table = situation({HOME: 1}, {})
    spells(table, 0, guard=3, strength=3)
    table.hold(0)
    acquire(table)
    assert table.stage == "buying" and table.of("spell_count") == 7
    table.clear(CITY)
    table.state["holder"] = 255
    acquire(table)
    assert table.stage == "discarding"
    for _ in range(3):
        assert table.kinds() == {"discard_spell"}
        table.do(
            "discard_spell",
            what=next(s for s in ("guard", "strength") if table.may("discard_spell", what=s)),
        )
    assert table.stage == "buying" and table.of("spell_count") == 4


def test_a_people_discards_before_the_next_one_draws():
    table = situation({SYMBOL: 1}, {(0, -3): 1})
    table.marker(SYMBOL)
    table.marker((0, -3))
    spells(table, 0, guard=4)
    acquire(table)
    assert table.stage == "discarding" and table.of("spell_count", 1) == 0
    table.do("discard_spell", what="guard")
    assert table.of("spell_count", 1) == 1


def test_an_empty_spell_deck_is_made_of_its_discards():
    table = situation({SYMBOL: 1, (0, -3): 1}, {})
    table.marker(SYMBOL)
    table.marker((0, -3))
    table.state["spell_deck"][:] = 0
    table.state["spell_deck"][SPELLS.index("frenzy")] = 1
    table.state["spell_discards"][SPELLS.index("guard")] = 2
    acquire(table)
    assert table.state["spells"][0, SPELLS.index("frenzy")] == 1
    assert table.state["spells"][0, SPELLS.index("guard")] == 1
    assert table.state["spell_deck"].sum() == 1 and table.state["spell_discards"].sum() == 0


def test_where_no_spell_is_left_fewer_are_drawn():
    table = situation({SYMBOL: 1, (0, -3): 1}, {})
    table.marker(SYMBOL)
    table.marker((0, -3))
    table.state["spell_deck"][:] = 0
    table.state["spell_discards"][SPELLS.index("guard")] = 1
    acquire(table)
    assert table.of("spell_count") == 1


def test_every_spell_of_the_deck_is_as_likely():
    table = situation({SYMBOL: 1}, {})
    table.marker(SYMBOL)
    before, counts = table.state.copy(), Counter()
    for number in range(3000):
        for name in table.state.dtype.names:
            table.state[name] = before[name]
        table.state["chance"]["key"] = number, 5
        table.state["chance"]["used"] = 8
        acquire(table)
        counts[int(np.flatnonzero(table.state["spells"][0])[0])] += 1
    copies = table.rules["spell_copies"]
    assert chi_square(counts, {i: int(n) / 60 for i, n in enumerate(copies)}) > 1e-4


# Buying ---------------------------------------------------------------------------------------

ARMY_COSTS = [0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 26, 30, 34, 39, 44, 49]


def buying(points: int, second: int = 0, **changes) -> Table:
    """The first people has these points to spend, and the second one those."""
    table = situation({HOME: 1}, {}, **changes)
    table.state["points"][:2] = points, second
    table.begin("discarding", 1)  # the last stone's; buying begins with the first
    return table


@pytest.mark.parametrize("points", [2, 12, 13, 48, 49, 60])
def test_armies_cost_by_the_table(points):
    table = buying(points)
    assert table.stage == "buying"
    most = max(n for n, cost in enumerate(ARMY_COSTS) if cost <= points)
    for count in range(16):
        assert table.may("buy", what="armies", count=count) == (count <= most)
    assert not table.may("buy", what="armies", count=16)
    assert not table.may("buy", what="ships", count=0)  # not asked yet
    table.do("buy", what="armies", count=most)
    assert table.of("to_place") == most
    if table.stage == "buying":
        assert table.of("budget") == points - ARMY_COSTS[most]


def test_armies_are_limited_by_the_supply():
    table = situation({HOME: 1}, {})
    table.state["points"][0], table.state["supply"][0] = 60, 3
    table.begin("discarding", 1)
    assert table.may("buy", what="armies", count=3)
    assert not table.may("buy", what="armies", count=4)
    table.do("buy", what="armies", count=3)
    assert table.of("supply") == 0 and table.of("to_place") == 3


def test_without_armies_in_supply_markers_are_asked_for():
    table = situation({HOME: 1}, {})
    table.state["points"][0], table.state["supply"][0] = 60, 0
    table.begin("discarding", 1)
    assert table.may("buy", what="markers", count=12)
    assert not table.may("buy", what="markers", count=13)


def test_items_come_in_order_and_what_is_left_lapses():
    table = buying(22)
    table.do("buy", what="armies", count=2)
    table.do("buy", what="markers", count=1)
    table.do("buy", what="ships", count=2)
    assert table.of("budget") == 5
    table.do("buy", what="sticks", count=3)
    names = ("to_place", "markers", "ship_stock", "sticks", "budget")
    assert [table.of(name) for name in names] == [2, 1, 2, 3, 0]
    assert table.stage == "setting" and table.state["round"] == 2


def test_what_cannot_be_paid_is_not_asked():
    table = buying(1)
    assert {move["what"] for move in table.legal_moves()} == {3}  # sticks
    table = buying(4)
    table.do("buy", what="armies", count=0)
    assert table.may("buy", what="ships", count=1)  # a marker costs five
    table = buying(0)
    assert table.stage == "movement" and table.state["round"] == 2


def test_buying_goes_by_the_new_order_and_the_next_round_too():
    table = situation({HOME: 1}, {SYMBOL: 1, NEAR: 1})
    check_victory(table)
    assert table.stage == "buying" and table.state["to_move"] == 1
    table.do("buy", what="armies", count=1)
    table.do("buy", what="sticks", count=1)
    assert table.state["to_move"] == 0
    table.do("buy", what="armies", count=0)
    table.do("buy", what="sticks", count=0)
    assert (table.stage, int(table.state["to_move"])) == ("setting", 1)
    assert int(table.state["round"]) == 2


def test_ships_markers_and_sticks_are_not_limited():
    table = buying(60)
    for name in ("markers", "ship_stock", "sticks"):
        table.state[name][0] = 300
    table.do("buy", what="armies", count=0)
    table.do("buy", what="markers", count=4)
    table.do("buy", what="ships", count=5)
    table.do("buy", what="sticks", count=20)
    assert [table.of(name) for name in ("markers", "ship_stock", "sticks")] == [304, 305, 320]
