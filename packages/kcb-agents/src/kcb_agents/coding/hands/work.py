"""One use of a file tool: from its arguments to what the model is told."""

from __future__ import annotations

from typing import Any

from kcb_agents.coding.hands.editing import edit
from kcb_agents.coding.hands.pages import LINES, page
from kcb_agents.coding.hands.patching import apply_patch
from kcb_agents.coding.hands.place import Refused, read_text, write_text
from kcb_agents.coding.hands.searching import find_files, find_lines


def work(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    """What a tool comes to: ``done``, and the text that the model is told."""
    try:
        return {"done": True, "text": _done(tool, given)}
    except Refused as refused:
        return {"done": False, "text": str(refused)}


def _done(tool: str, given: dict[str, Any]) -> str:
    match tool:
        case "Read":
            text = read_text(given["file_path"])
            return page(text, given.get("offset", 1), given.get("limit", LINES))
        case "Write":
            where = write_text(given["file_path"], given["content"])
            return f"{where}: written, {len(given['content'])} characters"
        case "Edit":
            return edit(
                given["file_path"],
                given["old_string"],
                given["new_string"],
                given.get("replace_all", False),
            )
        case "apply_patch":
            return apply_patch(given["patch"])
        case "Glob":
            return find_files(given["pattern"], given.get("path", "."))
        case "Grep":
            return find_lines(given["pattern"], given.get("path", "."), given.get("glob", "*"))
    raise Refused(f"there is no tool {tool!r}")
