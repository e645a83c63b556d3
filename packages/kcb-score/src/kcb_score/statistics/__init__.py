"""The statistics behind scores and comparisons: pure functions over numbers and numpy arrays.

Nothing here knows of reports, subjects or tasks. Each function names its source. scipy is imported
when a number is first asked for, so a command that needs none starts quickly.
"""
