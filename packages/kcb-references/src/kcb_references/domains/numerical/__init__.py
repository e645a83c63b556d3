"""Answers to the contracts that compute with exact numbers."""
