"""Families about replaying events on a small machine."""
