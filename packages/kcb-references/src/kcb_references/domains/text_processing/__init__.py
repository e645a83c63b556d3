"""Answers to the contracts that process text."""
