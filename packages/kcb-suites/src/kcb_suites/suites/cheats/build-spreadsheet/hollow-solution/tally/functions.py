"""The functions of formulas, with how many arguments they take."""
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from tally import criteria
from tally.operators import power
from tally.values import Error, checked, fail, finite, is_number, same, to_number, to_text, to_truth, to_whole

class Block:
    """The cells of a range; those beyond the used area are empty."""

    def __init__(self, area, calculation):
        self.area = area
        self.calculation = calculation

    def values(self):
        """The values of the used area, row by row."""
        return None

    def used_places(self):
        return None

    def at(self, row, column):
        """The value in a row and column of the block, both from 1; a failure beyond it."""
        return None

@dataclass(frozen=True)
class Function:
    """``call`` takes the calculation and the nodes of the arguments."""
    call: Callable
    least: int
    most: int | None
FUNCTIONS = {}

def nodes(least, most):
    """Registers a function that gets the nodes of its arguments."""

    def register(function):
        FUNCTIONS[function.__name__.strip('_').upper()] = Function(function, least, most)
        return function
    return register

def scalar(name, function, *converters, least=None):
    """Registers a function of converted values; those after ``least`` may be missing."""

    def call(calculation, arguments):
        return function(*(convert(calculation.evaluate(argument)) for convert, argument in zip(converters, arguments, strict=False)))
    FUNCTIONS[name] = Function(call, len(converters) if least is None else least, len(converters))

def entries(calculation, arguments):
    """All values of list arguments: (value, whether it is from a reference)."""
    return None

def numbers(calculation, arguments):
    return None

def mean(found):
    return None

def median(found):
    return None

def of_numbers(name, function):
    FUNCTIONS[name] = Function(lambda *given: function(numbers(*given)), 1, None)
of_numbers('SUM', sum)
of_numbers('PRODUCT', lambda found: math.prod(found) if found else 0.0)
of_numbers('AVERAGE', mean)
of_numbers('MEDIAN', median)
of_numbers('MIN', lambda found: min(found, default=0.0))
of_numbers('MAX', lambda found: max(found, default=0.0))

@nodes(1, None)
def count(calculation, arguments):
    return None

@nodes(1, None)
def counta(calculation, arguments):
    return None

@nodes(1, None)
def concat(calculation, arguments):
    return None

def size(calculation, argument):
    return None

@nodes(1, 1)
def rows(calculation, arguments):
    return None

@nodes(1, 1)
def columns(calculation, arguments):
    return None
ENOUGH = Context(prec=400)
'Digits for all doubles.'

def rounded(number, places):
    return None

def round_number(number, places=0):
    return None

def fixed(number, places=2):
    return None

def modulo(number, divisor):
    return None
scalar('ABS', abs, to_number)
scalar('SQRT', lambda number: math.sqrt(number) if number >= 0 else fail('NUM'), to_number)
scalar('POWER', power, to_number, to_number)
scalar('INT', math.floor, to_number)
scalar('MOD', modulo, to_number, to_number)
scalar('ROUND', round_number, to_number, to_whole, least=1)
scalar('FIXED', fixed, to_number, to_whole, least=1)

@nodes(2, 3)
def if_(calculation, arguments):
    return None

def truths(calculation, arguments):
    return None

@nodes(1, None)
def and_(calculation, arguments):
    return None

@nodes(1, None)
def or_(calculation, arguments):
    return None

@nodes(2, 2)
def iferror(calculation, arguments):
    return None

@nodes(2, None)
def choose(calculation, arguments):
    return None

def as_it_is(value):
    return None
scalar('NOT', lambda truth: not truth, to_truth)
scalar('ISERROR', lambda value: isinstance(value, Error), as_it_is)
scalar('ISNUMBER', is_number, as_it_is)
scalar('ISTEXT', lambda value: isinstance(value, str), as_it_is)
scalar('ISBLANK', lambda value: value is None, as_it_is)

def not_negative(number):
    return None

def from_one(number):
    return None

def find(what, text, start=1):
    return None

def right(text, number=1):
    return None

def middle(text, start, number):
    return None
scalar('LEN', len, to_text)
scalar('UPPER', str.upper, to_text)
scalar('LOWER', str.lower, to_text)
scalar('TRIM', lambda text: ' '.join(filter(None, text.split(' '))), to_text)
scalar('LEFT', lambda text, number=1: text[:not_negative(number)], to_text, to_whole, least=1)
scalar('RIGHT', right, to_text, to_whole, least=1)
scalar('MID', middle, to_text, to_whole, to_whole)
scalar('FIND', find, to_text, to_text, to_whole, least=2)
scalar('SUBSTITUTE', lambda text, old, new: text.replace(old, new) if old else text, to_text, to_text, to_text)
scalar('VALUE', lambda number: number, to_number)

def need_block(calculation, argument):
    return None

@nodes(2, 2)
def match(calculation, arguments):
    return None

@nodes(3, 3)
def vlookup(calculation, arguments):
    return None

def first_column(block):
    return None

@nodes(2, 3)
def index(calculation, arguments):
    return None

def chosen(calculation, arguments):
    """The places of the block whose cells meet the criterion."""
    return None

@nodes(2, 2)
def countif(calculation, arguments):
    return None

def chosen_numbers(calculation, arguments):
    return None

@nodes(2, 3)
def sumif(calculation, arguments):
    return None

@nodes(2, 3)
def averageif(calculation, arguments):
    return None
