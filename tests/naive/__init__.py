"""Slow plain-Python versions of the games' rules, which the compiled ones must equal."""
