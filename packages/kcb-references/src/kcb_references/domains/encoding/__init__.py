"""Answers to the contracts that encode and decode data."""
