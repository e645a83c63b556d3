"""Families, tiers, the dataset builder and the shipped dataset of Klein-Code-Bench."""
