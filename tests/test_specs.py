"""Player specs: parsing, canonical form, errors, users' classes."""

from __future__ import annotations

import re

import pytest

from lumis_fast.errors import InputError
from lumis_fast.players.spec import OPTIONS, PLAYERS, load_user_class, parse_spec


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("random", "random"),
        ("greedy", "greedy"),
        ("mcts", "mcts:1000"),
        ("mcts:1000", "mcts:1000"),
        ("mcts:iterations=1000", "mcts:1000"),
        ("mcts:c=0.7", "mcts:1000"),
        ("mcts:50,c=0.90", "mcts:50,c=0.9"),
        ("mcts:policy=greedy,c=2,iterations=8", "mcts:8,c=2.0,policy=greedy"),
        ("mcts:ms=50", "mcts:ms=50"),
        ("flat:200,cutoff=0", "flat:200,cutoff=0"),
        ("mybots:Careful", "mybots:Careful"),
        ("my.bots:Careful:depth=3,fast=true", "my.bots:Careful:depth=3,fast=True"),
    ],
)
def test_specs_have_one_canonical_form(text, canonical):
    assert str(parse_spec(text)) == canonical
    assert parse_spec(canonical) == parse_spec(text)


def test_every_option_has_a_value():
    spec = parse_spec("mcts:64,c=0.25,policy=greedy,cutoff=30,trees=4")
    assert spec.name == "mcts"
    wanted = {"iterations": 64, "c": 0.25, "policy": "greedy", "cutoff": 30, "trees": 4}
    assert {key: spec.options[key] for key in wanted} == wanted
    assert spec.options["ms"] is None
    assert set(parse_spec("mcts").options) == set(OPTIONS["mcts"])


def test_a_time_budget_replaces_the_iterations():
    spec = parse_spec("flat:ms=20")
    assert spec.options["ms"] == 20 and spec.options["iterations"] is None


def test_what_depends_on_a_clock_or_on_a_user_is_not_reproducible():
    assert parse_spec("mcts:1000").reproducible and parse_spec("random").reproducible
    assert not parse_spec("mcts:ms=50").reproducible
    assert not parse_spec("mybots:Careful").reproducible


@pytest.mark.parametrize(
    "text, said",
    [
        ("gredy", "there is no player 'gredy': did you mean 'greedy'?"),
        ("", "there is no player ''"),
        ("mtcs:1000", "there is no player 'mtcs': did you mean 'mcts'?"),
        ("mcts:", "ends in a colon"),
        ("mcts:iteration=5", "'mcts' has no option 'iteration': did you mean 'iterations'?"),
        ("mcts:1000,2000", "'mcts' has no option '2000'"),
        ("mcts:c=0.7,1000", "'mcts' has no option '1000'"),
        ("random:5", "'random' has no option '5': it has no options"),
        ("mcts:0", "iterations=0 is not possible, expected a whole number from 1 to 1 000 000 000"),
        ("mcts:1e3", "iterations=1e3 is not possible, expected a whole number"),
        ("mcts:c=nan", "c=nan is not possible, expected a number from 0 to 100"),
        ("mcts:c=-1", "c=-1 is not possible"),
        ("mcts:c", "option 'c' needs a value, a number from 0 to 100"),
        (
            "mcts:policy=greddy",
            "c",
        ),
        ("mcts:c=1,c=2", "gives option 'c' twice"),
        ("mcts:ms=50,iterations=10", "gives both iterations and ms"),
        ("mcts:ms=1" + "0" * 5000, "is not possible"),
        ("3bots:Careful", "names no module"),
        ("bots:Careful:depth", "'depth' is no option, expected name=value"),
        ("bots:Careful:a=1,a=2", "gives option 'a' twice"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(text, said):
    with pytest.raises(InputError, match=re.escape(said)) as error:
        parse_spec(text)
    assert "\n" not in str(error.value)


def test_options_of_a_users_class_become_python_values():
    options = parse_spec("bots:Careful:depth=3,width=0.5,fast=true,book=open").options
    assert options == {"depth": 3, "width": 0.5, "fast": True, "book": "open"}


def test_defaults_are_valid_values_of_their_options():
    assert set(PLAYERS) == set(OPTIONS)
    for name, options in OPTIONS.items():
        for key, option in options.items():
            assert option.meaning
            if option.default is not None:
                assert option.parse(str(option.default)) == option.default, (name, key)


BOTS = """
class Careful:
    def __init__(self, seat, game, depth=2):
        pass

    def choose(self, view):
        return 0


class Mute:
    pass


class Narrow:
    def choose(self, view):
        return 0


careful = 3
"""


@pytest.fixture
def bots(tmp_path, monkeypatch):
    (tmp_path / "my_own_bots.py").write_text(BOTS)
    (tmp_path / "my_broken_bots.py").write_text("import no_such_thing_at_all\n")
    (tmp_path / "my_failing_bots.py").write_text("\nCAREFUL = int('three')\n")
    (tmp_path / "my_misspelt_bots.py").write_text("\n\nclass Careful\n    pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["/nowhere"])


def test_a_users_class_is_found_in_the_current_directory(bots):
    assert load_user_class(parse_spec("my_own_bots:Careful")).__name__ == "Careful"


@pytest.mark.parametrize(
    "text, said",
    [
        ("no_bots_here:Careful", "there is no module 'no_bots_here'"),
        ("mctss:Careful", "did you mean 'mcts'?"),
        ("my_own_bots:Carefull", "no class 'Carefull': did you mean 'Careful'?"),
        ("my_own_bots:careful", "no class 'careful'"),
    ],
)
def test_a_users_class_that_is_not_there_is_bad_input(bots, text, said):
    with pytest.raises(InputError, match=re.escape(said)):
        load_user_class(parse_spec(text))


@pytest.mark.parametrize(
    "module, said",
    [
        ("my_broken_bots", "ModuleNotFoundError: No module named 'no_such_thing_at_all'"),
        ("my_broken_bots", "(my_broken_bots.py, line 1)"),
        ("my_failing_bots", "ValueError: invalid literal for int() with base 10: 'three'"),
        ("my_failing_bots", "(my_failing_bots.py, line 2)"),
        ("my_misspelt_bots", "SyntaxError: "),
        ("my_misspelt_bots", "(my_misspelt_bots.py, line 3)"),
    ],
)
def test_an_error_inside_a_users_module_is_told_with_its_place(bots, module, said):
    with pytest.raises(InputError, match=re.escape(said)) as error:
        load_user_class(parse_spec(f"{module}:Careful"))
    assert f"module '{module}' cannot be imported" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text, said",
    [
        ("my_own_bots:Mute", "class 'Mute' has no method 'choose'"),
        ("my_own_bots:Narrow", "does not fit its __init__: too many positional arguments"),
        ("my_own_bots:Careful:dept=3", "got an unexpected keyword argument 'dept'"),
        ("my_own_bots:Careful:seat=1", "multiple values for argument 'seat'"),
    ],
)
def test_a_users_class_that_cannot_be_made_is_bad_input(bots, text, said):
    with pytest.raises(InputError, match=re.escape(said)):
        load_user_class(parse_spec(text))
