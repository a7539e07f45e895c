"""Players in compiled code: what they find, what they cannot see, and whole games between them."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from trick_game import HAND, TRICK, TRICK_WITH_PRIORS, TrickGame, cards_in

from lumis_fast.core import steps
from lumis_fast.core.jit import entry
from lumis_fast.core.streams import PURPOSE_SEARCH, STREAM, open_stream
from lumis_fast.errors import InputError
from lumis_fast.players import match as match_module
from lumis_fast.players.match import RESULT, Match, Playouts
from lumis_fast.players.search import allocate, build_players, private_array
from lumis_fast.players.spec import parse_spec
from lumis_fast.players.user import FirstLegal, Setting, View

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench"))
from hex import CELLS, HEX, SIZE, build_rules  # noqa: E402 - the game stands in bench/

SEED = np.uint64(5)
GO = np.zeros(1, np.uint8)
SEARCHES = ["flat:60", "mcts:60", "mcts:60,cutoff=1", "mcts:60,policy=greedy", "mcts:60,trees=3"]
BUILT_IN = ["random", "greedy", *SEARCHES]


class HexGame:
    """What matches without records need of Hex."""

    name = "hex"

    def types(self, ruleset):
        return HEX

    def build_rules(self, ruleset, seats):
        return build_rules(HEX.rules)


@entry
def open_streams(streams, seed):
    for seat in range(len(streams)):
        open_stream(streams[seat], seed, 0, PURPOSE_SEARCH + seat)


def make_match(game, specs, swap_seats=False, seed=5):
    return Match(
        game, TrickGame().load_ruleset(), [parse_spec(spec) for spec in specs], seed, swap_seats
    )


def decide(match, state):
    """The move that the player to move chooses in a game that has come to this state."""
    log = np.zeros(1, match._types.move)
    arguments = match._arguments(np.zeros(1, RESULT), log)
    table = arguments[3]
    table.progress[:] = 0
    table.effort[:] = 0
    table.state[:] = state
    open_streams(table.streams, SEED)
    match_module._play_chunk(*arguments, True, SEED, GO)
    return log[0]


class Hex:
    """A Hex position made by placing stones in turn."""

    def __init__(self, first, second):
        rules = build_rules(HEX.rules)[0]
        self.state, work, move = (np.zeros(1, d)[0] for d in (HEX.state, HEX.work, HEX.move))
        steps.new_game(rules, work, self.state, SEED, 0)
        cells = [cell for pair in zip(first, second, strict=False) for cell in pair]
        for row, column in cells + first[len(second) :]:
            move["cell"] = row * SIZE + column
            steps.play(rules, work, self.state, move)


def hex_decision(position, spec):
    specs = ["random", spec] if position.state["to_move"] else [spec, "random"]
    match = make_match(HexGame(), specs)
    return divmod(int(decide(match, position.state)["cell"]), SIZE)


COLUMN = [(row, 5) for row in range(SIZE) if row != 4]
ROW = [(4, column) for column in range(SIZE) if column != 5]
FAR = [(row, 0) for row in range(0, SIZE, 2)] + [(row, 10) for row in range(1, 9, 2)]


@pytest.mark.parametrize("spec", ["flat:500", "mcts:500", "mcts:500,trees=2"])
def test_a_move_that_wins_at_once_is_found(spec):
    # Whoever takes the cell where column and row cross wins.
    position = Hex(COLUMN, ROW)
    assert position.state["over"] == 0
    assert hex_decision(position, spec) == (4, 5)


@pytest.mark.parametrize("spec", ["mcts:6000", "mcts:6000,trees=2"])
def test_a_threat_is_answered(spec):
    position = Hex(COLUMN, FAR[:-1])
    assert position.state["to_move"] == 1
    assert hex_decision(position, spec) == (4, 5)


def test_root_visits_are_the_iterations_but_the_first_of_each_tree():
    match = make_match(HexGame(), ["mcts:700,trees=3", "random"])
    decide(match, Hex([], []).state)
    memory, table = match._local.memory, match._local.table
    assert memory.scratch["ballot_visits"][0, :CELLS].sum() == 3 * 699
    assert sorted(memory.scratch["ballot_key"][0, :CELLS].tolist()) == list(range(CELLS))
    assert table.effort[0].tolist() == [2100, 2100]


def test_untried_moves_come_first():
    match = make_match(HexGame(), [f"mcts:{CELLS + 1}", "random"])
    decide(match, Hex([], []).state)
    assert set(match._local.memory.scratch["ballot_visits"][0, :CELLS]) == {1.0}


def test_a_search_whose_memory_is_full_still_answers():
    match = make_match(HexGame(), ["mcts:2000", "random"])
    little = build_players(HEX, [("mcts", {"iterations": 3})])
    match._arguments(np.zeros(0, RESULT), np.zeros(0, HEX.move))
    match._local.memory = allocate(HEX, little)
    move = decide(match, Hex(COLUMN, ROW).state)
    assert (int(move["cell"]), match._local.table.effort[0, 0]) == (4 * SIZE + 5, 2000)


def test_a_time_budget_ends_the_search():
    match = make_match(HexGame(), ["mcts:ms=3,trees=2", "random"])
    decide(match, Hex([], []).state)
    assert match._local.table.effort[0, 0] >= 2
    assert not match.reproducible
    assert make_match(HexGame(), ["mcts:5", "random"]).reproducible


def hex_winner(owner):
    """Who connects, by a plain flood fill; None while nobody does."""
    for seat in range(2):
        line = [(k, 0)[:: 1 if seat else -1] for k in range(SIZE)]
        reached = {cell for cell in line if owner.get(cell) == seat}
        todo = list(reached)
        while todo:
            r, c = todo.pop()
            for y, x in (
                (r, c - 1),
                (r, c + 1),
                (r - 1, c),
                (r - 1, c + 1),
                (r + 1, c),
                (r + 1, c - 1),
            ):
                if owner.get((y, x)) == seat and (y, x) not in reached:
                    reached.add((y, x))
                    todo.append((y, x))
        if any(cell[seat] == SIZE - 1 for cell in reached):
            return seat
    return None


def test_hex_ends_with_the_first_connection():
    drawn, rules = np.random.default_rng(1), build_rules(HEX.rules)[0]
    for _ in range(30):
        state, work, move = (np.zeros(1, d)[0] for d in (HEX.state, HEX.work, HEX.move))
        values, owner = np.zeros(4), {}
        steps.new_game(rules, work, state, SEED, 0)
        for turn, cell in enumerate(drawn.permutation(CELLS)):
            assert hex_winner(owner) is None
            move["cell"] = cell
            steps.play(rules, work, state, move)
            owner[divmod(int(cell), SIZE)] = turn % 2
            if state["over"]:
                break
        steps.returns(rules, state, values)
        assert values[:2].tolist() == [float(hex_winner(owner) == seat) for seat in range(2)]


# The card game: hidden hands, chance, teams.


def positions(types, seats, plays):
    """States after so many uniform moves of some deals; a game that ends sooner is left out."""
    match = make_match(TrickGame(types), ["random"] * seats)
    rules = match._rules[0]
    for deal in range(6):
        log = np.zeros(plays, types.move)
        results = np.zeros(1, RESULT)
        results["deal"] = deal
        arguments = match._arguments(results, log)
        arguments[3].progress[:] = 0
        match_module._play_chunk(*arguments, False, SEED, GO)
        state, work = np.zeros(1, types.state)[0], np.zeros(1, types.work)[0]
        steps.new_game(rules, work, state, SEED, deal)
        for move in log:
            steps.play(rules, work, state, move)
        yield rules, state


@pytest.mark.parametrize("types", [TRICK, TRICK_WITH_PRIORS], ids=["plain", "priors"])
@pytest.mark.parametrize("spec", BUILT_IN)
def test_what_a_seat_cannot_see_does_not_change_its_decision(types, spec):
    changed = 0
    for seats, plays in ((2, 5), (3, 7), (4, 4)):
        match = make_match(TrickGame(types), [spec] * seats)
        for rules, state in positions(types, seats, plays):
            seat = int(state["to_move"])
            other, view, again = state.copy(), state.copy(), state.copy()
            streams, work = np.zeros(1, STREAM), np.zeros(1, types.work)[0]
            open_streams(streams, np.uint64(99))
            steps.determinize(rules, work, other, seat, streams[0])
            changed += (other["hand"] != state["hand"]).any()
            steps.observe(rules, state, seat, view)
            steps.observe(rules, other, seat, again)
            assert view.tobytes() == again.tobytes()
            assert decide(match, state) == decide(match, other)
    assert changed >= 15


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_edge_is_available_at_least_as_often_as_visited(seats):
    match = make_match(TrickGame(), ["mcts:500"] * seats)
    for _, state in positions(TRICK, seats, 0):
        decide(match, state)
        memory = match._local.memory
        edges = memory.scratch["edges"][0]
        # Where a node got new candidates, its old edges stay behind with smaller numbers.
        assert edges > 0
        assert (memory.visits[:edges] <= memory.edges["available"][:edges]).all()


def test_width_keeps_the_heaviest_moves():
    options = {"iterations": 50, "width": 2, "policy": "uniform"}
    chosen = [("mcts", options), ("random", {})]
    for _, state in positions(TRICK_WITH_PRIORS, 2, 0):
        match = make_match(TrickGame(TRICK_WITH_PRIORS), ["random", "random"])
        match._players = build_players(TRICK_WITH_PRIORS, chosen)
        seat = int(state["to_move"])
        decide(match, state)
        memory = match._local.memory
        root = memory.nodes[0]
        kept = memory.moves[root["first"] : root["first"] + root["count"]]
        # The weight of a move is its card's number plus 1; each card can be laid or swapped.
        highest = cards_in(state["hand"][seat])[-1]
        assert sorted(kept["card"].tolist()) == [highest, highest]


@pytest.mark.parametrize("types", [TRICK, TRICK_WITH_PRIORS], ids=["plain", "priors"])
def test_search_beats_uniform_play(types):
    # The game's evaluation counts tricks so far and says little: playouts are asked for.
    for spec in ("flat:200,policy=uniform", "mcts:200,policy=uniform"):
        match = make_match(TrickGame(types), [spec, "random"], swap_seats=True)
        results = match.play(0, 400, False, GO).results
        score = np.mean([row["returns"][row["rotation"] % 2] for row in results])
        assert score > 0.6


def test_partners_share_what_they_win():
    match = make_match(TrickGame(), ["mcts:100,policy=uniform", "random"] * 2)
    results = match.play(0, 100, False, GO).results
    assert (results["returns"][:, :2] == results["returns"][:, 2:]).all()
    assert np.allclose(results["returns"].sum(axis=1), 2)
    assert results["returns"][:, 0].mean() > 0.6


def test_chunks_and_threads_change_nothing():
    specs = ["mcts:40", "flat:40", "greedy"]
    whole = make_match(TrickGame(), specs, swap_seats=True).play(0, 24, True, GO)
    match = make_match(TrickGame(), specs, swap_seats=True)
    with ThreadPoolExecutor(3) as pool:
        pieces = list(pool.map(lambda n: match.play(n, 4, True, GO), range(0, 24, 4)))
    assert np.concatenate([piece.results for piece in pieces]).tobytes() == whole.results.tobytes()
    assert [record for piece in pieces for record in piece.records] == whole.records
    assert not whole.stopped


def test_rotations_share_the_deal_while_players_change_places():
    chunk = make_match(TrickGame(), ["greedy", "random", "mcts:9"], swap_seats=True).play(
        0, 12, True, GO
    )
    assert chunk.results["deal"].tolist() == [deal for deal in range(4) for _ in range(3)]
    for first in range(0, 12, 3):
        records = chunk.records[first : first + 3]
        assert records[0]["setup"] == records[1]["setup"] == records[2]["setup"]
        assert [record["seats"] for record in records] == [
            ["greedy", "random", "mcts:9"],
            ["mcts:9", "greedy", "random"],
            ["random", "mcts:9", "greedy"],
        ]
    assert chunk.records[0]["setup"] != chunk.records[3]["setup"]
    # Iterations are counted on the seat of the player that searched.
    searched = chunk.results["iterations"][:, :3] > 0
    assert searched[:3].tolist() == [
        [False, False, True],
        [True, False, False],
        [False, True, False],
    ]


def tricks_won(record):
    """Each seat's tricks, by the rules, from a record's set-up and steps; checks every step."""
    hands = [set(hand) for hand in record["setup"]["hands"]]
    seats, leader, trick, tricks, out = len(hands), 0, [], [0] * len(hands), set()
    for step in record["steps"]:
        seat, card = step["seat"], step["card"]
        assert seat == (leader + len(trick)) % seats
        hands[seat].remove(card)
        out.add(card)
        if step["action"] == "swap":
            assert step["drawn"] not in out.union(*hands)
            hands[seat].add(step["drawn"])
            continue
        higher = {other for other in hands[seat] if other > max(trick, default=-1)}
        assert card > max(trick, default=-1) or not higher
        trick.append(card)
        if len(trick) == seats:
            leader = (leader + trick.index(max(trick))) % seats
            tricks[leader] += 1
            trick = []
    assert hands == [set()] * seats
    return tricks


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_records_hold_the_games(seats):
    specs = ["random", "greedy", "mcts:20", "flat:20"][:seats]
    chunk = make_match(TrickGame(), specs).play(100, 40, True, GO)
    assert [record["index"] for record in chunk.records] == list(range(100, 140))
    for record, row in zip(chunk.records, chunk.results, strict=True):
        tricks = tricks_won(record)
        sides = 2 if seats == 4 else seats
        won = [sum(tricks[side::sides]) for side in range(sides)]
        share = 1 / won.count(max(won))
        returns = [share if won[seat % sides] == max(won) else 0 for seat in range(seats)]
        assert record["outcome"]["scores"] == tricks
        assert np.allclose(record["outcome"]["returns"], returns)
        assert record["outcome"]["turns"] == HAND * seats
        assert row["moves"].tolist()[:2] == [
            sum(step["action"] == action for step in record["steps"]) for action in ("lay", "swap")
        ]


def test_playouts_count_games_moves_and_turns():
    playouts = Playouts(TrickGame(), None, 3, "uniform", 5)
    total = playouts.play(0, 500, GO)
    parts = [playouts.play(0, 200, GO), playouts.play(200, 300, GO)]
    assert (total["playouts"], total["turns"]) == (500, 500 * HAND * 3)
    assert total["reasons"] == {"played_out": 500}
    assert total["moves"] == parts[0]["moves"] + parts[1]["moves"]
    # A swap is at most one move a seat.
    assert 0 < total["moves"] - total["turns"] <= 500 * 3


def test_a_raised_flag_stops_play():
    stopped = make_match(TrickGame(), ["random", "random"]).play(0, 10, True, np.ones(1, np.uint8))
    assert (stopped.stopped, len(stopped.results), stopped.records) == (True, 0, [])
    none = Playouts(TrickGame(), None, 2, "uniform", 1).play(0, 10, np.ones(1, np.uint8))
    assert none["playouts"] == 0


def test_a_flag_raised_later_stops_a_long_search():
    stop, chunks = np.zeros(1, np.uint8), []
    match = make_match(TrickGame(), ["mcts:1000000000", "random"])
    thread = threading.Thread(target=lambda: chunks.append(match.play(0, 10, False, stop)))
    thread.start()
    stop[0] = 1
    thread.join(60)
    assert [(chunk.stopped, len(chunk.results)) for chunk in chunks] == [(True, 0)]


def test_private_arrays_share_no_cache_line():
    arrays = [private_array(3, np.uint8) for _ in range(20)]
    starts = sorted(array.ctypes.data for array in arrays)
    assert all(start % 128 == 0 for start in starts)
    assert all(after - before >= 128 for before, after in zip(starts, starts[1:], strict=False))


# Users' players.


class Looking(FirstLegal):
    """Checks what it is shown, samples and plays on, and answers with a step."""

    seen = 0

    def choose(self, view):
        shown = view.position()["hands"]
        assert all(not hand["cards"] for seat, hand in enumerate(shown) if seat != self.seat)
        own = shown[self.seat]["cards"]
        sample = view.sample(3)
        hands = [hand["cards"] for hand in sample.position()["hands"]]
        assert hands[self.seat] == own
        assert [len(cards) for cards in hands] == [hand["size"] for hand in shown]
        assert sample.position() == view.sample(3).position()
        copy = sample.copy()
        while not copy.over:
            copy.play(0)
        assert sum(copy.returns()[: len(hands)]) == pytest.approx(1)
        assert [hand["cards"] for hand in sample.position()["hands"]] == hands
        Looking.seen += 1
        return view.legal_moves()[-1]


class Failing(FirstLegal):
    def choose(self, view):
        raise RuntimeError("no idea")


class Cheating(FirstLegal):
    def choose(self, view):
        return {"seat": self.seat, "action": "lay", "card": 99}


class Beyond(FirstLegal):
    def choose(self, view):
        return len(view.legal_moves())


class Silent(FirstLegal):
    def choose(self, view):
        return None


def test_a_users_player_sees_its_view_and_plays():
    Looking.seen = 0
    chunk = make_match(TrickGame(), ["test_search:Looking", "mcts:20"], swap_seats=True).play(
        0, 4, True, GO
    )
    steps = [(r["seats"][step["seat"]], step) for r in chunk.records for step in r["steps"]]
    assert Looking.seen == sum(name == "test_search:Looking" for name, _ in steps) > 0
    for record in chunk.records:
        assert sum(tricks_won(record)) == HAND


def test_the_example_plays_the_first_move():
    spec = "lumis_fast.players.user:FirstLegal"
    match = make_match(TrickGame(), [spec, spec])
    assert not match.reproducible
    # Laid before swapped, lowest first: it lays its lowest playable card, as greedy does.
    greedy = make_match(TrickGame(), ["greedy", "greedy"]).play(0, 5, True, GO)
    played = match.play(0, 5, True, GO)
    assert [r["steps"] for r in played.records] == [r["steps"] for r in greedy.records]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Failing", "RuntimeError: no idea"),
        ("Cheating", "is not legal"),
        ("Beyond", "expected 0 to 7"),
        ("Silent", "is no move"),
    ],
)
def test_a_users_players_mistake_is_named(name, words):
    match = make_match(TrickGame(), ["random", f"test_search:{name}"])
    with pytest.raises(InputError) as caught:
        match.play(30, 1, False, GO)
    message = str(caught.value)
    assert f"player 'test_search:{name}' on seat 1 in game 30, step " in message
    assert words in message


def test_a_view_is_not_played_on():
    game = TrickGame()
    rules, state = next(positions(TRICK, 2, 0))
    view = View(Setting(game, game.load_ruleset(), TRICK, rules), state, 0)
    with pytest.raises(InputError, match="sample"):
        view.play(0)
