"""Draws Vega-Lite specifications, for a page or for a paper, without a network or a browser.

A page gets drawings and not the library: its 0.9 MB of scripts need the right to compile code at
run time, which the page's content security policy denies to everything.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from kcb_core.errors import DeclarationError
from kcb_core.page import Figure, Panel
from kcb_score.page.palette import PAPER, VARIABLES, config

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"

_ELEMENTS = frozenset(
    {"svg", "g", "path", "rect", "line", "circle", "text", "tspan", "a", "defs", "clipPath"}
    | {"linearGradient", "stop"}
)
_ATTRIBUTES = frozenset(
    {"d", "x", "y", "x1", "x2", "y1", "y2", "r", "cx", "cy", "width", "height", "viewBox"}
    | {"transform", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"}
    | {"opacity", "fill-opacity", "stroke-opacity", "text-anchor", "font-size", "font-weight"}
    | {"font-style", "clip-path", "id", "offset", "stop-color", "gradientUnits"}
)
_DEFAULTS = {("opacity", "1"), ("stroke-width", "1")}
"""What may go, since it is what is drawn anyway."""

_EXPORT_SCALE = 3.0


class ImageFormat(StrEnum):
    """What a figure can be exported as."""

    SVG = "svg"
    PNG = "png"


def drawn(figure: Figure, panel: Panel) -> str:
    """A chart as an SVG element for a page: colours by CSS variables, links inside the page only.

    Raises:
        DeclarationError: the specification cannot be drawn.
    """
    root = ElementTree.fromstring(_svg(figure, panel))
    _keep_safe(root, prefix=f"{figure.name}-{figure.panels.index(panel)}-")
    linked = root.find(f".//{{{_SVG}}}a") is not None
    root.set("role", "group" if linked else "img")
    root.set("aria-label", ". ".join(part for part in (figure.caption, panel.title) if part))
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def exported(figure: Figure, panel: Panel, form: ImageFormat) -> bytes:
    """A chart as a file for a paper, on white.

    Raises:
        DeclarationError: the specification cannot be drawn.
    """
    import vl_convert  # noqa: PLC0415 - an extra

    svg = _svg(figure, panel, background=PAPER)
    if form is ImageFormat.SVG:
        return svg.encode()
    return bytes(vl_convert.svg_to_png(svg, scale=_EXPORT_SCALE))


def _svg(figure: Figure, panel: Panel, background: str = "transparent") -> str:
    import vl_convert  # noqa: PLC0415 - an extra

    spec = {**panel.spec, "background": background}
    try:
        return str(vl_convert.vegalite_to_svg(spec, config=config(), allowed_base_urls=[]))
    except ValueError as error:
        reason = " ".join(str(error).split())[:300]
        raise DeclarationError(f"figure {figure.name!r} cannot be drawn: {reason}") from None


def _keep_safe(element: ElementTree.Element, prefix: str) -> None:
    """Drop what a drawing does not need, and with it whatever could act, load or be styled.

    Args:
        prefix: keeps the ids of one drawing apart from those of all others.
    """
    for child in list(element):
        if _local(child.tag) not in _ELEMENTS or not _visible(child):
            element.remove(child)
        else:
            _keep_safe(child, prefix)
    kept = {
        name: _of_page(name, value, prefix)
        for name, value in element.attrib.items()
        if name in _ATTRIBUTES and (name, value) not in _DEFAULTS
    }
    if _local(element.tag) == "a":
        kept["href"] = f"#{urlsplit(element.get(_LINK, '')).fragment}"
        kept["tabindex"] = "-1"  # the table of tasks is the way for the keyboard
    told = element.get("role") == "graphics-symbol" and _local(element.tag) != "g"
    label = element.get("aria-label", "")
    element.attrib.clear()
    element.attrib.update(kept)
    if _local(element.tag) == "a":
        element.set("aria-label", "".join(element.itertext()))
    if told and label:
        ElementTree.SubElement(element, f"{{{_SVG}}}title").text = label


def _of_page(name: str, value: str, prefix: str) -> str:
    """An attribute's value as it stands in the page: its colour, its place among all drawings."""
    if name == "id":
        return prefix + value
    if value.startswith("url("):
        return value.replace("url(#", f"url(#{prefix}") if value.startswith("url(#") else "none"
    variable = VARIABLES.get(value.lower())
    return f"var({variable})" if variable else value


def _visible(element: ElementTree.Element) -> bool:
    if element.get("display") == "none":
        return False
    return _local(element.tag) != "path" or element.get("d", "") not in ("", "M0,0h0v0h0Z")


def _local(tag: str) -> str:
    return tag.removeprefix(f"{{{_SVG}}}")


def panel_spec(**parts: Any) -> Mapping[str, Any]:
    """A specification of the version that the renderer knows."""
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", **parts}
