"""Answers to the contracts that work on tables and JSON documents."""
