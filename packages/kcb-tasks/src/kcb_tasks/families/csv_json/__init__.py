"""Families about tables and JSON documents: parsing, patching, pivoting, checking, formatting."""
