"""Families about graphs: orders, paths, cuts, spanning trees, flows."""
