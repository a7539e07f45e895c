"""`python -m lumis_fast_cli` is `lumis-fast`."""

from . import main

main(prog_name="lumis-fast")
