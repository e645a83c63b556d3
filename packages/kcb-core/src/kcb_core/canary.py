"""A string by which data that leaked into a training set, a workspace or a context can be found."""

CANARY = (
    "Klein-Code-Bench test data must never appear in training data. "
    "Canary 1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21"
)
"""Stands in every record of a dataset, and in nothing that a model is shown."""
