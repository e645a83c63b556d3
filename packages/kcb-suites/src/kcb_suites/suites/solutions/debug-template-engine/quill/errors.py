"""What can go wrong with a template."""


class TemplateError(Exception):
    """Any error; ``template`` and ``line`` say where."""

    def __init__(self, message, template=None, line=None):
        super().__init__(message)
        self.message = message
        self.template = template
        self.line = line

    def __str__(self):
        if self.template is None:
            return self.message
        return f"{self.template}:{self.line}: {self.message}"

    def at(self, template, line):
        """The same error with a place, unless it has one."""
        if self.template is None:
            self.template, self.line = template, line
        return self


class TemplateSyntaxError(TemplateError):
    """The template is not well formed."""


class RenderError(TemplateError):
    """The template is well formed, but its values do not fit."""


class TemplateNotFound(TemplateError):
    """There is no template of that name."""
