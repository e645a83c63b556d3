"""CSV dialect: delimited records parsed under a dialect and written in one canonical form."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Boolean, Choice, Text, optional, required

_SUMMARY = """\
Parses `text` as records of fields and writes them again in one canonical form. Below, delimiter and
quote stand for the characters that are given as `delimiter` and `quote`. Read from left to right.

- Records. A line end is LF, or CR directly followed by LF; any other CR is an ordinary character.
  A record ends at a line end outside quoted fields, or at the end of the text. A record without any
  character is skipped: it is no record.
- Fields. The delimiters outside quoted fields separate the fields of a record, so that n delimiters
  make n + 1 fields.
- Quoted fields. A field whose first character is the quote is quoted. Its content goes to its
  closing quote and may hold delimiters and line ends. After the closing quote must follow a
  delimiter, a line end or the end of the text.
  - If `escape` is `double`, two quotes side by side in the content stand for one quote and do not
    close the field. A backslash is an ordinary character.
  - If `escape` is `backslash`, a backslash in the content is dropped, and the character after it
    belongs to the content, whatever it is. The first quote without such a backslash closes the
    field.
- Unquoted fields. All other fields. They may not contain the quote. A backslash is an ordinary
  character.
- If `trim` is true, take the spaces and tabs from both ends of every unquoted field, once the
  fields are separated (only spaces, if the delimiter is a tab). Quoted fields stay as they are."""

_RESULT = """\
An object with these members:

- `columns`: the fields of the first record as an array of strings, or `null` if `header` is false.
- `rows`: an array with one array of strings for each other record (for each record if `header` is
  false), in order.
- `row_count`: the number of rows.
- `emitted`: one string with all records in order, the header included. Each is its fields joined by
  `,` and then LF. A field is put between two `"`, with each `"` in it doubled, if and only if
  - it contains `,`, `"`, CR or LF, or
  - it starts or ends with a space, or
  - it is empty and the only field of its record."""

_RULES = """\
- Spaces in front of a quote make the field unquoted, so that the quote is an error, also with
  `trim`.
- `""` alone on a line is a record with one empty field. So is, with `trim`, a line of spaces.
- Without records and with `header` false, `rows` is `[]` and `emitted` is `""`."""


def _evaluate(fields: Mapping[str, Any]) -> Json:
    records = list(_Scanner(fields).records())
    if fields["header"]:
        if not records:
            raise DomainError("no_header")
        if len(set(records[0])) < len(records[0]):
            raise DomainError("duplicate_header")
    if any(len(record) != len(records[0]) for record in records):
        raise DomainError("ragged_row")
    rows = records[1:] if fields["header"] else records
    return {
        "columns": records[0] if fields["header"] else None,
        "rows": rows,
        "row_count": len(rows),
        "emitted": "".join(map(_emitted, records)),
    }


class _Scanner:
    """Reads the records of a text."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.text: str = fields["text"]
        self.delimiter: str = fields["delimiter"]
        self.quote: str = fields["quote"]
        self.backslash = fields["escape"] == "backslash"
        self.blanks = " \t" if fields["trim"] else ""
        self.at = 0

    def records(self) -> Iterator[list[str]]:
        while self.at < len(self.text):
            if not self.line_end():
                yield self.record()
            self.at += self.line_end()

    def record(self) -> list[str]:
        record = [self.field()]
        while self.next() == self.delimiter:
            self.at += 1
            record.append(self.field())
        return record

    def field(self) -> str:
        if self.next() == self.quote:
            return self.quoted()
        start = self.at
        while not self.at_end_of_field():
            if self.next() == self.quote:
                raise DomainError("stray_quote")
            self.at += 1
        return self.text[start : self.at].strip(self.blanks)

    def quoted(self) -> str:
        content: list[str] = []
        self.at += 1
        while self.next() != self.quote or self.escaped():
            self.at += self.escaped()
            if not self.next():
                raise DomainError("unterminated_quote")
            content.append(self.next())
            self.at += 1
        self.at += 1
        if not self.at_end_of_field():
            raise DomainError("stray_quote")
        return "".join(content)

    def next(self) -> str:
        """The next character, empty at the end of the text."""
        return self.text[self.at : self.at + 1]

    def escaped(self) -> bool:
        """Whether the next character only makes the one after it part of the content."""
        if self.backslash:
            return self.next() == "\\"
        return self.text.startswith(self.quote * 2, self.at)

    def line_end(self) -> int:
        """How many characters of a line end come next."""
        return 2 if self.text.startswith("\r\n", self.at) else int(self.next() == "\n")

    def at_end_of_field(self) -> bool:
        return self.next() in ("", self.delimiter) or self.line_end() > 0


