"""Experiments over Klein-Code-Bench; it registers nothing yet."""
