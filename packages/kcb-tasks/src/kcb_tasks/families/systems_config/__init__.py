"""Families about systems: dependencies, state machines, merging, firewalls, feature flags."""