def _emitted(record: Sequence[str]) -> str:
    return ",".join(_spelled(field, alone=len(record) == 1) for field in record) + "\n"


def _spelled(field: str, *, alone: bool) -> str:
    special = any(character in field for character in ',"\r\n')
    if special or field.startswith(" ") or field.endswith(" ") or (alone and not field):
        return '"' + field.replace('"', '""') + '"'
    return field


def _generate(rng: random.Random) -> dict[str, Json]:
    drawn: dict[str, Json] = {}
    if rng.random() < 0.6:
        drawn["delimiter"] = rng.choice([",", ";", "|", "\t", "\t", ":"])
    if rng.random() < 0.4:
        drawn["quote"] = rng.choice(['"', "'"])
    if rng.random() < 0.5:
        drawn["escape"] = rng.choice(["double", "backslash", "backslash"])
    if rng.random() < 0.5:
        drawn["header"] = rng.random() < 0.3
    if rng.random() < 0.5:
        drawn["trim"] = rng.random() < 0.7
    text = _draw_text(rng, drawn)
    chance = rng.random()
    if chance < 0.08:
        cut = rng.randrange(len(text) + 1)
        text = text[:cut] + rng.choice(['"', "'"]) + text[cut:]
    elif chance < 0.15:
        text += rng.choice(['"', "'", '"x\\', "'a\nb", "a 'b'", '"a"b', "'\\'", '"\r', " \r\n"])
    elif chance < 0.19:
        text = rng.choice(["", "\n", "\r\n\n"])
    return {"text": text, **drawn}


def _draw_text(rng: random.Random, dialect: Mapping[str, Json]) -> str:
    """Records that are well formed in a dialect, all of one length but rarely."""
    delimiter, quote = dialect.get("delimiter", ","), dialect.get("quote", '"')
    escaped = "\\" if dialect.get("escape") == "backslash" else quote
    width = rng.choice([1, 2, 2, 3, 3, 4])
    lines: list[str] = []
    for index in range(rng.randint(1, 6)):
        count = width + (rng.choice([-1, 1]) if rng.random() < 0.02 else 0)
        fields = [rng.choice(_CONTENTS) for _ in range(max(1, count))]
        if index == 0 and rng.random() < 0.9:
            fields = rng.sample(_NAMES, max(1, count))
        elif index == 0:
            fields[-1] = fields[0]
        line = delimiter.join(_draw_field(rng, f, delimiter, quote, escaped) for f in fields)
        lines += [line, rng.choice(["\n", "\n", "\r\n", "\n\n"])]
    return "".join(lines if rng.random() < 0.6 else lines[:-1])


def _draw_field(rng: random.Random, content: str, delimiter: str, quote: str, escape: str) -> str:
    plain = not any(mark in content for mark in (delimiter, quote, "\n"))
    if plain and rng.random() < 0.7:
        return content
    content = content.replace("\\", "\\\\") if escape == "\\" else content
    return quote + content.replace(quote, escape + quote) + quote


_NAMES = ("id", "name", " note", "é", "e\u0301", "日本", "", "a,b", "ID", "x\ty")

_CONTENTS = (
    *("", "", "1", "ab", "a b", " a", "b ", "\ta\t", " ", "\t", "a,b", "a;b", "x|y", "k:v", "\r"),
    *('say "x"', "it's", '"', "a\nb", "a\r\nb", "\n", "\\", "\\n", "c:\\d", "a\rb", "é", "e\u0301"),
    *("😀", "\u00a0x\u00a0", "\u2028", "\x0b", "x" * 30),
)


def _table(columns: list[Json] | None, rows: Sequence[Sequence[str]], emitted: str) -> Json:
    listed = [list(row) for row in rows]
    return {"columns": columns, "rows": listed, "row_count": len(rows), "emitted": emitted}


