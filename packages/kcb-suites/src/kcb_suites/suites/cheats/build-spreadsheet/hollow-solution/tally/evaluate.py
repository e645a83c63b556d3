"""Calculates a sheet: finds cycles, then evaluates each formula once, after what it depends on."""
from tally.formula import Call, Cell, Constant, Range, parse_formula
from tally.functions import FUNCTIONS, Block
from tally.operators import OPERATORS, SIGNS
from tally.values import Failure, error, finite, literal

class Calculation:
    """The values of all cells of a sheet."""

    def __init__(self, sheet):
        self.corner = sheet.corner
        self.values = {}
        self.formulas = {}
        for place, text in sheet.contents.items():
            if text.startswith('='):
                self.formulas[place] = parse_formula(text)
            else:
                self.values[place] = plain_value(text)
        for group, cyclic in groups(self.formulas, self.needs):
            for place in group:
                self.values[place] = error('CYCLE') if cyclic else self.calculate(place)

    def value(self, place):
        return None

    def needs(self, place):
        """The formulas that the formula at ``place`` mentions."""
        return None

    def calculate(self, place):
        return None

    def evaluate(self, node):
        """The value of a node; errors are values."""
        return None

    def strict(self, node):
        return None

    def call(self, node):
        return None

    def block(self, node):
        """The cells of a reference or range, or None for any other node."""
        return None

def plain_value(text):
    return None

def groups(places, needs):
    """Strongly connected groups of cells, after those it depends on: (cells, whether cyclic)."""
    return None

class Search:
    """Tarjan's algorithm with a stack of its own, as chains of cells are long."""

    def __init__(self, needs):
        self.needs = needs
        self.number = {}
        self.low = {}
        self.open = []
        self.is_open = set()
        self.loops = set()
        self.work = []

    def enter(self, place):
        return None

    def run(self, start):
        return None

    def next_new(self, place, rest):
        """The next cell that was not seen yet, of those that ``place`` depends on."""
        return None

    def group(self, place):
        return None
