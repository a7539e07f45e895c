"""The compile cache gives neither wrong nor stale code, and two processes may fill it at once."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lumis_fast.core.jit import cache_folder, kernel, source_digest
from lumis_fast.core.protocol import register
from lumis_fast.core.streams import STREAM

ROOT = Path(__file__).resolve().parent.parent

GAME = """
import numpy as np
from lumis_fast.core.jit import kernel
from lumis_fast.core.protocol import register
from lumis_fast.core.streams import STREAM

RULES = WORK = np.dtype([("nothing", np.uint8)])
STATE = np.dtype([("chance", STREAM), ("turn", np.int32), ("to_move", np.uint8),
                  ("over", np.uint8), ("reason", np.uint8), ("cells", np.uint8, (8,))])
MOVE = np.dtype([("action", np.uint8)])

@kernel
def new_game(rules, work, state, seed, deal):
    state.turn = 0

@kernel
def legal_moves(rules, work, state, moves):
    return 1

@kernel
def is_legal(rules, work, state, move):
    return True

@kernel
def play(rules, work, state, move):
    state.turn = STEP
    state.cells[PLACE] = 1

@kernel
def returns(rules, state, values):
    values[0] = 1.0

@kernel
def uniform_move(rules, work, state, stream, move):
    move.action = 0

TYPES = register("NAME", rules=RULES, work=WORK, state=STATE, move=MOVE, actions=("step",),
                 reasons=("end",), files=[__file__], new_game=new_game, legal_moves=legal_moves,
                 is_legal=is_legal, play=play, returns=returns, uniform_move=uniform_move)
"""

RUNNER = """
import importlib
import sys
import numpy as np
from lumis_fast.core.jit import entry
from lumis_fast.core.protocol import play

@entry
def run(rules, work, state, move, place):
    play(rules[0], work[0], state[0], move[0])
    return state[0].turn

# PLACE is read from a field, so that no compiler can see that it is out of bounds.
for name in sys.argv[1:]:
    game = importlib.import_module(name).TYPES
    arrays = [np.zeros(1, dtype) for dtype in (game.rules, game.work, game.state, game.move)]
    arrays[3]["action"] = 200
    print(name, run(*arrays, 0), end=" ")
print(*run.cached_here())
"""


@pytest.fixture
def folder(tmp_path):
    write_game(tmp_path, "first", 11)
    write_game(tmp_path, "second", 22)
    (tmp_path / "runner.py").write_text(RUNNER)
    return tmp_path


def write_game(folder, name, step, place="0"):
    text = GAME.replace("NAME", name).replace("STEP", str(step)).replace("PLACE", place)
    (folder / f"{name}.py").write_text(text)


def begin(folder, *names, **settings):
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")},
        "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]),
        "LUMIS_FAST_CACHE_DIR": str(folder / "cache"),
        **settings,
    }
    return subprocess.Popen(
        [sys.executable, folder / "runner.py", *names],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(folder, *names, **settings):
    """What the runner prints: each game's name and turn, then (loaded, compiled)."""
    process = begin(folder, *names, **settings)
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return output.split()


def test_games_of_equal_fields_keep_their_code_apart_across_processes(folder):
    assert run(folder, "first") == ["first", "11", "0", "1"]
    assert run(folder, "second") == ["second", "22", "0", "1"]
    assert run(folder, "first", "second") == ["first", "11", "second", "22", "2", "0"]
    assert run(folder, "second", "first") == ["second", "22", "first", "11", "2", "0"]


def test_an_edited_game_is_compiled_anew(folder):
    assert run(folder, "first") == ["first", "11", "0", "1"]
    write_game(folder, "first", 33)
    assert run(folder, "first") == ["first", "33", "0", "1"]
    write_game(folder, "first", 11)
    assert run(folder, "first") == ["first", "11", "1", "0"]


def test_two_processes_fill_an_empty_cache_at_once(folder):
    processes = [begin(folder, "first", "second") for _ in range(2)]
    outputs = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert [words[:4] for words in outputs] == [["first", "11", "second", "22"]] * 2
    # Whoever came first to a game compiled it; the other one loaded it.
    assert sum(int(words[5]) for words in outputs) == 2


@pytest.mark.bounds
def test_a_write_out_of_bounds_is_noticed_under_boundscheck(folder):
    write_game(folder, "first", 11, place="move.action")
    process = begin(folder, "first", NUMBA_BOUNDSCHECK="1")
    assert "IndexError" in process.communicate()[1]
    assert process.returncode == 1


def test_settings_that_change_code_change_the_folder(monkeypatch):
    folder_now = cache_folder.__wrapped__
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    plain = folder_now()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    checked = folder_now()
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert plain != checked
    assert folder_now() == plain


def test_a_digest_changes_with_content_and_name(tmp_path):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("x = 1")
    other.write_text("x = 1")
    before = source_digest([one])
    assert source_digest([other]) != before
    one.write_text("x = 2")
    assert source_digest([one]) != before


def test_a_type_is_registered_once():
    @kernel
    def nothing(*arguments):
        return 0

    small = np.dtype([("action", np.uint8)])
    state = np.dtype(
        [
            ("chance", STREAM),
            ("turn", np.int32),
            ("to_move", np.uint8),
            ("over", np.uint8),
            ("reason", np.uint8),
        ]
    )
    names = ("new_game", "legal_moves", "is_legal", "play", "returns", "uniform_move")

    def again():
        return register(
            "registered_twice",
            rules=small,
            work=small,
            state=state,
            move=small,
            actions=(),
            reasons=(),
            files=[__file__],
            **dict.fromkeys(names, nothing),
        )

    assert again().name == "registered_twice"
    with pytest.raises(ValueError, match="registered already"):
        again()
