"""Answers to the contracts that carry out configurations of systems."""
