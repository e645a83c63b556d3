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
        name = full_name(name, including)
        if name not in self.parsed:
            self.parsed[name] = parse(self.loader.source(name), name)
        return self.parsed[name]

    def render(self, name, variables=None):
        """The text of the template ``name`` for ``variables``."""
        return self._render(self.template(name), variables)

    def render_text(self, source, variables=None):
        """The text of a template that is given as text."""
        return self._render(parse(source, "text"), variables)

    def _render(self, template, variables):
        return Renderer(self, Context(self.shared, variables or {})).render(template)
