"""Names of columns."""


def _slug(title):
    words = "".join(char if char.isalnum() else " " for char in title.lower()).split()
    return "_".join(words)


def column_names(titles):
    """A name for each title: simple, and unlike all the others (docs/FORMAT.md, section 4)."""
    plain = [_slug(title) or f"column_{number}" for number, title in enumerate(titles, 1)]
    taken = set(plain)
    seen = set()
    names = []
    for name in plain:
        if name in seen:
            number = 2
            while f"{name}_{number}" in taken:
                number += 1
            name = f"{name}_{number}"
            taken.add(name)
        seen.add(name)
        names.append(name)
    return names
