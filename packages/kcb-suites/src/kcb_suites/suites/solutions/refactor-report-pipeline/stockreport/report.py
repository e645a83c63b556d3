"""Makes reports: parse, select, group, render."""

from stockreport.grouping import group
from stockreport.options import make_options
from stockreport.parsing import parse_movements
from stockreport.rendering import render
from stockreport.selecting import select


def report_and_problems(text, options):
    """The report about the log ``text``, and the problems in it."""
    movements, problems = parse_movements(text)
    groups = group(select(movements, options), options)
    return render(groups, problems, options), problems


def make_report(text, **options):
    """The report about the log ``text``."""
    return report_and_problems(text, make_options(options))[0]
