"""Suites as the tasks of experiments: where they come from, who judges them, and 'suite run'."""
