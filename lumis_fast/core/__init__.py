"""What all games share: compilation, bits, random streams, the game protocol, rulesets, records."""
