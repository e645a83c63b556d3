"""Reading and writing CSV."""
import re
from tally.errors import TallyError
LINE_END = re.compile('\\r\\n|\\r|\\n')
ORDINARY = re.compile('[^,\\r\\n]*')

def parse_csv(text):
    """The rows of a text, each a list of fields."""
    return None

def read_field(text, position):
    """A field and where it ends."""
    return None

def format_csv(rows):
    return None

def quoted(field):
    return None
