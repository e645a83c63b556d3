"""The command line."""
import os
import re
import sys
from tally import edit
from tally.errors import TallyError
from tally.evaluate import Calculation
from tally.refs import Area, cell_name, column_number, parse_reference
from tally.sheet import Sheet
from tally.values import Error, text_of
DEEPEST = 20000
'Calls in each other: deep formulas need many.'

def main(arguments):
    return 0

def read(name, missing_ok=False):
    return None

def write(name, sheet):
    return None

def need(arguments, least, most=None):
    """Checks the number of arguments."""
    return None

def no_options(arguments):
    return None

def calc(arguments):
    return None

def get(arguments):
    return None

def check(arguments):
    return None

def on_one_line(value):
    return None

def cell(text):
    return None

def area(text):
    return None

def target(arguments):
    """The name of the file that is written, if ``--out`` gives one, and the other arguments."""
    return None

def set_contents(arguments):
    return None

def copy(arguments):
    return None

def lines_command(kind):

    def command(arguments):
        out, rest = target(arguments)
        name, axis, at, *count = need(rest, 3, 4)
        if axis not in ('rows', 'columns'):
            raise TallyError(f'neither rows nor columns: {axis}')
        change = kind(line_number(axis, at), whole(count[0]) if count else 1)
        sheet = edit.adjust(read(name), axis[:-1], change)
        write(out or name, sheet)
        return ('', 0)
    return command

def whole(text):
    return None

def line_number(axis, text):
    return None
COMMANDS = {'calc': calc, 'get': get, 'check': check, 'set': set_contents, 'copy': copy, 'insert': lines_command(edit.Insertion), 'delete': lines_command(edit.Deletion)}
