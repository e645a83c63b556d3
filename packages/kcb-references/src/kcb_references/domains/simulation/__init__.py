"""Answers to the contracts that simulate a system step by step."""
