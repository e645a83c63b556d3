"""Words, without regular expressions."""

NON_BREAKING = "\u00a0"


def split_words(text):
    """The words of ``text``."""
    found, word = [], ""
    for char in text:
        if char.isspace() and char != NON_BREAKING:
            if word:
                found.append(word)
            word = ""
        else:
            word += char
    return found + [word] if word else found


def _ends_after(left, right):
    if left[-1] == "\u00ad" or left[-1] == "\u200b":
        return True
    return left[-1] == "-" and left[-2:-1].isalpha() and right.isalpha()


def pieces(word):
    """The parts of ``word`` between which a line may end."""
    parts = [""]
    for at, char in enumerate(word):
        if at and _ends_after(word[:at], char):
            parts.append("")
        parts[-1] += char
    return parts


def seen(text):
    """What is seen of ``text`` in a line."""
    return "".join(char for char in text if char not in "\u00ad\u200b")


def seen_at_end(text):
    """What is seen of ``text`` where the line ends after it."""
    return seen(text) + "-" if text[-1:] == "\u00ad" else seen(text)
