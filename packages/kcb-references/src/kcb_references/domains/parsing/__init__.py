"""Answers to the contracts that parse a small language."""
