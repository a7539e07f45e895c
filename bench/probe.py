"""A small probe of the machine, to be printed beside figures of speed.

It copies records of 592 bytes and floods a labyrinth through the fields of a record. Figures from
two machines can be compared by what their probes say::

    python bench/probe.py
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from lumis_fast.core.copying import assign
from lumis_fast.core.jit import entry

RECORD = np.dtype(
    [("region", np.uint64, (32,)), ("within", np.uint64, (32,)), ("rest", np.uint8, (80,))]
)
COPIES, FLOODS = 2_000_000, 10_000


class Probe(NamedTuple):
    """What the probe found, in nanoseconds of CPU time."""

    copy: float
    flood: float

    def __str__(self) -> str:
        return f"probe: {self.copy:.1f} ns a copy, {self.flood:.0f} ns a flood"


@entry
def copy_records(records, count):
    """Copy records of a small array onto each other."""
    for i in range(count):
        assign(records[i & 7], records[(i + 3) & 7])
        records[i & 7].rest[0] += np.uint8(1)


@entry
def flood_records(records, count):
    """Flood the region of a record from its corner, again and again; tell how many steps."""
    steps = 0
    state = records[0]
    for _ in range(count):
        state.region[:] = np.uint64(0)
        state.region[1] = np.uint64(1)
        added = np.uint64(1)
        while added:
            added = np.uint64(0)
            for i in range(1, 31):
                here = state.region[i]
                beside = (here << np.uint64(1)) | (here >> np.uint64(1))
                new = beside | state.region[i - 1] | state.region[i + 1]
                new &= state.within[i] & ~here
                state.region[i] |= new
                added |= new
            steps += 1
    return steps


def labyrinth() -> np.ndarray:
    """Make eight records whose region can grow along a winding way: 400 spaces in 20 rows."""
    records = np.zeros(8, RECORD)
    for row in range(20):
        gap = 0 if row % 4 == 3 else 19
        within = (1 << 20) - 1 if row % 2 == 0 else 1 << gap
        records["within"][:, row + 1] = within
    return records


def run_probe(rounds: int = 5) -> Probe:
    """Run both parts in turn and give the best of each.

    Parameters
    ----------
    rounds : int

    Returns
    -------
    Probe
    """
    records = labyrinth()
    copy_records(records, 1)
    flood_records(records, 1)
    best = [float("inf")] * 2
    for _ in range(rounds):
        for k, (part, count) in enumerate(((copy_records, COPIES), (flood_records, FLOODS))):
            before = time.process_time()
            part(records, count)
            best[k] = min(best[k], (time.process_time() - before) / count * 1e9)
    return Probe(*best)


if __name__ == "__main__":
    print(run_probe())
