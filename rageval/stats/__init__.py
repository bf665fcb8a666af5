"""Paired tests, intervals, effect sizes, power and corrections; vectorised over pairs."""
