"""Runs an experiment: groups of cells, attempts, executors and verifiers, and what ends them."""