def _rows(text: str, rows: Sequence[Sequence[str]], emitted: str, **dialect: Json) -> Case:
    """A case without header."""
    return Case({"text": text, "header": False, **dialect}, _table(None, rows, emitted))


def _fails(text: str, error: str, **dialect: Json) -> Case:
    return Case({"text": text, **dialect}, error=error)


_BOUNDARIES = (
    # Records: line ends, the last one, lines without characters, lone carriage returns.
    _rows("", [], ""),
    _rows("\n\r\n\n", [], ""),
    _rows("a\n\n\r\nb", [["a"], ["b"]], "a\nb\n"),
    _rows("a\r\nb\n", [["a"], ["b"]], "a\nb\n"),
    _rows("a\rb\r\r\nc\r", [["a\rb\r"], ["c\r"]], '"a\rb\r"\n"c\r"\n'),
    _rows("\r", [["\r"]], '"\r"\n'),
    _rows("a\x0bb\u2028c\x85", [["a\x0bb\u2028c\x85"]], "a\x0bb\u2028c\x85\n"),
    _rows('""\n x\n', [[""], [" x"]], '""\n" x"\n'),
    _rows('  \n""\n\t', [["  "], [""], ["\t"]], '"  "\n""\n\t\n'),
    Case({"text": "a,b"}, _table(["a", "b"], [], "a,b\n")),
    Case({"text": "\n\na\n1"}, _table(["a"], [["1"]], "a\n1\n")),
    # Fields: empty ones, and other delimiters.
    _rows(",\na,\n", [["", ""], ["a", ""]], ",\na,\n"),
    _rows("a ,b", [["a ", "b"]], '"a ",b\n'),
    _rows("a;b,c", [["a", "b,c"]], 'a,"b,c"\n', delimiter=";"),
    _rows("a:\t|b", [["a", "\t|b"]], "a,\t|b\n", delimiter=":"),
    # Quoted fields.
    _rows('"a,b\nc\r\nd","""x"""', [["a,b\nc\r\nd", '"x"']], '"a,b\nc\r\nd","""x"""\n'),
    _rows('"a\\",b', [["a\\", "b"]], "a\\,b\n"),
    _rows('""""', [['"']], '""""\n'),
    _rows("'''a''b',\"c\"", [["'a'b", '"c"']], '\'a\'b,"""c"""\n', quote="'"),
    _rows(
        "a|\n|'it\\'s'",
        [["a", ""], ["", "it's"]],
        "a,\n,it's\n",
        delimiter="|",
        quote="'",
        escape="backslash",
    ),
    _rows(
        '"\\a\\\\\\"\\\n",\\n,""',
        [['a\\"\n', "\\n", ""]],
        '"a\\""\n",\\n,\n',
        escape="backslash",
    ),
    # Trimming: unquoted fields only, after parsing, and no tabs if they delimit.
    _rows(' a b\t," c "', [["a b", " c "]], 'a b," c "\n', trim=True),
    _rows(" a \t\t b", [["a", "", "b"]], "a,,b\n", delimiter="\t", trim=True),
    _rows(" \n\t \n", [[""], [""]], '""\n""\n', trim=True),
    _rows(" a,\u00a0b\r\n", [["a", "\u00a0b"]], "a,\u00a0b\n", trim=True),
    _rows("a \r\nb\r \n", [["a"], ["b\r"]], 'a\n"b\r"\n', trim=True),
    Case({"text": "a, a"}, _table(["a", " a"], [], 'a," a"\n')),
    # Errors of the scan, the first from the left.
    _fails('a,b\n1, "x"', "stray_quote", trim=True),
    _fails('a"', "stray_quote"),
    _fails('"a" ,b', "stray_quote", trim=True),
    _fails('"a"\r', "stray_quote"),
    _fails('"a""', "unterminated_quote"),
    _fails('"a""b"', "stray_quote", escape="backslash"),
    _fails('"a"\\', "stray_quote", escape="backslash"),
    _fails('a\\"', "stray_quote", escape="backslash"),
    _fails('"a', "unterminated_quote"),
    _fails('"', "unterminated_quote"),
    _fails('"a\\', "unterminated_quote", escape="backslash"),
    _fails('"a\\"', "unterminated_quote", escape="backslash"),
    _fails('a"b\n"c', "stray_quote"),
    # The other errors, each before the next.
    _fails("", "no_header"),
    _fails("\n\r\n", "no_header"),
    _fails("a,a\n1", "duplicate_header"),
    _fails("a, a ", "duplicate_header", trim=True),
    _fails('a,"a"\nb"', "stray_quote"),
    _fails(",", "duplicate_header"),
    _fails("a,b\n1", "ragged_row"),
    _fails("a\nb\n1,2", "ragged_row"),
    _fails("a\nb,c", "ragged_row", header=False),
    _rows("a,a\n1,2", [["a", "a"], ["1", "2"]], "a,a\n1,2\n"),
)

