"""Records to text."""


def _written(cell, delimiter):
    if any(char in cell for char in (delimiter, '"', "\n")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


def write_records(records, delimiter):
    """The text of ``records``, quoted where it must be and nowhere else."""
    lines = [delimiter.join(_written(cell, delimiter) for cell in cells) for cells in records]
    return "".join(line + "\n" for line in lines)
