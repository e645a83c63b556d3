"""Families about wrapping, counting, diffing, templating and renaming text."""
