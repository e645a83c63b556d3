"""Rows: their length, those without content, and those that were there before."""
from csvtidy.cells import clean

def fit(records, width):
    """``(rows, problems)``: rows of ``width`` clean cells, and what is wrong with the others."""
    return None

def unique(rows):
    """The rows without those that are equal to an earlier one."""
    return None
