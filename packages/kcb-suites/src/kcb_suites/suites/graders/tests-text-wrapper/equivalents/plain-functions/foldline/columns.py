"""Short texts in columns."""

from foldline.measure import check_width, width_of


def columns(items, width, *, gap=2):
    """The lines of ``items`` in as many columns as fit, read downwards."""
    check_width(width)
    widest = max([width_of(item) for item in items], default=0)
    count = 1
    while count < len(items) and (count + 1) * widest + count * gap <= width:
        count += 1
    height = (len(items) + count - 1) // count
    lines = [""] * height
    for number, item in enumerate(items):
        column, row = divmod(number, height)
        missing = column * (widest + gap) - width_of(lines[row])
        lines[row] += " " * missing + item
    return [line.rstrip(" ") for line in lines]
