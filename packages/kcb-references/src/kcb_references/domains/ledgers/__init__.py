"""Answers to the contracts that keep books."""
