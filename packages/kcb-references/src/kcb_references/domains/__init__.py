"""Answers to the contracts, one module each, written from the prompts alone.

Each is a standard-library module with one function ``answer(fields)``. They share no code with the
families, nor with each other: that the two agree is evidence, so it must not be arranged.
"""
