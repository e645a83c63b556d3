"""How docstrings are shown in the reference pages.

The reStructuredText marks in them become Markdown, and the fields of a value become one table
instead of a heading each. The source stays as it is.
"""

import re
from typing import Any

import griffe

_ROLE = re.compile(r":(?:class|func|meth|attr|data|mod|exc):`~?\.?([^`]+)`")
_LITERAL_BLOCK = re.compile(r"::(?=\n\n? +)")
_VALUE_BASES = {"Struct", "Document", "_Part", "StrEnum", "IntEnum"}


class DocstringMarkup(griffe.Extension):
    """Rewrites docstrings after they were read and before they are shown."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Replace the marks in the docstring of any object."""
        if obj.docstring is not None:
            obj.docstring.value = _markdown(obj.docstring.value)

    def on_class(self, *, cls: griffe.Class, **_: Any) -> None:
        """Move the fields of a value into a table below the docstring of its class."""
        bases = {str(base).rpartition(".")[2] for base in cls.bases}
        if cls.docstring is None or not ("dataclass" in cls.labels or bases & _VALUE_BASES):
            return
        fields = [member for name, member in cls.attributes.items() if not name.startswith("_")]
        fields = [field for field in fields if "property" not in field.labels]
        if all(field.annotation is None for field in fields):
            cls.docstring.value += _options(fields)
        elif "\nAttributes:" not in cls.docstring.value:
            rows = (f"    {_row(field)}\n" for field in fields)
            cls.docstring.value += "\n\nAttributes:\n" + "".join(rows)
        for field in fields:
            cls.del_member(field.name)


def _markdown(text: str) -> str:
    text = re.sub(r"^::\n", "", _ROLE.sub(r"`\1`", text), flags=re.MULTILINE)
    return _LITERAL_BLOCK.sub(":", text)


def _meaning(field: griffe.Attribute) -> str:
    return " ".join(_markdown(field.docstring.value).split()) if field.docstring else ""


def _options(fields: list[griffe.Attribute]) -> str:
    """The options of an enumeration as a Markdown table, each by the value that is stored."""
    rows = (f"| `{str(field.value).strip(chr(39))}` | {_meaning(field)} |\n" for field in fields)
    return "\n\n| value | meaning |\n| --- | --- |\n" + "".join(rows) if fields else ""


def _row(field: griffe.Attribute) -> str:
    """A line of a docstring's ``Attributes`` section."""
    default = f" Default: `{field.value}`." if field.value is not None else ""
    return f"{field.name} ({field.annotation}): {_meaning(field)}{default}"
