"""Answers to the contracts that search and match texts."""
