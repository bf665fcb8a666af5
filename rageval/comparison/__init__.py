"""Which strategies differ on which measures, and what may be said about it."""
