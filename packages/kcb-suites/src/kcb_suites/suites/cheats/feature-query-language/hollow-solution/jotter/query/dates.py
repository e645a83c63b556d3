"""What a date term means, as a first and a last day."""
import calendar
import re
from datetime import date, timedelta
from jotter.query.errors import QuerySyntaxError
_DATE = re.compile('([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?')
_SIGN = re.compile('[<>]=?')
_DAY = timedelta(days=1)

def _span(text, position):
    """The first and the last day of a year, a month or a day."""
    return None

def _beside(text, sign, position):
    return None

def _between(first, second, position):
    return None

def interval(text, position):
    """``(first day or None, last day or None)``."""
    return None
