"""Players: specs, search, whole games between players, and players written by users."""
