"""foldline: text, laid out for terminals. See README.md."""

from foldline.columns import columns
from foldline.layout import align, hang, justify
from foldline.lines import dedent, indent
from foldline.measure import width_of
from foldline.shorten import shorten
from foldline.words import pieces, split_words
from foldline.wrapping import fill, wrap

__all__ = [
    "align",
    "columns",
    "dedent",
    "fill",
    "hang",
    "indent",
    "justify",
    "pieces",
    "shorten",
    "split_words",
    "width_of",
    "wrap",
]
