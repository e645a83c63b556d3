"""The operators of formulas; operands are values, and errors among them become failures."""

from tally.values import checked, compare, fail, to_number, to_text


def both(convert, operate):
    """An operator whose operands are converted, the left one first."""

    def operator(left, right):
        one = convert(left)
        return operate(one, convert(right))

    return operator


def divide(left, right):
    return left / right if right else fail("DIV")


def power(base, exponent):
    if base == 0 and exponent < 0:
        fail("DIV")
    if base < 0 and not exponent.is_integer():
        fail("NUM")
    try:
        return base**exponent
    except OverflowError:
        return fail("NUM")


OPERATORS = {
    "+": both(to_number, lambda left, right: left + right),
    "-": both(to_number, lambda left, right: left - right),
    "*": both(to_number, lambda left, right: left * right),
    "/": both(to_number, divide),
    "^": both(to_number, power),
    "&": both(to_text, lambda left, right: left + right),
    "=": both(checked, lambda left, right: compare(left, right) == 0),
    "<>": both(checked, lambda left, right: compare(left, right) != 0),
    "<": both(checked, lambda left, right: compare(left, right) < 0),
    "<=": both(checked, lambda left, right: compare(left, right) <= 0),
    ">": both(checked, lambda left, right: compare(left, right) > 0),
    ">=": both(checked, lambda left, right: compare(left, right) >= 0),
}

SIGNS = {
    "-": lambda value: -to_number(value),
    "+": to_number,
    "%": lambda value: to_number(value) / 100,
}
