"""The criteria of COUNTIF and its like."""
import re
from tally.values import Error, compare, literal, rank, same
OPERATOR = re.compile('<>|<=|>=|=|<|>')
ORDER = {'<': lambda sign: sign < 0, '<=': lambda sign: sign <= 0, '>': lambda sign: sign > 0, '>=': lambda sign: sign >= 0}

def criterion(value):
    """A function that says whether the value of a cell meets the criterion ``value``."""
    return None

def equal_to(rest):
    return None

def wildcards(text):
    """The regular expression of a text with ``*``, ``?`` and ``~``."""
    return None

def ordered(holds, rest):
    return None
