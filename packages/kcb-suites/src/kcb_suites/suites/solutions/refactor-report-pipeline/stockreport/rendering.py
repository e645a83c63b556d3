"""Groups to text."""


def _money(cents):
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{part:02d}"


def _cells(name, groups, counted=None):
    sums = [sum(getattr(one, part) for one in groups) for part in ("incoming", "outgoing", "lost")]
    balance = sum(one.balance for one in groups)
    value = sum(one.value for one in groups)
    shown = "-" if counted is None else str(counted)
    return [name, *map(str, [*sums, balance]), shown, _money(value)]


def _head(options):
    value = f"value ({options.currency})"
    return [options.by, "in", "out", "loss", "balance", "counted", value]


def _shown(groups, options):
    return groups if options.top is None else groups[: options.top]


def _rows(groups, options):
    shown = _shown(groups, options)
    rows = [_cells(one.name, [one], one.counted) for one in shown]
    rest = groups[len(shown) :]
    if rest:
        rows.append(_cells(f"({len(rest)} more)", rest))
    return rows


def _lists(groups, problems, options):
    """``(heading, points)`` of what comes after the table."""
    noted = [one for one in _shown(groups, options) if one.notes]
    if noted and options.by == "item":
        yield "Notes", [f"{one.name}: {'; '.join(one.notes)}" for one in noted]
    if problems and options.problems:
        yield "Problems", problems


def _text_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    return [*lines[:-1], rule, lines[-1]]


def render_text(groups, problems, options):
    """The report for people."""
    lines = [options.title, "=" * len(options.title), ""]
    if groups:
        total = _cells("total", groups)
        lines += _text_table([_head(options), *_rows(groups, options), total])
    else:
        lines.append("No movements.")
    for heading, points in _lists(groups, problems, options):
        lines += ["", heading, *(f"- {point}" for point in points)]
    return "\n".join(lines) + "\n"


def _quoted(cell):
    if "," in cell or '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def render_csv(groups, problems, options):
    """The table alone, for programs."""
    rows = [_head(options), *_rows(groups, options)]
    return "".join(",".join(map(_quoted, row)) + "\n" for row in rows)


def _markdown_row(cells, bold=False):
    escaped = [cell.replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(f"**{cell}**" if bold else cell for cell in escaped) + " |"


def render_markdown(groups, problems, options):
    """The report for a page."""
    lines = [f"# {options.title}", ""]
    if groups:
        head = _head(options)
        lines += [_markdown_row(head), "|:---" + "|---:" * (len(head) - 1) + "|"]
        lines += map(_markdown_row, _rows(groups, options))
        lines.append(_markdown_row(_cells("total", groups), bold=True))
    else:
        lines.append("No movements.")
    for heading, points in _lists(groups, problems, options):
        lines += ["", f"## {heading}", "", *(f"- {point}" for point in points)]
    return "\n".join(lines) + "\n"


RENDERERS = {"text": render_text, "csv": render_csv, "markdown": render_markdown}


def render(groups, problems, options):
    """The report, in the form of the options."""
    return RENDERERS[options.form](groups, problems, options)
