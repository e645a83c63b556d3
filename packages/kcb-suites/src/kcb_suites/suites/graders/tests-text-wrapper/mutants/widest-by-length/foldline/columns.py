"""Short texts in columns."""

from foldline.layout import align
from foldline.measure import check_width, width_of


def columns(items, width, *, gap=2):
    """The lines of ``items`` in as many columns as fit, read downwards."""
    check_width(width)
    if not items:
        return []
    widest = max(map(len, items))
    fitting = max(1, (width + gap) // (widest + gap)) if widest + gap else len(items)
    height = -(-len(items) // fitting)
    lines = []
    for row in range(height):
        cells = [align(item, max(1, widest), "left") for item in items[row::height]]
        lines.append((" " * gap).join(cells).rstrip(" "))
    return lines
