"""Families about patterns, fuzzy lookup, completion and retrieval."""
