"""The lines of a cart while rules take something off them."""

from dataclasses import dataclass

from till.errors import RuleError


@dataclass
class Line:
    sku: str
    category: str
    qty: int
    unit: int
    off: int = 0
    taken: int = 0  # units that belong to a multibuy or a bundle

    @property
    def value(self):
        return self.qty * self.unit

    @property
    def left(self):
        """What the line still costs."""
        return self.value - self.off

    @property
    def free(self):
        """Units that no multibuy and no bundle has taken."""
        return self.qty - self.taken

    def take_off(self, amount):
        """Make the line cheaper, but never less than nothing."""
        self.off += min(amount, self.left)


class Basket:
    """All lines of a cart."""

    def __init__(self, cart):
        self.lines = [self._line(item) for item in cart]

    @staticmethod
    def _line(item):
        if item["qty"] < 1:
            raise RuleError(f"{item['sku']}: qty must be 1 or more")
        if item["unit"] < 0:
            raise RuleError(f"{item['sku']}: unit must not be negative")
        return Line(item["sku"], item["category"], item["qty"], item["unit"])

    @property
    def value(self):
        return sum(line.value for line in self.lines)

    @property
    def off(self):
        return sum(line.off for line in self.lines)

    def spread(self, amount, values):
        """Take ``amount`` off the lines in proportion to ``values``."""
        whole = sum(values)
        if not whole or amount <= 0:
            return
        parts = [amount * value // whole for value in values]
        rests = [amount * value % whole for value in values]
        order = sorted(range(len(values)), key=lambda index: -rests[index])
        for index in order[: amount - sum(parts)]:
            parts[index] += 1
        for line, part in zip(self.lines, parts, strict=True):
            line.take_off(part)
