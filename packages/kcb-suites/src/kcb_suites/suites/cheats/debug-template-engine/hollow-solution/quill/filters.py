"""The filters: functions of a value and arguments."""
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from quill.values import Safe, Undefined, escape, is_missing, text_of

def default(value, instead):
    return None

def length(value):
    return None

def join(values, separator=''):
    return None

def first(values):
    return None

def last(values):
    return None

def reverse(values):
    return None

def sort(values, key=None):
    """A sorted copy, by a key of the elements if one is given."""
    return None

def items(value):
    return None

def truncate(value, size, end='...'):
    """At most ``size`` characters, with ``end`` if something is missing."""
    return None

def number(value, places=0):
    """Rounded half away from zero, with a comma between thousands."""
    return None

def replace(value, old, new):
    return None

def indent(value, width):
    """Blanks before every line but the first and the empty ones."""
    return None

def escaped(value):
    return None
FILTERS = {'default': default, 'escape': escaped, 'first': first, 'indent': indent, 'items': items, 'join': join, 'last': last, 'length': length, 'lower': lambda value: text_of(value).lower(), 'number': number, 'replace': replace, 'reverse': reverse, 'safe': lambda value: Safe(text_of(value)), 'sort': sort, 'trim': lambda value: text_of(value).strip(), 'truncate': truncate, 'upper': lambda value: text_of(value).upper()}
