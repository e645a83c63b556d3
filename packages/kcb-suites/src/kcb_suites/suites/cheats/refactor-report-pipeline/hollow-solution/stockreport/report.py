"""Makes reports: parse, select, group, render."""
from stockreport.grouping import group
from stockreport.options import make_options
from stockreport.parsing import parse_movements
from stockreport.rendering import render
from stockreport.selecting import select

def report_and_problems(text, options):
    """The report about the log ``text``, and the problems in it."""
    return None

def make_report(text, **options):
    """The report about the log ``text``."""
    return None
