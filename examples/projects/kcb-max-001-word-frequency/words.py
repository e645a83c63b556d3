"""The contract: counting the words of a text."""

import unicodedata
from collections import Counter


class ContractError(Exception):
    def __init__(self, code, **extra):
        super().__init__(code)
        self.error = {"code": code, **extra}


def is_int(value, low, high):
    return type(value) is int and low <= value <= high


def is_text(value, low, high):
    return isinstance(value, str) and low <= len(value) <= high


def valid_stopwords(value):
    return (isinstance(value, list) and len(value) <= 200
            and all(is_text(item, 1, 50) for item in value))


# (name, required, check), in the order of the contract
FIELDS = (
    ("text", True, lambda v: is_text(v, 0, 20000)),
    ("top", False, lambda v: is_int(v, 1, 1000)),
    ("min_length", False, lambda v: is_int(v, 1, 50)),
    ("stopwords", False, valid_stopwords),
    ("case_sensitive", False, lambda v: isinstance(v, bool)),
)


def nfc(text):
    return unicodedata.normalize("NFC", text)


def tokens_of(text):
    tokens = []
    start = None  # where the current token starts
    last = len(text) - 1
    for i, char in enumerate(text):
        inside = char.isalnum() or (
            char == "'" and 0 < i < last and text[i - 1].isalnum() and text[i + 1].isalnum()
        )
        if inside:
            if start is None:
                start = i
        elif start is not None:
            tokens.append(text[start:i])
            start = None
    if start is not None:
        tokens.append(text[start:])
    return tokens


def evaluate(fields):
    for name, required, _ in FIELDS:
        if required and name not in fields:
            raise ContractError("missing_field", field=name)
    for name, _, valid in FIELDS:
        if name in fields and not valid(fields[name]):
            raise ContractError("invalid_field", field=name)

    top = fields.get("top", 10)
    min_length = fields.get("min_length", 1)
    tokens = tokens_of(nfc(fields["text"]))
    stopwords = [nfc(word) for word in fields.get("stopwords", [])]
    if not tokens:
        raise ContractError("no_words")
    if not fields.get("case_sensitive", False):
        tokens = [token.casefold() for token in tokens]
        stopwords = [word.casefold() for word in stopwords]

    stop = set(stopwords)
    counts = Counter(t for t in tokens if len(t) >= min_length and t not in stop)
    listed = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
    total = sum(counts.values())
    return {
        "total": total,
        "distinct": len(counts),
        "words": [{"word": word, "count": count} for word, count in listed],
        "other": total - sum(count for _, count in listed),
    }
