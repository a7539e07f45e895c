"""Batches of games on disk: playing them, intervals, and the table of results."""
