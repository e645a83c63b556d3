"""Families about money: accounts, lots, loans, taxes, reconciliation."""
