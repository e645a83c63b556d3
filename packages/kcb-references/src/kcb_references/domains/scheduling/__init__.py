"""Answers to the contracts that plan what happens when."""
