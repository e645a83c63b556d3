"""Groups to text."""

def _money(cents):
    return None

def _cells(name, groups, counted=None):
    return None

def _head(options):
    return None

def _shown(groups, options):
    return None

def _rows(groups, options):
    return None

def _lists(groups, problems, options):
    """``(heading, points)`` of what comes after the table."""
    return None

def _text_table(rows):
    return None

def render_text(groups, problems, options):
    """The report for people."""
    return None

def _quoted(cell):
    return None

def render_csv(groups, problems, options):
    """The table alone, for programs."""
    return None

def _markdown_row(cells, bold=False):
    return None

def render_markdown(groups, problems, options):
    """The report for a page."""
    return None
RENDERERS = {'text': render_text, 'csv': render_csv, 'markdown': render_markdown}

def render(groups, problems, options):
    """The report, in the form of the options."""
    return None
