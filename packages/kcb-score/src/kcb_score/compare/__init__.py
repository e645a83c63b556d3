"""Compares subjects on the same tasks: pairs, tests, a gate, and their history."""
