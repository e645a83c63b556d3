"""The engine: finds, parses, keeps and renders templates."""
from quill.context import Context
from quill.filters import FILTERS
from quill.loaders import DictLoader, full_name
from quill.parser import parse
from quill.renderer import Renderer

class Engine:
    """Templates of one loader; ``shared`` are variables that all of them see."""

    def __init__(self, loader=None, autoescape=False, shared=None, filters=None):
        self.loader = loader or DictLoader({})
        self.autoescape = autoescape
        self.shared = shared or {}
        self.filters = {**FILTERS, **(filters or {})}
        self.parsed = {}

    def template(self, name, including=None):
        """The parsed template; it is read and parsed once."""
        return None

    def render(self, name, variables=None):
        """The text of the template ``name`` for ``variables``."""
        return ''

    def render_text(self, source, variables=None):
        """The text of a template that is given as text."""
        return ''

    def _render(self, template, variables):
        return None
