"""`lumis-fast odds`."""

from __future__ import annotations

from typing import Any

import click

from ._options import json_option, seed_option
from ._show import console, print_json

__all__ = ["command"]


@click.command("odds")
@click.option("--attackers", type=int, required=True, metavar="N", help="Armies that attack.")
@click.option("--defenders", type=int, metavar="M", help="Armies that defend.")
@click.option("--golems", type=int, metavar="G", help="Golems that defend, instead of armies.")
@click.option("--city", is_flag=True, help="The defenders are in a city.")
@click.option(
    "--method",
    default="auto",
    show_default=True,
    help="exact, simulated, or auto: exact where that is within reach.",
)
@click.option(
    "--games", type=int, default=1_000_000, show_default=True, help="Fights, where simulated."
)
@seed_option
@json_option
def command(
    attackers: int,
    defenders: int | None,
    golems: int | None,
    city: bool,
    method: str,
    games: int,
    seed: int,
    as_json: bool,
) -> None:
    """Tell the odds of a fight of the Stone Guardians, with fresh decks.

    Without powers, runes and spells. Against golems the attacker plays best.
    """
    from lumis_fast.games.stone_guardians.odds import odds

    answer = odds(attackers, defenders, golems, city=city, method=method, games=games, seed=seed)
    if as_json:
        print_json(answer)
    else:
        _show(answer)


def _show(answer: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    out.print(Text(_question(answer), "bold"))
    intervals = answer.get("intervals", {})
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(justify="right")
    table.add_column(style="dim")
    for name in ("attacker_wins", "defender_wins", "both_destroyed"):
        limits = " to ".join(_percent(limit) for limit in intervals.get(name, ()))
        table.add_row(name.replace("_", " "), _percent(answer[name]), limits)
    for name in ("attackers_lost", "defenders_lost"):
        limits = " to ".join(f"{limit:.3f}" for limit in intervals.get(name, ()))
        table.add_row(f"{name.replace('_', ' ')}, on average", f"{answer[name]:.3f}", limits)
    out.print(table)
    out.print(_survivors(answer))
    out.print(Text(f"Policy: {answer['policy']}.", "dim"))
    out.print(Text(_method(answer), "dim"))


def _question(answer: dict[str, Any]) -> str:
    kind = "golems" if "golems" in answer else "defenders"
    where = " in a city" if answer["city"] else ""
    sides = ((answer["attackers"], "attackers"), (answer[kind], kind))
    attack, defence = (f"{n} {word if n > 1 else word[:-1]}" for n, word in sides)
    return f"{attack} against {defence}{where}, fresh decks"


def _survivors(answer: dict[str, Any]) -> Any:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    kind = "golems" if "golems" in answer else "defenders"
    for title in ("left", "attackers", kind):
        table.add_column(title, justify="right")
    attackers, defenders = answer["attackers_left"], answer["defenders_left"]
    for n in range(max(len(attackers), len(defenders))):
        shares = [side[n] if n < len(side) else None for side in (attackers, defenders)]
        table.add_row(str(n), *("" if share is None else _percent(share) for share in shares))
    return table


def _method(answer: dict[str, Any]) -> str:
    if answer["method"] == "exact":
        rest = answer["unresolved"]
        return f"Exact{f', but for a chance of {rest:.1e} that is not resolved' if rest else ''}."
    games = f"{answer['games']:,}".replace(",", " ")
    return f"Simulated: {games} fights, seed {answer['seed']}; intervals of 95 %."


def _percent(share: float) -> str:
    return f"{100 * share:.3f} %"
