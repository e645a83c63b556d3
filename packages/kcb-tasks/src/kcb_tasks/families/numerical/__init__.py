"""Families about exact arithmetic: matrices, polynomials, quantiles, units, expansions."""
