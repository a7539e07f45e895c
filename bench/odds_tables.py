"""Tables and heat maps of the odds of fights: `results/odds.md` and `results/odds.png`.

For 1 to 15 attackers against 1 to 8 defenders or golems, in a city or not. Needs matplotlib::

    python bench/odds_tables.py --games 200000
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from lumis_fast.games.stone_guardians.odds import odds

RESULTS = Path(__file__).resolve().parent.parent / "results"
ATTACKERS, AGAINST = range(1, 16), range(1, 9)
KINDS = {
    "Golems": ("golems", False),
    "Golems in a city": ("golems", True),
    "A people": ("defenders", False),
    "A people in a city": ("defenders", True),
}
BEGIN, END = "<!-- tables -->", "<!-- end of tables -->"

Answers = dict[tuple[int, int], dict[str, Any]]


def ask(kind: str, games: int) -> Answers:
    """Answer all settings of one kind."""
    name, city = KINDS[kind]
    return {
        (a, d): odds(a, **{name: d}, city=city, games=games) for a in ATTACKERS for d in AGAINST
    }


def table(answers: Answers) -> list[str]:
    """Chances to win in per cent, and armies lost on average; simulated ones with a tilde."""
    rows = [
        "| attackers | " + " | ".join(f"against {d}" for d in AGAINST) + " |",
        "|---:" * (len(AGAINST) + 1) + "|",
    ]
    for a in ATTACKERS:
        cells = []
        for d in AGAINST:
            answer = answers[a, d]
            mark = "" if answer["method"] == "exact" else "~"
            cells.append(
                f"{mark}{100 * answer['attacker_wins']:.1f} ({answer['attackers_lost']:.1f})"
            )
        rows.append(f"| {a} | " + " | ".join(cells) + " |")
    return rows


def enough(answers: Answers, share: float) -> list[str]:
    """The fewest attackers that win with at least this chance, for each number of defenders."""
    found = []
    for d in AGAINST:
        fits = [a for a in ATTACKERS if answers[a, d]["attacker_wins"] >= share]
        found.append(str(fits[0]) if fits else "more")
    return found


def summary(all_answers: dict[str, Answers]) -> list[str]:
    """How many attackers it takes for half of the fights, and for nine of ten."""
    rows = [
        "| to win | " + " | ".join(f"against {d}" for d in AGAINST) + " |",
        "|---|" + "---:|" * len(AGAINST),
    ]
    for kind, answers in all_answers.items():
        for share in (0.5, 0.9):
            numbers = " | ".join(enough(answers, share))
            rows.append(f"| {kind.lower()}, {100 * share:.0f} % | {numbers} |")
    return rows


def draw(all_answers: dict[str, Answers], path: Path) -> None:
    """Draw a heat map of the attacker's chances for each kind."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained")
    for axis, (kind, answers) in zip(axes.flat, all_answers.items(), strict=True):
        shares = [[answers[a, d]["attacker_wins"] for a in ATTACKERS] for d in AGAINST]
        image = axis.imshow(shares, origin="lower", vmin=0, vmax=1, cmap="RdYlGn", aspect="auto")
        axis.set_title(kind)
        axis.set_xticks(range(len(ATTACKERS)), ATTACKERS)
        axis.set_yticks(range(len(AGAINST)), AGAINST)
        axis.set_xlabel("attackers")
        axis.set_ylabel("golems" if "Golems" in kind else "defenders")
        for y, row in enumerate(shares):
            for x, share in enumerate(row):
                axis.text(x, y, f"{100 * share:.0f}", ha="center", va="center", fontsize=7)
    figure.colorbar(image, ax=axes, label="chance that the attacker wins", shrink=0.6)
    figure.savefig(path, dpi=80)


def main() -> None:
    """Answer everything, and write the tables and the picture."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=200_000, help="fights where simulated")
    games = parser.parse_args().games
    answers = {kind: ask(kind, games) for kind in KINDS}
    lines = [BEGIN, "", *summary(answers), ""]
    for kind, told in answers.items():
        exact = sum(answer["method"] == "exact" for answer in told.values())
        lines += [f"### {kind}", "", f"{exact} of {len(told)} exact.", "", *table(told), ""]
    page = RESULTS / "odds.md"
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    page.write_text(before + "\n".join(lines) + END + rest.split(END)[1], encoding="utf-8")
    draw(answers, RESULTS / "odds.png")


if __name__ == "__main__":
    main()
