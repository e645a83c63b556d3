"""Answers to the contracts that compute with dates."""
