"""Fast simulation and search for modern board games with hidden cards and chance.

Importing this package loads nothing heavy; see `lumis_fast.games.load_game` for the games,
`lumis_fast.players` for the players and `lumis_fast.runs` for batches of games.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
