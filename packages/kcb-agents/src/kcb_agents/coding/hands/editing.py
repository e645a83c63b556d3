"""Changing a file by replacing text in it."""

from __future__ import annotations

from kcb_agents.coding.hands.place import Refused, read_text, write_text


def edit(path: str, old: str, new: str, everywhere: bool) -> str:
    """Replace a text that stands in a file, once or everywhere.

    Raises:
        Refused: it does not stand there, or more than once where only one is meant.
    """
    text = read_text(path)
    if not old:
        raise Refused("old_string is empty; Write makes a new file")
    if old == new:
        raise Refused("old_string and new_string are the same")
    count = text.count(old)
    if count == 0:
        raise Refused(f"{path}: old_string does not stand there; it must fit to the character")
    if count > 1 and not everywhere:
        raise Refused(
            f"{path}: old_string stands there {count} times; give more of its surroundings, "
            "or set replace_all"
        )
    where = write_text(path, text.replace(old, new))
    return f"{where}: replaced {count} time{'' if count == 1 else 's'}"
