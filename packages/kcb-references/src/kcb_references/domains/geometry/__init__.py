"""Answers to the contracts that measure points, lines and areas of the plane."""
