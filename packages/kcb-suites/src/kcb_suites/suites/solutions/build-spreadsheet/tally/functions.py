"""The functions of formulas, with how many arguments they take."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

from tally import criteria
from tally.operators import power
from tally.values import (
    Error,
    checked,
    fail,
    finite,
    is_number,
    same,
    to_number,
    to_text,
    to_truth,
    to_whole,
)


class Block:
    """The cells of a range; those beyond the used area are empty."""

    def __init__(self, area, calculation):
        self.area = area
        self.calculation = calculation

    def values(self):
        """The values of the used area, row by row."""
        for place in self.used_places():
            yield self.calculation.value(place)

    def used_places(self):
        return self.area.clipped(*self.calculation.corner).places()

    def at(self, row, column):
        """The value in a row and column of the block, both from 1; a failure beyond it."""
        rows, columns = self.area.size
        if not (1 <= row <= rows and 1 <= column <= columns):
            fail("REF")
        return self.calculation.value((self.area.top + row - 1, self.area.left + column - 1))


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
        FUNCTIONS[function.__name__.strip("_").upper()] = Function(function, least, most)
        return function

    return register


def scalar(name, function, *converters, least=None):
    """Registers a function of converted values; those after ``least`` may be missing."""

    def call(calculation, arguments):
        return function(
            *(
                convert(calculation.evaluate(argument))
                for convert, argument in zip(converters, arguments, strict=False)
            )
        )

    FUNCTIONS[name] = Function(call, len(converters) if least is None else least, len(converters))


# Lists.


def entries(calculation, arguments):
    """All values of list arguments: (value, whether it is from a reference)."""
    for argument in arguments:
        block = calculation.block(argument)
        if block is None:
            yield calculation.evaluate(argument), False
        else:
            for value in block.values():
                yield value, True


def numbers(calculation, arguments):
    found = []
    for value, referred in entries(calculation, arguments):
        checked(value)
        if not referred:
            found.append(to_number(value))
        elif is_number(value):
            found.append(value)
    return found


def mean(found):
    return sum(found) / len(found) if found else fail("DIV")


def median(found):
    if not found:
        fail("NUM")
    ordered, half = sorted(found), len(found) // 2
    return ordered[half] if len(found) % 2 else mean(ordered[half - 1 : half + 1])


def of_numbers(name, function):
    FUNCTIONS[name] = Function(lambda *given: function(numbers(*given)), 1, None)


of_numbers("SUM", sum)
of_numbers("PRODUCT", lambda found: math.prod(found) if found else 0.0)
of_numbers("AVERAGE", mean)
of_numbers("MEDIAN", median)
of_numbers("MIN", lambda found: min(found, default=0.0))
of_numbers("MAX", lambda found: max(found, default=0.0))


@nodes(1, None)
def count(calculation, arguments):
    return sum(is_number(value) for value, _ in entries(calculation, arguments))


@nodes(1, None)
def counta(calculation, arguments):
    return sum(value is not None for value, _ in entries(calculation, arguments))


@nodes(1, None)
def concat(calculation, arguments):
    return "".join(to_text(value) for value, _ in entries(calculation, arguments))


def size(calculation, argument):
    block = calculation.block(argument)
    if block is not None:
        return block.area.size
    checked(calculation.evaluate(argument))
    return 1, 1


@nodes(1, 1)
def rows(calculation, arguments):
    return size(calculation, arguments[0])[0]


@nodes(1, 1)
def columns(calculation, arguments):
    return size(calculation, arguments[0])[1]


# Numbers.


ENOUGH = Context(prec=400)
"""Digits for all doubles."""


def rounded(number, places):
    return Decimal(repr(number)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, ENOUGH)


def round_number(number, places=0):
    return float(rounded(number, places)) if -15 <= places <= 15 else fail("NUM")


def fixed(number, places=2):
    if not 0 <= places <= 15:
        fail("NUM")
    value = rounded(number, places)
    return format(abs(value) if value == 0 else value, "f")


def modulo(number, divisor):
    if not divisor:
        fail("DIV")
    return number - divisor * math.floor(finite(number / divisor))


scalar("ABS", abs, to_number)
scalar("SQRT", lambda number: math.sqrt(number) if number >= 0 else fail("NUM"), to_number)
scalar("POWER", power, to_number, to_number)
scalar("INT", math.floor, to_number)
scalar("MOD", modulo, to_number, to_number)
scalar("ROUND", round_number, to_number, to_whole, least=1)
scalar("FIXED", fixed, to_number, to_whole, least=1)


# Logic.


@nodes(2, 3)
def if_(calculation, arguments):
    if to_truth(calculation.evaluate(arguments[0])):
        return calculation.evaluate(arguments[1])
    return calculation.evaluate(arguments[2]) if len(arguments) == 3 else False


def truths(calculation, arguments):
    found = []
    for value, referred in entries(calculation, arguments):
        checked(value)
        if not referred or isinstance(value, bool | float):
            found.append(to_truth(value))
    return found or fail("VALUE")


@nodes(1, None)
def and_(calculation, arguments):
    return all(truths(calculation, arguments))


@nodes(1, None)
def or_(calculation, arguments):
    return any(truths(calculation, arguments))


@nodes(2, 2)
def iferror(calculation, arguments):
    value = calculation.evaluate(arguments[0])
    return calculation.evaluate(arguments[1]) if isinstance(value, Error) else value


@nodes(2, None)
def choose(calculation, arguments):
    number = to_whole(calculation.evaluate(arguments[0]))
    if not 1 <= number < len(arguments):
        fail("VALUE")
    return calculation.evaluate(arguments[number])


def as_it_is(value):
    return value


scalar("NOT", lambda truth: not truth, to_truth)
scalar("ISERROR", lambda value: isinstance(value, Error), as_it_is)
scalar("ISNUMBER", is_number, as_it_is)
scalar("ISTEXT", lambda value: isinstance(value, str), as_it_is)
scalar("ISBLANK", lambda value: value is None, as_it_is)


# Texts.


def not_negative(number):
    return number if number >= 0 else fail("VALUE")


def from_one(number):
    return number if number >= 1 else fail("VALUE")


def find(what, text, start=1):
    position = text.find(what, from_one(start) - 1)
    return position + 1 if position >= 0 else fail("NA")


def right(text, number=1):
    return text[max(0, len(text) - not_negative(number)) :]


def middle(text, start, number):
    first = from_one(start) - 1
    return text[first : first + not_negative(number)]


scalar("LEN", len, to_text)
scalar("UPPER", str.upper, to_text)
scalar("LOWER", str.lower, to_text)
scalar("TRIM", lambda text: " ".join(filter(None, text.split(" "))), to_text)
scalar("LEFT", lambda text, number=1: text[: not_negative(number)], to_text, to_whole, least=1)
scalar("RIGHT", right, to_text, to_whole, least=1)
scalar("MID", middle, to_text, to_whole, to_whole)
scalar("FIND", find, to_text, to_text, to_whole, least=2)
scalar(
    "SUBSTITUTE",
    lambda text, old, new: text.replace(old, new) if old else text,
    to_text,
    to_text,
    to_text,
)
scalar("VALUE", lambda number: number, to_number)


# Looking up.


def need_block(calculation, argument):
    block = calculation.block(argument)
    if block is None:
        checked(calculation.evaluate(argument))
        fail("VALUE")
    return block


@nodes(2, 2)
def match(calculation, arguments):
    value = checked(calculation.evaluate(arguments[0]))
    block = need_block(calculation, arguments[1])
    if 1 not in block.area.size:
        fail("NA")
    for position, other in enumerate(block.values(), 1):
        if same(value, other):
            return position
    return fail("NA")


@nodes(3, 3)
def vlookup(calculation, arguments):
    value = checked(calculation.evaluate(arguments[0]))
    block = need_block(calculation, arguments[1])
    column = to_whole(calculation.evaluate(arguments[2]))
    block.at(1, column)
    for row, (place_row, _) in enumerate(first_column(block), 1):
        if same(value, calculation.value((place_row, block.area.left))):
            return block.at(row, column)
    return fail("NA")


def first_column(block):
    area = block.area
    last = min(area.bottom, block.calculation.corner[0])
    return [(row, area.left) for row in range(area.top, last + 1)]


@nodes(2, 3)
def index(calculation, arguments):
    block = need_block(calculation, arguments[0])
    row, column = (*(to_whole(calculation.evaluate(node)) for node in arguments[1:]), 1)[:2]
    return block.at(row, column)


def chosen(calculation, arguments):
    """The places of the block whose cells meet the criterion."""
    block = need_block(calculation, arguments[0])
    meets = criteria.criterion(checked(calculation.evaluate(arguments[1])))
    return block, [p for p in block.used_places() if meets(calculation.value(p))]


@nodes(2, 2)
def countif(calculation, arguments):
    return len(chosen(calculation, arguments)[1])


def chosen_numbers(calculation, arguments):
    block, places = chosen(calculation, arguments)
    target = need_block(calculation, arguments[2]) if len(arguments) == 3 else block
    if target.area.size != block.area.size:
        fail("VALUE")
    down, across = target.area.top - block.area.top, target.area.left - block.area.left
    values = [calculation.value((row + down, column + across)) for row, column in places]
    return [value for value in map(checked, values) if is_number(value)]


@nodes(2, 3)
def sumif(calculation, arguments):
    return sum(chosen_numbers(calculation, arguments))


@nodes(2, 3)
def averageif(calculation, arguments):
    return mean(chosen_numbers(calculation, arguments))
