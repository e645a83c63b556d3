"""A string by which data that leaked into a training set, a workspace or a context can be found."""

CANARY_ID = "1d0b2a9c-6f43-4e0b-9b57-3c0e8d5a7f21"
"""What a search goes by: nothing else in the world holds it."""

CANARY = f"Klein-Code-Bench test data must never appear in training data. Canary {CANARY_ID}"
"""Stands in whatever holds answers, and in nothing that a model is shown.

In every record of a dataset, its manifest and card, in reports and validation summaries; and, as
two lines of comment, in every file of a reference.
"""
