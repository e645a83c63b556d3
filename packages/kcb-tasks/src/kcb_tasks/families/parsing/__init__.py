"""Families about reading small languages and formats."""
