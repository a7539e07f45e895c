"""The Island of the Stone Guardians in plain Python: slow, obviously right, and independent.

Written from the rulebook and the rulings (named in the comments: D, G, M and the numbers of "More
rulings"), with dicts, lists and sets of hexes and nothing clever. It plays the beginner variant
with inert peoples: no runes, no powers, and spells are drawn and held without effect. It is driven
by the steps of a game record; what chance answered stands in a step's chance keys and is checked
as possible, or it is drawn from a generator:

    game = NaiveStoneGuardians(ruleset, seats, setup)
    game.play(step)                  with the step's own `draws`, `order`, `spells`, `provinces`
    full = game.play(step, rng)      the step with what chance answered

Spaces are [q, r]. A ship's place is a pair, the province and the sea hex at its edge. A people is
named by its number, which is its seat's. `position` tells everything as plain data.

Where the rulebook and the rulings leave something open, these readings were taken:

Counting and spells
- Lutao's city brings as many spells as there are opponents instead of, not besides, the one of
  every other city. Each people draws and discards its excess before the next one draws. The limit
  is looked at for a people that draws nothing, too (M12).
- The budget of a people is set when its own buying begins, and is 0 at any other time.
- At every counting a people that is out is set to 0 points.
- The game that ends unfinished ends when the points of the last round are counted: no new order,
  no lots, no spells.
- A country's bonus takes the place of the 1 point for a whole country; its city adds 1 for the
  marker and, if the country is whole, 1 more.
Fights
- Cards drawn: min(3, armies) + 1, at most `card_limit`.
- A card held back is under the pile from that moment on: it counts in the pile, not in the hand.
- While a province is contested its defender is still named as the owner, keeps the hold of Lutao's
  city, and is not out for having no other province.
- Whoever draws no card has no entry in `draws`; whoever gets no spell has none in `spells`.
- Golems in a fight have an empty hand. Their hits strike troops anywhere.
- Ships and marker go with the province; several ships at one province all do.
Ends
- The end is found in the stage `after_fight` (last_left), `victory_check` (lutao_held) or
  `counting` (unfinished), and that is the stage from then on; people and seat are those of the
  last action phase. Other fights still open at last_left stay as they are.
- A people that is out keeps nothing: markers and ships not yet set return like sticks and spells
  (these to the discards of the spell deck).
- The turn is the number of action phases ended; one cut short by the end is not counted.
Movement and formation
- The ships that made their trip are forgotten when the movement or the formation ends.
- A formation trip may stop at another edge of the very province it left. While under way the ship
  is at no edge; it is counted as having sailed when it lands.
- What cannot be placed at a setting returns to supply also where the setting is skipped.
Strategic set-up
- Provinces are told in the order of the ruleset's map, and only those already laid. Before the
  cards are dealt there is no order of peoples.
- Cards that cannot be dealt equally are dealt so that shares differ by one at most.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Hex = tuple[int, int]
Edge = tuple[Hex, Hex]
Step = dict[str, Any]

LUTAO = "Lutao"
GOLEMS = "golems"
SYMBOLS = ("miss", "hit", "city_hit", "hero_strike", "shield")
ITEMS = ("armies", "markers", "ships", "sticks")
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
BONUS_CARDS = 32
ARMIES_COUNTED = 3
MOST_ARMIES_BOUGHT = 15
# What is in the box; more is borrowed (M5).
BOX = {"ships": 40, "sticks": 30, "markers": 12}
CHANCE = ("draws", "order", "spells", "provinces", "bonus_armies")

# D10.
SPELL_COPIES = {
    "stop_the_spell": 7,
    "strength": 5,
    "frenzy": 3,
    "great_host": 3,
    "weakness": 4,
    "guard": 4,
    "true_aim": 3,
    "heroism": 2,
    "stumble": 3,
    "turn_of_fate": 3,
    "lightning": 4,
    "rain_of_fire": 2,
    "reinforcements": 4,
    "forced_march": 2,
    "fair_wind": 2,
    "tribute": 3,
    "spell_theft": 2,
    "change_of_rank": 2,
    "new_rune": 1,
    "new_people": 1,
}

# Which actions a stage of decisions knows.
STAGE_ACTIONS = {
    "draft": ("place_country",),
    "setting": ("place_marker", "place_armies", "place_ship", "end_setting"),
    "movement": ("move", "sail", "end_movement"),
    "fight_order": ("fight",),
    "attacker_holds_back": ("hold_back",),
    "defender_holds_back": ("hold_back",),
    "formation": ("move", "sail", "end_formation"),
    "stopover": ("unload", "load", "sail_on", "land"),
    "golems": ("golem_attack", "golem_place", "fight", "end_golems"),
    "discarding": ("discard_spell",),
    "buying": ("buy",),
}


def add(a: Hex, b: Hex) -> Hex:
    """Sum of two hexes."""
    return (a[0] + b[0], a[1] + b[1])


def neighbours(space: Hex) -> list[Hex]:
    """The six hexes around a hex (D6)."""
    return [add(space, step) for step in NEIGHBOURS]


def distance(space: Hex) -> int:
    """Distance of a hex from the centre."""
    q, r = space
    return max(abs(q), abs(r), abs(q + r))


def turned(space: Hex, turns: int) -> Hex:
    """A hex turned around the centre by 60 degrees as often as told."""
    q, r = space
    for _ in range(turns):
        q, r = -r, q + r
    return (q, r)


def strikes(cards: Counter[str], against_city: bool) -> int:
    """Strikes of the cards played (32, G5, G7).

    Parameters
    ----------
    cards : Counter of str
        Symbols played.
    against_city : bool
        Whether those struck are in a city.

    Returns
    -------
    int
        Before shields.
    """
    if against_city:
        return cards["city_hit"] + cards["hero_strike"]
    return cards["hit"] + cards["city_hit"] + 2 * cards["hero_strike"]


def losses(struck: int, cards: Counter[str]) -> int:
    """Armies lost to so many strikes by who played these cards (G4, G5)."""
    return max(0, struck - cards["shield"])


def opponents_of(seats: int) -> int:
    """Opponents: players at the start but one, 1 with two players (M9)."""
    return seats - 1


def deal(ruleset: dict[str, Any], seats: int, rng: random.Random) -> dict[str, Any]:
    """Draw lots for all that is chance before the first turn.

    Parameters
    ----------
    ruleset : dict
        Effective values by the rulings' names.
    seats : int
        2 to 4.
    rng : random.Random
        Where chance comes from.

    Returns
    -------
    dict
        The record's `setup`: `provinces`, `bonus_armies`, `artifacts`, `order`; with the strategic
        set-up `countries`, `first`, `artifacts`.
    """
    artifacts = list(range(1, seats + 1))
    rng.shuffle(artifacts)
    countries = ruleset["map"]["countries"]
    if ruleset["strategic_setup"]:
        names = [country["name"] for country in countries]
        rng.shuffle(names)
        return {"countries": names, "first": rng.randrange(seats), "artifacts": artifacts}
    spaces = [_as_hex(space) for country in countries for space in country["provinces"]]
    return {**deal_provinces(spaces, seats, rng), "artifacts": artifacts}


def deal_provinces(spaces: list[Hex], seats: int, rng: random.Random) -> dict[str, Any]:
    """Deal the province and bonus cards and give out the placement stones (D4).

    Parameters
    ----------
    spaces : list of (q, r)
        Provinces of the countries.
    seats : int
        2 to 4.
    rng : random.Random
        Where chance comes from.

    Returns
    -------
    dict
        `provinces`, `bonus_armies`, `order`.
    """
    cards: list[Hex | None] = [*spaces, *[None] * BONUS_CARDS]
    rng.shuffle(cards)
    hands = [cards[people::seats] for people in range(seats)]
    bonus = [hand.count(None) for hand in hands]
    return {
        "provinces": [[list(card) for card in hand if card is not None] for hand in hands],
        "bonus_armies": bonus,
        "order": _ranked(bonus, list(range(seats)), rng),
    }


def _ranked(points: list[int], peoples: list[int], rng: random.Random) -> list[int]:
    # Most points first, lots among the tied (10).
    lots = {people: rng.random() for people in peoples}
    return sorted(peoples, key=lambda people: (-points[people], lots[people]))


@dataclass
class Province:
    """A hex of land and what is on it."""

    country: str
    symbol: bool = False
    starting_golems: int = 0
    owner: int | None = None
    armies: int = 0
    golems: int = 0
    city: bool = False
    attackers: int = 0

    @property
    def empty(self) -> bool:
        """Whether neither armies nor golems are there."""
        return self.armies == 0 and self.golems == 0


@dataclass
class People:
    """What a people has beside its armies on the map."""

    artifact_card: int
    artifact: Hex
    supply: int
    top: Counter[str]
    alive: bool = True
    to_place: int = 0
    markers: int = 1
    ships: int = 0
    sticks: int = 0
    points: int = 0
    budget: int = 0
    artifacts: set[str] = field(default_factory=set)
    # The pile is `top`, whose order nobody knows, on `under`: cards held back, the first highest.
    under: list[str] = field(default_factory=list)
    discards: Counter[str] = field(default_factory=Counter)
    spells: Counter[str] = field(default_factory=Counter)

    def pile(self) -> int:
        """Number of cards in the draw pile."""
        return self.top.total() + len(self.under)


@dataclass
class Fight:
    """A fight that has begun; sides are 0, the attacker, and 1, the defender."""

    space: Hex
    sides: tuple[int | str, int | str]
    hands: list[Counter[str]] = field(default_factory=lambda: [Counter(), Counter()])
    held_back: list[str | None] = field(default_factory=lambda: [None, None])
    golems: list[int] = field(default_factory=lambda: [0, 0])


@dataclass
class Trip:
    """A ship under way in formation."""

    place: Edge
    aboard: int
    unloaded: bool = False
    loaded: bool = False


class NaiveStoneGuardians:
    """A game of the Island of the Stone Guardians that is moved on by record steps.

    Parameters
    ----------
    ruleset : dict
        Effective values by the rulings' names.
    seats : int
        2 to 4.
    setup : dict
        `provinces`, `bonus_armies`, `artifacts` and `order` as in a record; with the strategic
        set-up `countries`, `first` and `artifacts`.

    Attributes
    ----------
    met : Counter of str
        How often each rule was met, and each action played.

    Raises
    ------
    ValueError
        If there are not 2 to 4 seats, or the set-up is not one of this ruleset.
    """

    def __init__(self, ruleset: dict[str, Any], seats: int, setup: dict[str, Any]) -> None:
        if seats not in (2, 3, 4):
            raise ValueError(f"the game has 2 to 4 seats, not {seats}")
        self.ruleset = ruleset
        self.seats = seats
        self.radius: int = ruleset["map"]["radius"]
        self.met: Counter[str] = Counter()
        self.provinces: dict[Hex, Province] = {}
        self._lay_lutao()
        self.golem_supply: int = ruleset["golem_supply"]
        self._make_peoples(setup)
        self.spell_deck: Counter[str] = Counter(_spell_copies(ruleset["spells"]))
        self.spell_discards: Counter[str] = Counter()
        self.ships: set[Edge] = set()
        self.sailed: set[Edge] = set()
        self.order: list[int] = []
        self.round = 1
        self.turn = 0
        self.stage = "draft"
        self.people = 0
        self.decider = 0
        self.holder: int | None = None
        self.hold_since: int | None = None
        self.fight: Fight | None = None
        self.trip: Trip | None = None
        self.golem_actions = 0
        self.gathering: Hex | None = None
        self.owned_before: set[Hex] = set()
        self.unmoved: dict[Hex, int] = {}
        self.waiting: list[int] = []
        self.item = 0
        self.outcome: dict[str, Any] | None = None
        self._script: dict[str, Any] | None = None
        self._rng: random.Random | None = None
        self._chance: dict[str, Any] = {}
        self._begin(setup)

    # Set-up ---------------------------------------------------------------------------------

    def _lay_lutao(self) -> None:
        # D3: golems on every province of the central island, and a marker on its city.
        spaces = [_as_hex(space) for space in self.ruleset["map"]["lutao"]]
        self.lutao_city = spaces[0]
        for space, golems in zip(spaces, self.ruleset["golems"], strict=True):
            self.provinces[space] = Province(LUTAO, starting_golems=golems, golems=golems)
        self.provinces[self.lutao_city].city = True
        self.provinces[self.lutao_city].symbol = True

    def _make_peoples(self, setup: dict[str, Any]) -> None:
        cards = list(setup["artifacts"])
        if sorted(cards) != list(range(1, self.seats + 1)):
            raise ValueError(f"the artifact cards are the lowest {self.seats}, not {cards}")
        deck = Counter({s: n for s, n in self.ruleset["combat_deck"].items() if n > 0})
        self.peoples = [
            People(
                artifact_card=card,
                artifact=_as_hex(self.ruleset["map"]["artifacts"][card - 1]["people"]),
                supply=self.ruleset["supply_armies"][self.seats - 2],
                top=Counter(deck),
            )
            for card in cards
        ]

    def _begin(self, setup: dict[str, Any]) -> None:
        countries = self.ruleset["map"]["countries"]
        if self.ruleset["strategic_setup"]:
            names = [country["name"] for country in countries]
            if sorted(setup["countries"]) != sorted(names):
                raise ValueError("7: the countries drawn are not the map's")
            if setup["first"] not in range(self.seats):
                raise ValueError(f"7: there is no seat {setup['first']}")
            self.countries_left: list[str] = list(setup["countries"])
            self.placed: dict[str, list[Hex]] = {}
            self.people = self.decider = setup["first"]
            self._lay_countries()
            return
        self.placed = {
            country["name"]: [_as_hex(space) for space in country["provinces"]]
            for country in countries
        }
        self.countries_left = []
        self._lay_countries()
        self._occupy(setup)
        self._start_round()

    def _lay_countries(self) -> None:
        # In the order of the ruleset's map, whatever the order in which they were laid.
        for space in [s for s, province in self.provinces.items() if province.country != LUTAO]:
            del self.provinces[space]
        for country in self.ruleset["map"]["countries"]:
            for number, space in enumerate(self.placed.get(country["name"], [])):
                self.provinces[space] = Province(country["name"], symbol=number == 0)
        land = set(self.provinces)
        around = [
            (q, r)
            for q in range(-self.radius, self.radius + 1)
            for r in range(-self.radius, self.radius + 1)
        ]
        # D9.
        self.sea = {space for space in around if distance(space) <= self.radius} - land
        self._sea_costs: dict[Hex, dict[Hex, int]] = {}

    def _occupy(self, setup: dict[str, Any]) -> None:
        hands = [[_as_hex(space) for space in hand] for hand in setup["provinces"]]
        bonus = list(setup["bonus_armies"])
        self._check_cards(hands, bonus)
        self._check_order(setup["order"], bonus, list(range(self.seats)))
        self.order = list(setup["order"])
        for number, people in enumerate(self.peoples):
            for space in hands[number]:
                self.provinces[space].owner = number
                self.provinces[space].armies = 1
            people.supply -= len(hands[number])
            # 6: bonus armies are placed in the first setting phase.
            people.to_place = min(bonus[number], people.supply)
            people.supply -= people.to_place

    def _check_cards(self, hands: list[list[Hex]], bonus: list[int]) -> None:
        land = [s for s, province in self.provinces.items() if province.country != LUTAO]
        if len(hands) != self.seats or len(bonus) != self.seats:
            raise ValueError(f"D4: the cards are dealt to {self.seats} peoples")
        if sorted(space for hand in hands for space in hand) != sorted(land):
            raise ValueError("D4: the province cards dealt are not the map's, each once")
        if sum(bonus) != BONUS_CARDS or min(bonus) < 0:
            raise ValueError(f"D4: there are {BONUS_CARDS} bonus cards, not {sum(bonus)}")
        sizes = [len(hand) + more for hand, more in zip(hands, bonus, strict=True)]
        if max(sizes) - min(sizes) > 1:
            raise ValueError("D4: the cards are not dealt equally")

    def _check_order(self, order: Any, points: list[int], peoples: list[int]) -> None:
        if sorted(order) != sorted(peoples):
            raise ValueError(f"10: {order} is no order of the peoples {peoples}")
        ranked = [points[people] for people in order]
        if ranked != sorted(ranked, reverse=True):
            raise ValueError(f"10: {order} is not the order of the points {points}")

    # The draft of the strategic set-up ------------------------------------------------------

    def placement(self, name: str, turn: int, anchor: Hex) -> list[Hex]:
        """Hexes of a country laid with its first province on the anchor (7).

        Parameters
        ----------
        name : str
            Its name in the ruleset's map.
        turn : int
            How often it is turned by 60 degrees.
        anchor : (q, r)
            Where its first province goes.

        Returns
        -------
        list of (q, r)
            In the map's order.
        """
        (country,) = [c for c in self.ruleset["map"]["countries"] if c["name"] == name]
        spaces = [_as_hex(space) for space in country["provinces"]]
        first = spaces[0]
        return [add(anchor, turned((q - first[0], r - first[1]), turn)) for q, r in spaces]

    def contact_error(self, spaces: list[Hex]) -> str | None:
        """Why a country cannot be laid on these hexes now (7); None if it can."""
        lutao = {space for space, province in self.provinces.items() if province.country == LUTAO}
        ring = {near for space in lutao for near in neighbours(space)} - lutao
        laid = {space for country in self.placed.values() for space in country}
        if any(distance(space) > self.radius for space in spaces):
            return f"7: the country leaves the distance of {self.radius} from the centre"
        if set(spaces) & (lutao | ring):
            return "7: the country covers Lutao or its ring of sea"
        if set(spaces) & laid:
            return "7: the country covers another one"
        if not {near for space in spaces for near in neighbours(space)} & (ring | laid):
            return "7: the country touches neither the ring of sea nor another country"
        return None

    def _country_error(self, name: Any, turn: Any, anchor: Hex | None) -> str | None:
        if name != self.countries_left[0]:
            return f"7: the country to lay is {self.countries_left[0]}, not {name}"
        if type(turn) is not int or turn not in range(6):
            return f"7: a turn is 0 to 5, not {turn}"
        if anchor is None:
            return "7: the anchor is no space"
        return self.contact_error(self.placement(name, turn, anchor))

    def _play_place_country(self, step: Step) -> None:
        name = self.countries_left.pop(0)
        self.placed[name] = self.placement(name, step["turn"], _as_hex(step["anchor"]))
        self._lay_countries()
        if self.countries_left:
            # 7: clockwise.
            self.people = self.decider = (self.people + 1) % self.seats
            return
        dealt = self._dealt_provinces()
        self._occupy(dealt)
        self._chance.update(dealt)
        self._start_round()

    def _dealt_provinces(self) -> dict[str, Any]:
        if self._script is not None:
            return {key: self._take_key(key) for key in ("provinces", "bonus_armies", "order")}
        land = [s for s, province in self.provinces.items() if province.country != LUTAO]
        return deal_provinces(land, self.seats, self._rng)

    # The map --------------------------------------------------------------------------------

    def edges_of(self, space: Hex) -> list[Edge]:
        """Places where a ship can lie at a province (14)."""
        return [(space, near) for near in neighbours(space) if near in self.sea]

    def sea_cost(self, start: Hex, end: Hex) -> int | None:
        """Movement sticks from one sea hex to another, both counted; None without a way (D9)."""
        if start not in self._sea_costs:
            costs = {start: 1}
            front = [start]
            while front:
                front = [
                    near
                    for space in front
                    for near in neighbours(space)
                    if near in self.sea and self._reach(costs, near, costs[space] + 1)
                ]
            self._sea_costs[start] = costs
        return self._sea_costs[start].get(end)

    @staticmethod
    def _reach(costs: dict[Hex, int], space: Hex, cost: int) -> bool:
        if space in costs:
            return False
        costs[space] = cost
        return True

    def own(self, people: int) -> list[Hex]:
        """Provinces of a people, in map order."""
        return [space for space, province in self.provinces.items() if province.owner == people]

    def whole_countries(self, people: int) -> list[str]:
        """Countries in which a people has an army in each province (12)."""
        return [
            name
            for name, spaces in self.placed.items()
            if all(
                self.provinces[space].owner == people and self.provinces[space].armies > 0
                for space in spaces
            )
        ]

    # Rounds and their phases ----------------------------------------------------------------

    def _alive(self) -> list[int]:
        return [people for people in self.order if self.peoples[people].alive]

    def _start_round(self) -> None:
        self.waiting = self._alive()
        self._next_setting()

    def _next_setting(self) -> None:
        # 11.
        while self.waiting:
            people = self.waiting.pop(0)
            self.people = self.decider = people
            if self._has_something_to_set(people):
                self.stage = "setting"
                return
            self._return_unplaced(people)
        self.waiting = self._alive()
        self._next_action_phase()

    def _has_something_to_set(self, people: int) -> bool:
        stock = self.peoples[people]
        own = self.own(people)
        return (
            (stock.to_place > 0 and any(self._room(space) > 0 for space in own))
            or any(self._marker_error(space) is None for space in own)
            or any(self._place_ship_error(*edge) is None for s in own for edge in self.edges_of(s))
        )

    def _return_unplaced(self, people: int) -> None:
        # M2: armies for which there is no room.
        stock = self.peoples[people]
        self.met["unplaced armies"] += stock.to_place > 0
        stock.supply += stock.to_place
        stock.to_place = 0

    def _next_action_phase(self) -> None:
        while self.waiting:
            people = self.waiting.pop(0)
            if self.peoples[people].alive:
                self._start_movement(people)
                return
        self._check_victory()

    def _start_movement(self, people: int) -> None:
        self.people = self.decider = people
        self.stage = "movement"
        self.sailed = set()
        self.landed: set[Hex] = set()
        self.owned_before = set(self.own(people))
        # 18: only armies in own provinces at the start of the step, each once.
        self.unmoved = {space: self.provinces[space].armies for space in self.owned_before}

    def _contested(self) -> list[Hex]:
        return [space for space, province in self.provinces.items() if province.attackers > 0]

    def _next_fight(self) -> None:
        contested = self._contested()
        if not contested:
            self._start_formation()
        elif len(contested) == 1:
            self._start_fight(contested[0], self.people)
        else:
            self.stage = "fight_order"
            self.decider = self.people
            self.met["fights to order"] += 1

    def _start_formation(self) -> None:
        self.stage = "formation"
        self.decider = self.people
        self.sailed = set()
        # 22: all armies may move once more, also those that moved or fought.
        self.unmoved = {space: self.provinces[space].armies for space in self.own(self.people)}

    def _start_golem_actions(self) -> None:
        self.decider = self.people
        if self.holder == self.people:
            self.golem_actions = opponents_of(self.seats)
        self._go_on_with_golems()

    def _go_on_with_golems(self) -> None:
        # 30: who loses the city loses the actions.
        actions = self.golem_actions if self.holder == self.people else 0
        if actions > 0 and (self._golem_attacks() or self._golem_places()):
            self.stage = "golems"
            self.decider = self.people
            return
        self._end_action_phase()

    def _end_action_phase(self) -> None:
        self.golem_actions = 0
        self.turn += 1
        self._next_action_phase()

    # Victory, counting and the new order ----------------------------------------------------

    def _check_victory(self) -> None:
        # M8, 15: before counting.
        self.stage = "victory_check"
        if self.holder is not None:
            held = self.round - self.hold_since + 1
            wanted = self.ruleset["hold_rounds"]
            if held >= max(1, wanted - len(self.peoples[self.holder].artifacts)):
                self.met["artifact victory"] += held < wanted
                self._finish("lutao_held", [self.holder])
                return
        self._count()

    def points_of(self, people: int) -> int:
        """Points of a people at a counting now (M7, rulebook 3)."""
        total = 0
        for space in self.own(people):
            province = self.provinces[space]
            if province.country == LUTAO:
                total += province.starting_golems * opponents_of(self.seats)
            else:
                total += 1
            total += province.city
        for name in self.whole_countries(people):
            spaces = self.placed[name]
            total += self._bonus(len(spaces))
            total += any(self.provinces[space].city for space in spaces)
            self.met["whole country"] += 1
        cap = self.ruleset["points_cap"]
        self.met["points cap"] += total > cap
        return min(total, cap)

    def _bonus(self, size: int) -> int:
        # D7; the keys are texts where the values come from a file.
        bonus = self.ruleset["country_bonus"]
        return bonus[size] if size in bonus else bonus[str(size)]

    def _count(self) -> None:
        self.stage = "counting"
        for number, people in enumerate(self.peoples):
            people.points = self.points_of(number) if people.alive else 0
        if self.round >= self.ruleset["max_rounds"]:
            # D11.
            most = max(people.points for people in self.peoples if people.alive)
            self._finish("unfinished", [p for p in self._alive() if self.peoples[p].points == most])
            return
        self._set_new_order()
        self.waiting = self._alive()
        self._next_acquisition()

    def _set_new_order(self) -> None:
        points = [people.points for people in self.peoples]
        peoples = self._alive()
        if len({points[people] for people in peoples}) < len(peoples):
            self.met["lots"] += 1
        if self._script is not None:
            order = list(self._take_key("order"))
            self._check_order(order, points, peoples)
        else:
            order = _ranked(points, peoples, self._rng)
        self.order = order
        self._chance["order"] = list(order)

    def _finish(self, reason: str, winners: list[int]) -> None:
        self.met[reason] += 1
        self.fight = None
        self.golem_actions = 0
        self.decider = self.people
        self.outcome = {
            "returns": [(p in winners) / len(winners) for p in range(self.seats)],
            "scores": [people.points for people in self.peoples],
            "reason": reason,
            "turns": self.turn,
        }

    # Spells ---------------------------------------------------------------------------------

    def spells_due(self, people: int) -> int:
        """How many spells a people draws at acquisition (rulebook 4)."""
        due = 0
        for space in self.own(people):
            if space == self.lutao_city:
                due += opponents_of(self.seats)
            else:
                due += self.provinces[space].city
        return due

    def _next_acquisition(self) -> None:
        while self.waiting:
            people = self.waiting.pop(0)
            self.people = self.decider = people
            self._draw_spells(people, self.spells_due(people))
            if self._too_many_spells(people):
                self.stage = "discarding"
                return
        self.waiting = self._alive()
        self._next_buyer()

    def _too_many_spells(self, people: int) -> bool:
        # Rulebook II, M12.
        limit = self.ruleset["spell_limit"]
        return self.holder != people and self.peoples[people].spells.total() > limit

    def _draw_spells(self, people: int, due: int) -> None:
        due = min(due, self.spell_deck.total() + self.spell_discards.total())
        if due == 0:
            return
        told = self._take_entry("spells", people)
        drawn: list[str] = []
        reshuffled = None
        while len(drawn) < due:
            if not self.spell_deck.total():
                reshuffled = len(drawn)
                self.spell_deck, self.spell_discards = self.spell_discards, Counter()
                self.met["spells reshuffled"] += 1
            drawn.append(self._take_from(self.spell_deck, told, "spells", len(drawn)))
        self.peoples[people].spells.update(drawn)
        self._note_entry("spells", people, drawn, reshuffled, told)

    def _play_discard_spell(self, step: Step) -> None:
        held = self.peoples[self.people].spells
        held[step["spell"]] -= 1
        held += Counter()
        self.spell_discards[step["spell"]] += 1
        if not self._too_many_spells(self.people):
            self._next_acquisition()

    # Buying ---------------------------------------------------------------------------------

    def _next_buyer(self) -> None:
        while self.waiting:
            self.people = self.decider = self.waiting.pop(0)
            stock = self.peoples[self.people]
            stock.budget = stock.points
            self.item = 0
            self._next_item()
            if self.item < len(ITEMS):
                self.stage = "buying"
                return
        self.round += 1
        self._start_round()

    def _next_item(self) -> None:
        # Go on to an item of which at least one piece can be had.
        while self.item < len(ITEMS) and self.most_bought(ITEMS[self.item]) == 0:
            self.item += 1
        if self.item == len(ITEMS):
            self.peoples[self.people].budget = 0

    def price(self, item: str, count: int) -> int:
        """What so many pieces cost (M6: for armies by the table)."""
        costs = self.ruleset["costs"]
        if count == 0:
            return 0
        if item == "armies":
            return costs["armies"][count - 1]
        return count * costs[item.removesuffix("s")]

    def most_bought(self, item: str) -> int:
        """How many pieces of an item the people that buys can have."""
        stock = self.peoples[self.people]
        # M5: only armies are limited.
        most = stock.budget
        if item == "armies":
            most = min(MOST_ARMIES_BOUGHT, len(self.ruleset["costs"]["armies"]), stock.supply)
        return max(n for n in range(most + 1) if self.price(item, n) <= stock.budget)

    def _play_buy(self, step: Step) -> None:
        stock = self.peoples[self.people]
        item, count = step["item"], step["count"]
        stock.budget -= self.price(item, count)
        if item == "armies":
            stock.supply -= count
            stock.to_place += count
        elif item == "markers":
            stock.markers += count
        elif item == "ships":
            stock.ships += count
        else:
            stock.sticks += count
        if count > 0:
            self.met[f"bought {item}"] += 1
            self._note_borrowing(item)
        self.item += 1
        self._next_item()
        if self.item == len(ITEMS):
            self._next_buyer()

    def _note_borrowing(self, item: str) -> None:
        # M5.
        used = {
            "ships": len(self.ships) + sum(people.ships for people in self.peoples),
            "sticks": sum(people.sticks for people in self.peoples),
            "markers": sum(people.markers for people in self.peoples)
            + sum(province.city for province in self.provinces.values()),
        }
        if item in BOX and used[item] > BOX[item]:
            self.met[f"borrowed {item}"] += 1

    # Setting --------------------------------------------------------------------------------

    def _room(self, space: Hex) -> int:
        return max(0, self.ruleset["province_limit"] - self.provinces[space].armies)

    def _marker_error(self, space: Hex | None) -> str | None:
        stock = self.peoples[self.people]
        if stock.markers < 1:
            return "13: no marker is left"
        if space not in self.provinces or self.provinces[space].owner != self.people:
            return f"12: {space} is no own province"
        province = self.provinces[space]
        if province.country == LUTAO:
            return "13: Lutao takes no more markers"
        if any(self.provinces[s].city for s in self.placed[province.country]):
            return f"13: {province.country} has its marker"
        if not province.symbol and province.country not in self.whole_countries(self.people):
            return f"12: {space} has no city symbol, and {province.country} is not whole"
        return None

    def _place_armies_error(self, space: Hex | None, count: Any) -> str | None:
        if space not in self.provinces or self.provinces[space].owner != self.people:
            return f"rulebook 1.2: {space} is no own province"
        most = min(self._room(space), self.peoples[self.people].to_place)
        return _count_error(count, most)

    def _place_ship_error(self, space: Hex | None, sea: Hex | None) -> str | None:
        if self.peoples[self.people].ships < 1:
            return "14: no ship is left"
        if space not in self.provinces or self.provinces[space].owner != self.people:
            return f"14: {space} is no own province"
        if (space, sea) not in self.edges_of(space):
            return f"14: {sea} is no sea at {space}"
        if (space, sea) in self.ships:
            return "14: a ship lies there"
        return None

    def _end_setting_error(self) -> str | None:
        # Rulebook 1: armies must be placed at once.
        rooms = [self._room(space) for space in self.own(self.people)]
        if self.peoples[self.people].to_place > 0 and any(rooms):
            return "M2: armies are left for which there is room"
        return None

    def _play_place_marker(self, step: Step) -> None:
        province = self.provinces[_as_hex(step["space"])]
        self.met["marker off the symbol"] += not province.symbol
        self.peoples[self.people].markers -= 1
        province.city = True

    def _play_place_armies(self, step: Step) -> None:
        self.peoples[self.people].to_place -= step["count"]
        self.provinces[_as_hex(step["space"])].armies += step["count"]

    def _play_place_ship(self, step: Step) -> None:
        self.peoples[self.people].ships -= 1
        self.ships.add((_as_hex(step["space"]), _as_hex(step["edge"])))

    def _play_end_setting(self) -> None:
        self._return_unplaced(self.people)
        self._next_setting()

    # Movement -------------------------------------------------------------------------------

    def _leaving(self, space: Hex) -> int:
        """How many armies may leave an own province: unmoved ones, and one stays (18)."""
        return max(0, min(self.unmoved.get(space, 0), self.provinces[space].armies - 1))

    def _is_target(self, space: Hex | None) -> bool:
        # M1, 19: foreign or empty at the start of the step; in formation own.
        if space not in self.provinces:
            return False
        if self.stage == "movement":
            return space not in self.owned_before
        return self.provinces[space].owner == self.people

    def _is_origin(self, space: Hex | None) -> bool:
        if self.stage == "movement":
            return space in self.owned_before
        return space in self.provinces and self.provinces[space].owner == self.people

    def _move_error(self, start: Hex | None, end: Hex | None, count: Any) -> str | None:
        if not self._is_origin(start):
            return f"18: {start} is no own province to move from"
        if not self._is_target(end):
            return f"M1: {end} cannot be moved to in {self.stage}"
        if end not in neighbours(start):
            return f"rulebook 2.1: {end} is not next to {start}"
        return _count_error(count, self._leaving(start))

    def _ships_to_sail(self) -> list[Edge]:
        # 23, 24: ships at own provinces with no trip in this step, and armies to go aboard.
        return sorted(
            (space, sea)
            for space, sea in self.ships
            if self._is_origin(space)
            and (space, sea) not in self.sailed
            and self._leaving(space) > 0
        )

    def _landings(self, place: Edge) -> list[Edge]:
        """Edges to which the sticks suffice from a ship's place (D9, 25, 26)."""
        return [
            edge
            for space in self.provinces
            if self._is_target(space)
            for edge in self.edges_of(space)
            if edge != place and self._sticks_suffice(place, edge)
        ]

    def _sticks_suffice(self, start: Edge, end: Edge) -> bool:
        cost = self.sea_cost(start[1], end[1])
        return cost is not None and cost <= self.peoples[self.people].sticks

    def _sail_error(self, start: Edge, end: Edge, count: Any) -> str | None:
        if start not in self.ships:
            return f"23: no ship lies at {start}"
        if not self._is_origin(start[0]):
            return f"23: {start[0]} is no own province to sail from"
        if start in self.sailed:
            return "24: this ship has made its trip"
        return self._leg_error(start, end) or _count_error(count, self._leaving(start[0]))

    def _leg_error(self, start: Edge, end: Edge) -> str | None:
        if not self._is_target(end[0]):
            return f"M1: {end[0]} cannot be sailed to in {self.stage}"
        if end not in self.edges_of(end[0]):
            return f"14: {end[1]} is no sea at {end[0]}"
        if end == start:
            return "26: the ship lies at this edge"
        if not self._sticks_suffice(start, end):
            return "D9: the sticks do not suffice"
        return None

    def _play_move(self, step: Step) -> None:
        start, end, count = _as_hex(step["from"]), _as_hex(step["to"]), step["count"]
        self._leave(start, count)
        if self.stage == "movement":
            self._arrive(end, count)
        else:
            # 22: arrivals do not move on.
            self.provinces[end].armies += count

    def _leave(self, space: Hex, count: int) -> None:
        self.provinces[space].armies -= count
        self.unmoved[space] -= count

    def _arrive(self, space: Hex, count: int) -> None:
        province = self.provinces[space]
        if province.owner == self.people:
            # 19: conquered by another group in this step.
            province.armies += count
            self.met["entered again"] += 1
        elif province.empty:
            self.met["empty province entered"] += 1
            self._conquer(space, count)
        else:
            self.met["joined attack"] += province.attackers > 0
            province.attackers += count

    def _conquer(self, space: Hex, armies: int) -> None:
        # 20, 23: the marker and the ships go with the province.
        province, people = self.provinces[space], self.peoples[self.people]
        province.owner, province.armies, province.golems = self.people, armies, 0
        if space == self.lutao_city:
            # 15: also on retaking it in the same round.
            self.holder, self.hold_since = self.people, self.round
            self.met["Lutao's city taken"] += 1
        if space == people.artifact and not people.artifacts:
            people.artifacts.add("people")
            self.met["artifact taken"] += 1

    def _play_sail(self, step: Step) -> None:
        start = (_as_hex(step["from"]), _as_hex(step["ship"]))
        end = (_as_hex(step["to"]), _as_hex(step["edge"]))
        self._leave(start[0], step["count"])
        self._pay_leg(start, end)
        self.ships.remove(start)
        if self.stage == "formation":
            self.trip = Trip(end, step["count"])
            self.stage = "stopover"
            self.met["formation trip"] += 1
            return
        self._put_ship(end)
        self.landed.add(end[0])
        self._arrive(end[0], step["count"])

    def _pay_leg(self, start: Edge, end: Edge) -> None:
        # M4.
        self.peoples[self.people].sticks -= self.sea_cost(start[1], end[1])

    def _put_ship(self, edge: Edge) -> None:
        # 25: another ship there, whoever's, returns to supply.
        self.met["displaced ship"] += edge in self.ships
        self.ships.add(edge)
        self.sailed.add(edge)

    def _play_end_movement(self) -> None:
        self.sailed = set()
        self._next_fight()

    # Formation ------------------------------------------------------------------------------

    def _play_end_formation(self) -> None:
        # M2, 50.
        people = self.peoples[self.people]
        for space in self.own(self.people):
            province = self.provinces[space]
            surplus = max(0, province.armies - self.ruleset["province_limit"])
            province.armies -= surplus
            people.supply += surplus
            self.met["surplus"] += surplus > 0
        self.sailed = set()
        self._start_golem_actions()

    def _load_most(self) -> int:
        # 26: unmoved armies, and one stays.
        return 0 if self.trip.loaded else self._leaving(self.trip.place[0])

    def _unload_error(self, count: Any) -> str | None:
        trip = self.trip
        if trip.unloaded or trip.loaded:
            return "26: at each stop armies are unloaded once, before loading"
        # All may leave only where others come aboard: a ship never sails without an army (24).
        others = self.unmoved.get(trip.place[0], 0) > 0
        return _count_error(count, trip.aboard if others else trip.aboard - 1)

    def _load_error(self, count: Any) -> str | None:
        if self.trip.loaded:
            return "26: at each stop armies are loaded once"
        return _count_error(count, self._load_most())

    def _sail_on_error(self, end: Edge) -> str | None:
        if self.trip.aboard < 1:
            return "24: a ship never sails without an army"
        return self._leg_error(self.trip.place, end)

    def _land_error(self) -> str | None:
        return None if self.trip.aboard > 0 else "24: a ship never sails without an army"

    def _play_unload(self, step: Step) -> None:
        self.trip.aboard -= step["count"]
        self.trip.unloaded = True
        self.provinces[self.trip.place[0]].armies += step["count"]

    def _play_load(self, step: Step) -> None:
        self._leave(self.trip.place[0], step["count"])
        self.trip.aboard += step["count"]
        self.trip.loaded = True

    def _play_sail_on(self, step: Step) -> None:
        end = (_as_hex(step["to"]), _as_hex(step["edge"]))
        self._pay_leg(self.trip.place, end)
        self.trip = Trip(end, self.trip.aboard)
        self.met["stopover"] += 1

    def _play_land(self) -> None:
        self.provinces[self.trip.place[0]].armies += self.trip.aboard
        self._put_ship(self.trip.place)
        self.trip = None
        self.stage = "formation"

    # Golem actions --------------------------------------------------------------------------

    def _golem_attack_error(self, start: Hex | None, end: Hex | None) -> str | None:
        if self.golem_actions < 1:
            return "29: no golem action is left"
        if self.gathering not in (None, end):
            return "29: golems gather for another province"
        if start not in self.provinces or self.provinces[start].golems < 1:
            return f"M13: no golems are in {start}"
        if end not in self.provinces or end not in neighbours(start):
            return f"M13: {end} is not next to {start}"
        target = self.provinces[end]
        if target.country != LUTAO or self.provinces[start].country != LUTAO:
            return "29: golems attack provinces of Lutao only"
        if target.owner in (None, self.people):
            return f"29: {end} is not another seat's"
        return None

    def _golem_place_error(self, space: Hex | None) -> str | None:
        if self.golem_actions < 1:
            return "29: no golem action is left"
        if self.gathering is not None:
            return "29: golems have gathered for a fight"
        if self.golem_supply < 1:
            return "M13: no golem is in supply"
        if space not in self.provinces or self.provinces[space].country != LUTAO:
            return f"M13: {space} is no province of Lutao"
        if not self.provinces[space].empty:
            return f"M13: {space} is not empty"
        return None

    def _lutao(self) -> list[Hex]:
        return [space for space, province in self.provinces.items() if province.country == LUTAO]

    def _golem_attacks(self) -> list[Edge]:
        return [
            (start, end)
            for start in self._lutao()
            if self.provinces[start].golems > 0
            for end in neighbours(start)
            if self._golem_attack_error(start, end) is None
        ]

    def _golem_places(self) -> list[Hex]:
        return [space for space in self._lutao() if self._golem_place_error(space) is None]

    def _play_golem_attack(self, step: Step) -> None:
        start, end = _as_hex(step["from"]), _as_hex(step["to"])
        self.golem_actions -= 1
        self.met["golem action"] += 1
        self.met["golems joined"] += self.gathering is not None
        self.provinces[end].attackers += self.provinces[start].golems
        self.provinces[start].golems = 0
        self.gathering = end
        # 29: more may join while actions are left.
        if not self._golem_attacks():
            self._start_golem_fight()

    def _start_golem_fight(self) -> None:
        space, self.gathering = self.gathering, None
        self._start_fight(space, GOLEMS)

    def _play_golem_place(self, step: Step) -> None:
        count = min(2, self.golem_supply)
        self.golem_actions -= 1
        self.met["golem action"] += 1
        self.golem_supply -= count
        self.provinces[_as_hex(step["space"])].golems = count
        self._go_on_with_golems()

    # Fights ---------------------------------------------------------------------------------

    def _start_fight(self, space: Hex, attacker: int | str) -> None:
        province = self.provinces[space]
        defender = GOLEMS if province.owner is None else province.owner
        self.fight = Fight(space, (attacker, defender))
        self.met["fight"] += 1
        self.met["fight in a city"] += province.city
        self.met["fight against golems"] += defender == GOLEMS
        self.met["ship fight"] += attacker != GOLEMS and space in self.landed
        self._next_combat_round()

    def _troops(self) -> list[int]:
        province = self.provinces[self.fight.space]
        return [province.attackers, province.armies + province.golems]

    def _next_combat_round(self) -> None:
        # G2: cards are counted anew in every combat round.
        fight = self.fight
        fight.hands, fight.held_back, fight.golems = [Counter(), Counter()], [None, None], [0, 0]
        self.met["combat round"] += 1
        for side, troops in enumerate(self._troops()):
            if fight.sides[side] == GOLEMS:
                fight.golems[side] = troops
            else:
                fight.hands[side] = self._draw_cards(fight.sides[side], troops)
        self._ask_to_hold_back(0)

    def _draw_cards(self, number: int, armies: int) -> Counter[str]:
        # 31, G1.
        people = self.peoples[number]
        cards = min(min(ARMIES_COUNTED, armies) + 1, self.ruleset["card_limit"])
        cards = min(cards, people.pile() + people.discards.total())
        if cards == 0:
            return Counter()
        told = self._take_entry("draws", number)
        drawn: list[str] = []
        reshuffled = None
        while len(drawn) < cards:
            if people.pile() == 0:
                reshuffled = len(drawn)
                people.top, people.discards = people.discards, Counter()
                self.met["reshuffle in a fight"] += 1
            drawn.append(self._draw_card(people, told, len(drawn)))
        self._note_entry("draws", number, drawn, reshuffled, told)
        return Counter(drawn)

    def _draw_card(self, people: People, told: dict[str, Any] | None, nth: int) -> str:
        if people.top.total():
            return self._take_from(people.top, told, "cards", nth)
        # The cards held back lie under the others, in the order in which they got there.
        symbol = people.under.pop(0)
        self.met["card held back drawn again"] += 1
        if told is not None and told["cards"][nth : nth + 1] != [symbol]:
            raise ValueError(f"G1: the next card of the pile is {symbol}, held back before")
        return symbol

    def _ask_to_hold_back(self, side: int) -> None:
        # 33: the attacker is asked first; a single card is not held back (G1).
        fight = self.fight
        for asked in range(side, 2):
            if fight.hands[asked].total() > 1:
                self.stage = ("attacker_holds_back", "defender_holds_back")[asked]
                self.decider = fight.sides[asked]
                return
        self._evaluate()

    def _play_hold_back(self, step: Step) -> None:
        fight = self.fight
        side = ("attacker_holds_back", "defender_holds_back").index(self.stage)
        fight.hands[side][step["card"]] -= 1
        fight.hands[side] += Counter()
        fight.held_back[side] = step["card"]
        self.peoples[fight.sides[side]].under.append(step["card"])
        self._ask_to_hold_back(side + 1)

    def _evaluate(self) -> None:
        # G3, G6, G8: strikes of both sides fall in one instant; only the defender is in a city.
        fight, province = self.fight, self.provinces[self.fight.space]
        attack, defence = fight.hands
        lost_by_defender = losses(strikes(attack, province.city) + fight.golems[0], defence)
        lost_by_attacker = losses(strikes(defence, False) + fight.golems[1], attack)
        self._lose(0, min(province.attackers, lost_by_attacker))
        self._lose(1, min(self._troops()[1], lost_by_defender))
        for side in (0, 1):
            if fight.sides[side] != GOLEMS:
                self.peoples[fight.sides[side]].discards.update(fight.hands[side])
        # G9: there is no retreat.
        if min(self._troops()) > 0:
            self._next_combat_round()
        else:
            self._end_fight()

    def _lose(self, side: int, lost: int) -> None:
        # 9, M13: the destroyed return to their own supply.
        who, province = self.fight.sides[side], self.provinces[self.fight.space]
        if who == GOLEMS:
            self.golem_supply += lost
        else:
            self.peoples[who].supply += lost
        if side == 0:
            province.attackers -= lost
        elif who == GOLEMS:
            province.golems -= lost
        else:
            province.armies -= lost

    def _end_fight(self) -> None:
        fight, province = self.fight, self.provinces[self.fight.space]
        attackers, defenders = self._troops()
        by_golems = fight.sides[0] == GOLEMS
        province.attackers = 0
        if defenders == 0:
            self._empty(fight.space)
            if attackers > 0 and by_golems:
                # 28, 29: golems that win stay and own nothing.
                province.golems = attackers
            elif attackers > 0:
                self._conquer(fight.space, attackers)
        self.met["annihilation"] += attackers == defenders == 0
        if by_golems:
            self.met["golem attack won" if attackers > 0 else "golem attack lost"] += 1
        self.fight = None
        self.stage = "after_fight"
        self.decider = self.people
        self._drop_those_out()
        if self.outcome is not None:
            return
        if by_golems:
            self._go_on_with_golems()
        else:
            self._next_fight()

    def _empty(self, space: Hex) -> None:
        # M14, 15: nobody's, the marker and the ships stay; nobody holds Lutao's city.
        self.provinces[space].owner = None
        if space == self.lutao_city:
            self.holder = self.hold_since = None

    def _drop_those_out(self) -> None:
        # 16.
        for number, people in enumerate(self.peoples):
            if people.alive and not self.own(number):
                people.alive = False
                self.met["elimination"] += 1
                self.spell_discards.update(people.spells)
                people.spells = Counter()
                people.markers = people.ships = people.sticks = people.budget = 0
        alive = self._alive()
        if len(alive) == 1:
            self._finish("last_left", alive)

    # Chance ---------------------------------------------------------------------------------

    def _take_key(self, key: str) -> Any:
        if key not in self._script:
            raise ValueError(f"the step lacks {key}")
        return self._script.pop(key)

    def _take_entry(self, key: str, people: int) -> dict[str, Any] | None:
        """The next entry of a list of chance, which must be this people's; None with an rng."""
        if self._script is None:
            if self._rng is None:
                raise ValueError(f"the step lacks {key}, and there is no generator")
            return None
        if not self._script.get(key):
            raise ValueError(f"the step lacks {key} of people {people}")
        entry = self._script[key].pop(0)
        if entry["people"] != people:
            raise ValueError(f"{key}: it is people {people} who draws, not {entry['people']}")
        return entry

    def _take_from(
        self, pile: Counter[str], told: dict[str, Any] | None, key: str, nth: int
    ) -> str:
        """Draw from a pile of unknown order: what is told, or any card with equal chances."""
        if told is None:
            drawn = self._rng.choice(sorted(pile.elements()))
        else:
            if len(told[key]) <= nth:
                raise ValueError(f"people {told['people']} draws more than {len(told[key])} cards")
            drawn = told[key][nth]
        if pile[drawn] < 1:
            raise ValueError(f"there is no {drawn} to be drawn")
        pile[drawn] -= 1
        return drawn

    def _note_entry(
        self,
        key: str,
        people: int,
        drawn: list[str],
        reshuffled: int | None,
        told: dict[str, Any] | None,
    ) -> None:
        entry: dict[str, Any] = {"people": people, "cards" if key == "draws" else "spells": drawn}
        if reshuffled is not None:
            entry["reshuffled"] = reshuffled
        if told is not None and told != entry:
            raise ValueError(f"{key}: {told} should be {entry}")
        self._chance.setdefault(key, []).append(entry)

    # Legal steps ----------------------------------------------------------------------------

    def legal_steps(self) -> list[Step]:
        """Every legal step, without chance keys.

        Returns
        -------
        list of dict
            Steps as in a record; empty when the game is over.
        """
        if self.outcome is not None:
            return []
        steps: list[Step] = []
        for action in STAGE_ACTIONS[self.stage]:
            for arguments in getattr(self, f"_list_{action}")():
                steps.append(self._step(action, arguments))
        return steps

    def _step(self, action: str, arguments: dict[str, Any]) -> Step:
        return {"seat": self.decider, "people": self.decider, "action": action, **arguments}

    def _list_place_country(self) -> Iterator[dict[str, Any]]:
        name = self.countries_left[0]
        for turn in range(6):
            for anchor in sorted(self.sea):
                if self._country_error(name, turn, anchor) is None:
                    yield {"country": name, "turn": turn, "anchor": list(anchor)}

    def _list_place_marker(self) -> Iterator[dict[str, Any]]:
        for space in self.own(self.people):
            if self._marker_error(space) is None:
                yield {"space": list(space)}

    def _list_place_armies(self) -> Iterator[dict[str, Any]]:
        for space in self.own(self.people):
            most = min(self._room(space), self.peoples[self.people].to_place)
            for count in range(1, most + 1):
                yield {"space": list(space), "count": count}

    def _list_place_ship(self) -> Iterator[dict[str, Any]]:
        for space in self.own(self.people):
            for _, sea in self.edges_of(space):
                if self._place_ship_error(space, sea) is None:
                    yield {"space": list(space), "edge": list(sea)}

    def _list_end_setting(self) -> Iterator[dict[str, Any]]:
        if self._end_setting_error() is None:
            yield {}

    def _list_move(self) -> Iterator[dict[str, Any]]:
        for start in self.own(self.people):
            if not self._is_origin(start):
                continue
            for end in neighbours(start):
                if self._is_target(end):
                    for count in range(1, self._leaving(start) + 1):
                        yield {"from": list(start), "to": list(end), "count": count}

    def _list_sail(self) -> Iterator[dict[str, Any]]:
        for place in self._ships_to_sail():
            for end in self._landings(place):
                for count in range(1, self._leaving(place[0]) + 1):
                    yield {
                        "from": list(place[0]),
                        "ship": list(place[1]),
                        "to": list(end[0]),
                        "edge": list(end[1]),
                        "count": count,
                    }

    def _list_end_movement(self) -> Iterator[dict[str, Any]]:
        yield {}

    def _list_fight(self) -> Iterator[dict[str, Any]]:
        if self.stage == "golems":
            spaces = [] if self.gathering is None else [self.gathering]
        else:
            spaces = self._contested()
        for space in spaces:
            yield {"space": list(space)}

    def _list_hold_back(self) -> Iterator[dict[str, Any]]:
        side = ("attacker_holds_back", "defender_holds_back").index(self.stage)
        for symbol in SYMBOLS:
            if self.fight.hands[side][symbol] > 0:
                yield {"card": symbol}

    def _list_end_formation(self) -> Iterator[dict[str, Any]]:
        yield {}

    def _list_unload(self) -> Iterator[dict[str, Any]]:
        for count in range(1, self.trip.aboard + 1):
            if self._unload_error(count) is None:
                yield {"count": count}

    def _list_load(self) -> Iterator[dict[str, Any]]:
        for count in range(1, self._load_most() + 1):
            yield {"count": count}

    def _list_sail_on(self) -> Iterator[dict[str, Any]]:
        if self.trip.aboard > 0:
            for space, sea in self._landings(self.trip.place):
                yield {"to": list(space), "edge": list(sea)}

    def _list_land(self) -> Iterator[dict[str, Any]]:
        if self._land_error() is None:
            yield {}

    def _list_golem_attack(self) -> Iterator[dict[str, Any]]:
        for start, end in self._golem_attacks():
            yield {"from": list(start), "to": list(end)}

    def _list_golem_place(self) -> Iterator[dict[str, Any]]:
        for space in self._golem_places():
            yield {"space": list(space)}

    def _list_end_golems(self) -> Iterator[dict[str, Any]]:
        if self.gathering is None:
            yield {}

    def _list_discard_spell(self) -> Iterator[dict[str, Any]]:
        for spell, count in sorted(self.peoples[self.people].spells.items()):
            if count > 0:
                yield {"spell": spell}

    def _list_buy(self) -> Iterator[dict[str, Any]]:
        item = ITEMS[self.item]
        for count in range(self.most_bought(item) + 1):
            if self.price(item, count) <= self.peoples[self.people].budget:
                yield {"item": item, "count": count}

    def step_error(self, step: Step) -> str | None:
        """Why a step is not legal now; chance keys are not looked at.

        Parameters
        ----------
        step : dict
            A step as in a record.

        Returns
        -------
        str or None
            None if it is legal; else a reason that begins with where the rule stands.
        """
        if self.outcome is not None:
            return "M8: the game is over"
        if step.get("people") != self.decider or step.get("seat") != self.decider:
            return f"8: it is people {self.decider} who decides"
        action = step.get("action")
        if action not in STAGE_ACTIONS[self.stage]:
            return f"design: {action!r} is no action of {self.stage}"
        return self._argument_error(step)

    def is_legal(self, step: Step) -> bool:
        """Whether a step is legal now; chance keys are not looked at."""
        return self.step_error(step) is None

    def _argument_error(self, step: Step) -> str | None:
        action = step["action"]
        space, start, end = (_as_hex(step.get(key)) for key in ("space", "from", "to"))
        ship, edge = _as_hex(step.get("ship")), _as_hex(step.get("edge"))
        count = step.get("count")
        if action == "place_country":
            anchor = _as_hex(step.get("anchor"))
            return self._country_error(step.get("country"), step.get("turn"), anchor)
        if action == "place_marker":
            return self._marker_error(space)
        if action == "place_armies":
            return self._place_armies_error(space, count)
        if action == "place_ship":
            return self._place_ship_error(space, edge)
        if action == "end_setting":
            return self._end_setting_error()
        if action == "move":
            return self._move_error(start, end, count)
        if action == "sail":
            return self._sail_error((start, ship), (end, edge), count)
        if action == "unload":
            return self._unload_error(count)
        if action == "load":
            return self._load_error(count)
        if action == "sail_on":
            return self._sail_on_error((end, edge))
        if action == "land":
            return self._land_error()
        if action == "golem_attack":
            return self._golem_attack_error(start, end)
        if action == "golem_place":
            return self._golem_place_error(space)
        if action == "buy":
            return self._buy_error(step.get("item"), count)
        return self._choice_error(step)

    def _buy_error(self, item: Any, count: Any) -> str | None:
        if item != ITEMS[self.item]:
            return f"50: {ITEMS[self.item]} are bought now, not {item}"
        if count == 0 and type(count) is int:
            return None
        if type(count) is int and 0 < count <= self.most_bought(item):
            budget = self.peoples[self.people].budget
            return None if self.price(item, count) <= budget else "M6: too expensive"
        return f"M6: {count} {item} cannot be bought, but 0 to {self.most_bought(item)}"

    def _choice_error(self, step: Step) -> str | None:
        # Actions whose few choices are simply listed, and the ends of stages.
        arguments = {
            "fight": ("space",),
            "hold_back": ("card",),
            "discard_spell": ("spell",),
        }.get(step["action"], ())
        wanted = {key: _plain(step.get(key)) for key in arguments}
        choices = list(getattr(self, f"_list_{step['action']}")())
        if wanted in choices:
            return None
        return f"50: {wanted} is none of the choices {choices}"

    # Playing a step -------------------------------------------------------------------------

    def play(self, step: Step, chance: random.Random | None = None) -> Step:
        """Play one step of a record.

        Parameters
        ----------
        step : dict
            A step. Keys that the record format does not know are ignored. If it carries chance
            keys, what chance answered is taken from them.
        chance : random.Random, optional
            Where chance comes from if the step carries no chance keys.

        Returns
        -------
        dict
            The step with what chance answered.

        Raises
        ------
        ValueError
            If the step is not legal (nothing has changed then), or what it says of chance is not
            possible (the game is no longer of use then).
        """
        error = self.step_error(step)
        if error is not None:
            raise ValueError(error)
        told = {key: copy.deepcopy(step[key]) for key in CHANCE if key in step}
        self._script = told if told or chance is None else None
        self._rng = chance
        self._chance = {}
        self.met[step["action"]] += 1
        self._carry_out(step)
        if self._script and any(self._script.values()):
            raise ValueError(f"the step tells of chance that was not asked for: {self._script}")
        bare = {key: value for key, value in step.items() if key not in CHANCE}
        return {**bare, **self._chance}

    def _carry_out(self, step: Step) -> None:
        action = step["action"]
        if action == "fight":
            if self.gathering is None:
                self._start_fight(_as_hex(step["space"]), self.people)
            else:
                self._start_golem_fight()
        elif action == "end_golems":
            self._end_action_phase()
        elif action in ("end_setting", "end_movement", "end_formation", "land"):
            getattr(self, f"_play_{action}")()
        else:
            getattr(self, f"_play_{action}")(step)

    # Random play ----------------------------------------------------------------------------

    def random_step(self, rng: random.Random, by_action: float = 0.0) -> Step:
        """A legal step by chance.

        Parameters
        ----------
        rng : random.Random
            Where the choice comes from.
        by_action : float
            How often the action is chosen first, all with equal chances, and then one of its
            steps; else all steps have equal chances.

        Returns
        -------
        dict
            Not yet played.
        """
        steps = self.legal_steps()
        if rng.random() < by_action:
            action = rng.choice(sorted({step["action"] for step in steps}))
            steps = [step for step in steps if step["action"] == action]
        return rng.choice(steps)

    def play_out(self, rng: random.Random, by_action: float = 0.0) -> list[Step]:
        """Play random steps to the end of the game.

        Parameters
        ----------
        rng : random.Random
            Where choices and chance come from.
        by_action : float
            As in `random_step`.

        Returns
        -------
        list of dict
            The steps played, with what chance answered.
        """
        steps = []
        while self.outcome is None:
            steps.append(self.play(self.random_step(rng, by_action), rng))
        return steps

    # Showing --------------------------------------------------------------------------------

    def position(self) -> dict[str, Any]:
        """The position as plain data, with everything laid open.

        Returns
        -------
        dict
            Nothing in it is shared with the game.
        """
        return {
            "game": "stone-guardians",
            "seats": self.seats,
            "turn": self.turn,
            "round": self.round,
            "stage": self.stage,
            "to_move": self.decider,
            "people": self.people,
            "over": self.outcome is not None,
            "order": self._alive(),
            "provinces": [
                {
                    "space": list(space),
                    "country": province.country,
                    "owner": province.owner,
                    "armies": province.armies,
                    "golems": province.golems,
                    "city": province.city,
                    "attackers": province.attackers,
                }
                for space, province in self.provinces.items()
            ],
            "ships": _plain_edges(self.ships),
            "sailed": _plain_edges(self.sailed),
            "peoples": [self._plain_people(people) for people in self.peoples],
            "artifact_spaces": [list(c["people"]) for c in self.ruleset["map"]["artifacts"]],
            "golem_supply": self.golem_supply,
            "holder": self.holder,
            "hold_since": self.hold_since,
            "fight": self._plain_fight(),
            "trip": None
            if self.trip is None
            else {"ship": _plain(self.trip.place), "aboard": self.trip.aboard},
            "golem_actions": self.golem_actions,
            "outcome": copy.deepcopy(self.outcome),
        }

    @staticmethod
    def _plain_people(people: People) -> dict[str, Any]:
        return {
            "alive": people.alive,
            "supply": people.supply,
            "to_place": people.to_place,
            "markers": people.markers,
            "ships": people.ships,
            "sticks": people.sticks,
            "points": people.points,
            "budget": people.budget,
            "artifacts": sorted(people.artifacts),
            "artifact_card": people.artifact_card,
            "pile": people.pile(),
            "discards": _plain_counts(people.discards),
            "spells": {"count": people.spells.total(), "cards": _plain_counts(people.spells)},
        }

    def _plain_fight(self) -> dict[str, Any] | None:
        if self.fight is None:
            return None
        attacker, defender = self.fight.sides
        return {
            "space": list(self.fight.space),
            "attacker": attacker,
            "defender": defender,
            "hands": [
                {"size": hand.total(), "cards": _plain_counts(hand), "held_back": held_back}
                for hand, held_back in zip(self.fight.hands, self.fight.held_back, strict=True)
            ],
        }


def _as_hex(value: Any) -> Hex | None:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    q, r = value
    if type(q) is not int or type(r) is not int:
        return None
    return (q, r)


def _count_error(count: Any, most: int) -> str | None:
    if type(count) is int and 1 <= count <= most:
        return None
    return f"18: {count} is not 1 to {most}"


def _spell_copies(spells: Any) -> dict[str, int]:
    if spells == "on":
        return SPELL_COPIES
    if spells == "off":
        return {}
    return {spell: count for spell, count in spells.items() if count > 0}


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _plain_edges(edges: Iterable[Edge]) -> list[Any]:
    return [_plain(edge) for edge in sorted(edges)]


def _plain_counts(counts: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in sorted(counts.items()) if count > 0}