FAMILY = Family(
    number=6,
    slug="csv-dialect",
    title="CSV dialect parser and normaliser",
    category="csv-json",
    difficulty=Difficulty.MEDIUM,
    summary=_SUMMARY,
    fields=(
        required("text", Text(0, 20_000), "The text to parse."),
        optional(
            "delimiter",
            Choice(",", ";", "|", "\t", ":"),
            ",",
            "A comma, a semicolon, a vertical bar, a tab or a colon.",
        ),
        optional("quote", Choice('"', "'"), '"', "U+0022 or U+0027."),
        optional("escape", Choice("double", "backslash"), "double", "How quotes are escaped."),
        optional("header", Boolean(), True, "Whether the first record is a header."),
        optional("trim", Boolean(), False),
    ),
    result=_RESULT,
    errors=(
        ErrorCode(
            "stray_quote",
            "The quote occurs in an unquoted field; or something else than a delimiter, a line end "
            "or the end of the text follows a closing quote.",
        ),
        ErrorCode(
            "unterminated_quote",
            "The text ends inside a quoted field, also directly after a backslash that escapes.",
        ),
        ErrorCode("no_header", "`header` is true and there is no record."),
        ErrorCode("duplicate_header", "`header` is true and two fields of the header are equal."),
        ErrorCode(
            "ragged_row",
            "A record does not have as many fields as the first record, whatever `header` is.",
        ),
    ),
    precedence=(
        "The answer is the first of the errors 1 and 2 that is met in reading the text from left "
        "to right. Without them, it is the first error of the list that applies."
    ),
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "text": 'id;name;note\r\n1;"Ann ""A"" Lee";x\n\n2; Bob ;"a,b\nc"',
            "delimiter": ";",
            "trim": True,
        },
        {
            "columns": ["id", "name", "note"],
            "rows": [["1", 'Ann "A" Lee', "x"], ["2", "Bob", "a,b\nc"]],
            "row_count": 2,
            "emitted": 'id,name,note\n1,"Ann ""A"" Lee",x\n2,Bob,"a,b\nc"\n',
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        Case(
            {
                "text": "size|'it\\'s'\r\n\n 5\" |' a\\\\b,\n'\n|c\\d",
                "delimiter": "|",
                "quote": "'",
                "escape": "backslash",
                "trim": True,
            },
            _table(
                ["size", "it's"],
                [['5"', " a\\b,\n"], ["", "c\\d"]],
                'size,it\'s\n"5"""," a\\b,\n"\n,c\\d\n',
            ),
        ),
        Case({"text": 'a,b\n"x" ,"y', "trim": True}, error="stray_quote"),
    ),
    malformed=(
        {"text": None},
        {"text": ["a", "b"]},
        {"text": 5},
        {"text": "a", "delimiter": ""},
        {"text": "a", "delimiter": ",,"},
        {"text": "a", "delimiter": " "},
        {"text": "a", "delimiter": "\\t"},
        {"text": "a", "delimiter": "tab"},
        {"text": "a", "delimiter": None},
        {"text": "a", "quote": "\u201c"},
        {"text": "a", "quote": ""},
        {"text": "a", "quote": '""'},
        {"text": "a", "escape": "Double"},
        {"text": "a", "escape": "\\"},
        {"text": '"', "escape": None},
        {"text": "a", "header": "true"},
        {"text": "", "header": 1},
        {"text": "a", "header": None},
        {"text": "a", "trim": 0},
        {"text": "a", "trim": "no"},
    ),
)
