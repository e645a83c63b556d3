"""Experiments over Klein-Code-Bench: specs, cells, attempts, results."""
