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
            if text.startswith("="):
                self.formulas[place] = parse_formula(text)
            else:
                self.values[place] = plain_value(text)
        for group, cyclic in groups(self.formulas, self.needs):
            for place in group:
                self.values[place] = error("CYCLE") if cyclic else self.calculate(place)

    def value(self, place):
        return self.values.get(place)

    def needs(self, place):
        """The formulas that the formula at ``place`` mentions."""
        for mention in self.formulas[place].mentions:
            cells = Range(mention.references[0], mention.references[-1]).area
            for needed in cells.clipped(*self.corner).places():
                if needed in self.formulas:
                    yield needed

    def calculate(self, place):
        tree = self.formulas[place].tree
        if tree is None:
            return error("PARSE")
        value = self.evaluate(tree)
        return 0.0 if value is None else value

    def evaluate(self, node):
        """The value of a node; errors are values."""
        try:
            return self.strict(node)
        except Failure as failure:
            return failure.error

    def strict(self, node):
        if isinstance(node, Constant):
            return node.value
        if isinstance(node, Cell):
            return self.value(node.reference.place)
        if isinstance(node, Range):
            return error("VALUE")
        if isinstance(node, Call):
            return self.call(node)
        operands = [self.evaluate(operand) for operand in node.operands]
        value = (SIGNS if len(operands) == 1 else OPERATORS)[node.operator](*operands)
        return finite(value) if isinstance(value, float) else value

    def call(self, node):
        if node.name not in FUNCTIONS:
            return error("NAME")
        function = FUNCTIONS[node.name]
        count = len(node.arguments)
        if count < function.least or (function.most is not None and count > function.most):
            return error("ARGS")
        value = function.call(self, node.arguments)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return finite(value) if is_number else value

    def block(self, node):
        """The cells of a reference or range, or None for any other node."""
        if isinstance(node, Cell):
            node = Range(node.reference, node.reference)
        return Block(node.area, self) if isinstance(node, Range) else None


def plain_value(text):
    if text.startswith("'"):
        return text[1:]
    value = literal(text)
    return text if value is None else value


def groups(places, needs):
    """Strongly connected groups of cells, after those it depends on: (cells, whether cyclic)."""
    search = Search(needs)
    for place in places:
        if place not in search.number:
            yield from search.run(place)


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
        self.number[place] = self.low[place] = len(self.number)
        self.open.append(place)
        self.is_open.add(place)
        self.work.append((place, iter(dict.fromkeys(self.needs(place)))))

    def run(self, start):
        self.enter(start)
        while self.work:
            place, rest = self.work[-1]
            if (new := self.next_new(place, rest)) is not None:
                self.enter(new)
                continue
            self.work.pop()
            if self.work:
                parent = self.work[-1][0]
                self.low[parent] = min(self.low[parent], self.low[place])
            if self.low[place] == self.number[place]:
                yield self.group(place)

    def next_new(self, place, rest):
        """The next cell that was not seen yet, of those that ``place`` depends on."""
        for needed in rest:
            if needed == place:
                self.loops.add(place)
            if needed not in self.number:
                return needed
            if needed in self.is_open:
                self.low[place] = min(self.low[place], self.number[needed])
        return None

    def group(self, place):
        group = []
        while not group or group[-1] != place:
            group.append(self.open.pop())
            self.is_open.discard(group[-1])
        return group, len(group) > 1 or place in self.loops
