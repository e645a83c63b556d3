"""The beginnings of lines."""


def indent(text, prefix, *, blank=False):
    """``prefix`` before each line of ``text`` that is not blank, or before all."""
    found = []
    rest = text
    while rest:
        line, end, rest = rest.partition("\n")
        found.append((prefix if blank or line.strip() else "") + line + end)
    return "".join(found)


def dedent(text):
    """``text`` without the white space that all its lines begin with."""
    lines = text.split("\n")
    common = None
    for line in filter(str.strip, lines):
        start = line[: -len(line.lstrip())]
        common = start if common is None else common
        while not start.startswith(common):
            common = common[:-1]
    return "\n".join(line.removeprefix(common or "") if line.strip() else "" for line in lines)
