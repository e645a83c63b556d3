"""Config inherit: a configuration text with sections, inheritance and late references."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from kcb_core.codec import Json
from kcb_core.family import Case, Difficulty, DomainError, ErrorCode, Family
from kcb_core.shape import Text, required

_SUMMARY = """\
Reads a configuration `text` and gives the value of every key in every section. A blank is a space
or a tab. Letters and digits are the ASCII ones.

**Lines.** LF (U+000A) separates lines. At the end of each line, also of the last one, one CR
(U+000D) is dropped if it is there. Then all blanks at both ends are dropped. A line that is now
empty or starts with `#` or `;` is ignored. Every other line has one of these forms:

- `[NAME]` or `[NAME:PARENT]` starts the section NAME. Blanks may stand inside the brackets, at
  both ends, and around the `:`. PARENT is the name of a section, which may start further down.
- `KEY=VALUE` or `KEY+=LIST` changes a key of the section that was started last. Blanks may stand
  around `=` and `+=`. After VALUE or LIST a comment may follow: `#` and any characters, with or
  without blanks before the `#`.

NAME and PARENT are 1 to 32 of: letters, digits, `_`, `-`. KEY is 1 to 64 of: letters, digits, `_`,
`.`, `-`.

VALUE is a SCALAR or a LIST. LIST is `[`, then SCALARs with a `,` between each two, then `]`. Blanks
may stand inside the brackets around each SCALAR. `[]` and `[ ]` are empty lists. SCALAR is one of:

- `true`, `false`, `null`;
- an integer: `0`, or 1 to 15 digits of which the first is not `0`; a `-` may stand before it.
  `-0` is the integer 0;
- a string in `'`: any characters but `'`, taken as they are. It has no escapes or references;
- a string in `"`. In it, `\\"`, `\\\\`, `\\n`, `\\t` and `\\$` stand for `"`, `\\`, LF, tab and
  `$`; any other `\\` is a syntax error. `${KEY}` and `${NAME:KEY}`, without blanks, are references;
  any other `${` is a syntax error. Every other character but `"` stands for itself, also a `$` that
  stands before another character than `{`.

**Inheritance.** The map of a section starts as a copy of the final map of its parent, or empty
if it has no parent. Then the lines of the section change it from top to bottom: `=` sets the key;
`+=` appends the elements of LIST to the list that the key has in the map. If the key is not in the
map, `+=` sets it to LIST.

**References** are resolved last, in the final map of every section. In a string of the final map of
a section S, inherited or not, `${KEY}` stands for the resolved value of KEY in S, and `${NAME:KEY}`
for the resolved value of KEY in the section NAME. A string is inserted as it is, an integer in
decimal, `true` and `false` as these words. All this is true of strings in lists, too."""

_RESULT = """\
An object with these members:

- `sections`: an object with one member for each section, of the section's name. Its value is an
  object with one member for each key in the final map, inherited ones too, of the key's name. Its
  value is the resolved value: a string, an integer, `true`, `false`, `null`, or an array of these.
- `order`: an array of the names of the sections in the order of the text."""

_PRECEDENCE = """\
Lines are read from the top. The first line to which one of the first three applies decides; it is
the first of the three that applies to it. If there is no such line, the others are tested in this
order, each for all sections, and the first that applies is the answer."""

_RULES = """\
- In the lines `[p]`, `u = "${h}"`, `[c:p]`, `h = 1` the `u` of `c` would be `"1"`. But `p` is
  resolved too and has no `h`: `unknown_reference`.
- If a section replaces an inherited value by `=`, the references of that value do not count for
  this section.
- Inserted text is not searched for references. `+=` does not change the list of the parent."""

_BLANKS = r"[ \t]*"
_NAME = r"[A-Za-z0-9_-]{1,32}"
_KEY = r"[A-Za-z0-9_.-]{1,64}"
_QUOTED = rf'"(?:[^"\\$]|\\["\\nt$]|\$(?!\{{)|\$\{{(?:{_NAME}:)?{_KEY}\}})*"'
_SCALAR = rf"(?:{_QUOTED}|'[^']*'|-?(?:0|[1-9][0-9]{{0,14}})|true|false|null)"
_LIST = rf"\[{_BLANKS}(?:{_SCALAR}{_BLANKS}(?:,{_BLANKS}{_SCALAR}{_BLANKS})*)?\]"
_LINE = re.compile(
    rf"\[{_BLANKS}(?P<name>{_NAME}){_BLANKS}(?::{_BLANKS}(?P<parent>{_NAME}){_BLANKS})?\]"
    rf"|(?P<key>{_KEY}){_BLANKS}(?:=|(?P<append>\+=(?={_BLANKS}\[))){_BLANKS}"
    rf"(?:(?P<scalar>{_SCALAR})|(?P<list>{_LIST})){_BLANKS}(?:#.*)?"
)
_ITEM = re.compile(_SCALAR)
_PIECE = re.compile(rf"\\(?P<escape>.)|\$\{{(?:(?P<name>{_NAME}):)?(?P<key>{_KEY})\}}|[^\\$]+|\$")
_ESCAPES = {"n": "\n", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}
_LONGEST = 10_000


class _Reference(NamedTuple):
    section: str | None
    key: str


@dataclass(frozen=True, slots=True)
class _String:
    """A string that is not resolved yet."""

    pieces: tuple[str | _Reference, ...]


_Scalar: TypeAlias = _String | int | None  # a boolean is an integer too
_Value: TypeAlias = _Scalar | list[_Scalar]
_Maps: TypeAlias = dict[str, dict[str, _Value]]


@dataclass(frozen=True, slots=True)
class _Append:
    """What a `+=` appends."""

    items: list[_Scalar]


@dataclass(slots=True)
class _Section:
    parent: str | None
    changes: dict[str, list[_Value | _Append]] = field(default_factory=dict)


def _evaluate(fields: Mapping[str, Any]) -> Json:
    sections = _read(fields["text"])
    maps = _inherited(sections)
    resolved = _resolved(maps)
    return {
        "sections": {name: {key: resolved[name, key] for key in maps[name]} for name in sections},
        "order": list(sections),
    }


def _read(text: str) -> dict[str, _Section]:
    sections: dict[str, _Section] = {}
    for raw in text.split("\n"):
        line = raw.removesuffix("\r").strip(" \t")
        if not line or line[0] in "#;":
            continue
        match = _LINE.fullmatch(line)
        if match is None or not (sections or match["name"]):
            raise DomainError("syntax_error")
        if match["name"]:
            if match["name"] in sections:
                raise DomainError("duplicate_section")
            sections[match["name"]] = _Section(match["parent"])
            continue
        changes = sections[next(reversed(sections))].changes
        if match["key"] in changes and not match["append"]:
            raise DomainError("duplicate_key")
        changes.setdefault(match["key"], []).append(_change(match))
    return sections


def _change(match: re.Match[str]) -> _Value | _Append:
    if match["scalar"]:
        return _scalar(match["scalar"])
    items = [_scalar(item) for item in _ITEM.findall(match["list"])]
    return _Append(items) if match["append"] else items


def _scalar(text: str) -> _Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] == "'":
        return _String((text[1:-1],))
    if text[0] == '"':
        return _String(tuple(map(_piece, _PIECE.finditer(text[1:-1]))))
    return int(text)


def _piece(match: re.Match[str]) -> str | _Reference:
    if match["key"]:
        return _Reference(match["name"], match["key"])
    escape = match["escape"]
    return _ESCAPES.get(escape, escape) if escape else match[0]


def _inherited(sections: Mapping[str, _Section]) -> _Maps:
    parents = {name: [s.parent] if s.parent else [] for name, s in sections.items()}
    if any(parent not in sections for above in parents.values() for parent in above):
        raise DomainError("unknown_parent")
    maps: _Maps = {}
    for name in _dependent_last(parents, "inheritance_cycle"):
        section = sections[name]
        maps[name] = dict(maps[section.parent]) if section.parent else {}
        for key, changes in section.changes.items():
            for change in changes:
                maps[name][key] = _changed(maps[name].get(key, []), change)
    return maps


def _changed(before: _Value, change: _Value | _Append) -> _Value:
    if not isinstance(change, _Append):
        return change
    if not isinstance(before, list):
        raise DomainError("not_a_list")
    return before + change.items


def _resolved(maps: _Maps) -> dict[tuple[str, str], Json]:
    values = {(name, key): value for name, own in maps.items() for key, value in own.items()}
    needs = {place: [*_targets(place[0], value)] for place, value in values.items()}
    targets = {target for needed in needs.values() for target in needed}
    if not targets <= values.keys():
        raise DomainError("unknown_reference")
    if any(values[target] is None or isinstance(values[target], list) for target in targets):
        raise DomainError("not_scalar")
    resolved: dict[tuple[str, str], Json] = {}
    for place in _dependent_last(needs, "reference_cycle"):
        value = values[place]
        if isinstance(value, list):
            resolved[place] = [_filled(item, place[0], resolved) for item in value]
        else:
            resolved[place] = _filled(value, place[0], resolved)
    return resolved


def _targets(section: str, value: _Value) -> Iterable[tuple[str, str]]:
    """The places that a value refers to, in the order of their references."""
    for item in value if isinstance(value, list) else [value]:
        for piece in item.pieces if isinstance(item, _String) else ():
            if isinstance(piece, _Reference):
                yield piece.section or section, piece.key


def _filled(value: _Scalar, section: str, resolved: Mapping[tuple[str, str], Json]) -> Json:
    if not isinstance(value, _String):
        return value
    pieces = [
        piece if isinstance(piece, str) else _spelled(resolved[piece.section or section, piece.key])
        for piece in value.pieces
    ]
    if sum(map(len, pieces)) > _LONGEST:
        raise DomainError("too_large")
    return "".join(pieces)


def _spelled(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_Node = TypeVar("_Node")


def _dependent_last(needs: Mapping[_Node, Sequence[_Node]], error: str) -> list[_Node]:
    """All nodes, each after those that it needs."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError:
        raise DomainError(error) from None


def _generate(rng: random.Random) -> dict[str, Json]:
    fault = _DRAWN.get(rng.randrange(30), "")
    blocks = _draw_sections(rng)
    if fault:
        _spoil(rng, fault, blocks)
    lines = [line for block in blocks for line in block]
    for _ in range(rng.randint(0, 4)):
        lines.insert(rng.randint(0, len(lines)), rng.choice(_IGNORED))
    indented = [rng.choice(["", "", "", " ", "\t"]) + line for line in lines]
    return {"text": rng.choice(["\n", "\n", "\n", "\r\n", " \n"]).join(indented)}


def _draw_sections(rng: random.Random) -> list[list[str]]:
    """Sections without a fault. A string refers only to keys that stand before it in `_SCALARS`."""
    known: dict[str, list[str]] = {}
    blocks: list[list[str]] = []
    for name in rng.sample(_NAMES, rng.choice([0, 1, 2, 2, 3, 3, 4])):
        parent = rng.choice(list(known)) if known and rng.random() < 0.65 else None
        own = rng.sample([*_SCALARS, *_LISTS, "none"], rng.randint(0, 6))
        known[name] = list(dict.fromkeys([*own, *known.get(parent or "", [])]))
        header = rng.choice(
            ["[{0}]", "[ {0} ]"] if parent is None else ["[{0}:{1}]", "[{0} : {1}]"]
        )
        block = [header.format(name, parent)]
        for key in own:
            block += _draw_lines(rng, key, name, known)
        blocks.append(block)
    rng.shuffle(blocks)
    return blocks


def _draw_lines(
    rng: random.Random, key: str, section: str, known: Mapping[str, list[str]]
) -> list[str]:
    """One line that gives a key a value, or several that fill a list."""
    before = _SCALARS[: _SCALARS.index(key)] if key in _SCALARS else _SCALARS
    references = [f"${{{k}}}" for k in known[section] if k in before]
    references += [f"${{{s}:{k}}}" for s, keys in known.items() for k in keys if k in before]
    space, comment = rng.choice(["", " ", " ", "\t"]), rng.choice(_COMMENTS)
    if key == "none":
        return [f"none{space}={space}null{comment}"]
    if key in _SCALARS:
        return [f"{key}{space}={space}{_draw_scalar(rng, references)}{comment}"]
    lines: list[str] = []
    for _ in range(rng.choice([1, 1, 2])):
        items = [_draw_scalar(rng, references) for _ in range(rng.choice([0, 1, 2, 3]))]
        operator = rng.choice(["=", "+=", "+="]) if not lines else "+="
        joined = rng.choice([",", ", ", " ,\t"]).join(items)
        lines.append(f"{key}{space}{operator}{space}[{space}{joined}{space}]{comment}")
    return lines


def _draw_scalar(rng: random.Random, references: Sequence[str]) -> str:
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(_PLAIN)
    pieces = [rng.choice(_PIECES) for _ in range(rng.randint(0, 3))]
    if references:
        pieces += [rng.choice(references) for _ in range(rng.randint(1, 2))]
    rng.shuffle(pieces)
    return f'"{"".join(pieces)}"'


def _spoil(rng: random.Random, fault: str, blocks: list[list[str]]) -> None:
    """Puts a fault into sections; now and then another one, so that one comes before the other."""
    lines: Sequence[str] = rng.choice(_FAULTS[fault])
    if fault == "syntax_error":
        rng.choice(blocks or [[]]).append(lines[0])
        blocks.append(["[last]", *lines])
    else:
        blocks.insert(rng.randint(0, len(blocks)), list(lines))
    if rng.random() < 0.3:
        later = list(_FAULTS)[list(_FAULTS).index(fault) :]
        blocks.append([line.replace("z", "y") for line in rng.choice(_FAULTS[rng.choice(later)])])


_NAMES = ("base", "prod", "x-1", "_", "Base", "32_characters-are-allowed-for-it")

_SCALARS = ("host", "port", "on", "a.b", "HOST", "url-1", "0")

_LISTS = ("tags", "-")

_IGNORED = ("", " \t", "# [a]", "; x = ?", "#", "\t;é")

_COMMENTS = ("", "", "", " # c", "#'\"]", "\t# 𝒳 = 1")

_PLAIN = (
    *("0", "-0", "7", "-12", "80", "999999999999999", "true", "false", "''", "'a b'", "'${host}'"),
    *("'\\n\"$'", "'eu#1'", "'𝒳'", "'e\u0301;'", '"é"', '"\\\\"'),
)

_PIECES = (
    *(
        "a",
        "é",
        "e\u0301",
        "𝒳",
        "\\n",
        "\\t",
        '\\"',
        "\\\\",
        "\\$",
        "\\${host}",
        "$",
        "$5 ",
        "#",
        ";",
    ),
    *("'", " ", "\t", "://", "]", ",", "\u2028"),
)

# The numbers make the first 24 inputs of the shipped dataset reach every error.
_DRAWN = {
    4: "syntax_error",
    7: "duplicate_section",
    8: "duplicate_key",
    12: "unknown_parent",
    15: "inheritance_cycle",
    16: "not_a_list",
    19: "unknown_reference",
    26: "not_scalar",
    27: "reference_cycle",
    28: "too_large",
}

_FAULTS: dict[str, Sequence[Sequence[str]]] = {
    "syntax_error": (
        *(["k"], ["k = "], ["k = [1,]"], ["k = 01"], ["k += 1"], ["k = 'a' 'b'"], ["k = 1 ; c"]),
        *(['k = "${ host}"'], ['k = "\\x"'], ['k = "${"'], ["k = True"], ["[z] # c"], ["[z:]"]),
        *(["k = [[1]]"], ["\u00a0"], ["[é]"], ["k = 1000000000000000"], ["k = 1.5"], ["k = '"]),
    ),
    "duplicate_section": (["[z]", "[z]"], ["[z]", "k = 1", "[zz]", "[z : zz]"]),
    "duplicate_key": (
        ["[z]", "k = 1", "k = 1"],
        ["[z]", "k += [1]", "x = 1", "k = [2]"],
        ["[z]", "k = [1]", "k += [2]", "k = 3"],
    ),
    "unknown_parent": (["[z : nowhere]"], ["[z : Zz]", "[zz]"]),
    "inheritance_cycle": (
        ["[z : z]"],
        ["[z : zz]", "[zz : z]"],
        ["[z : z2]", "[z2 : z3]", "[z3 : z2]"],
    ),
    "not_a_list": (
        ["[z]", "k = 1", "k += [2]"],
        ["[z]", "k = null", "[zz : z]", "k += []"],
        ["[zz : z]", "k += ['b']", "[z]", "k = 'a'"],
    ),
    "unknown_reference": (
        ["[z]", 'k = "${nope}"'],
        ["[z]", 'k = "${nowhere:host}"'],
        ["[z]", 'k = ["a", "${zz:K}"]', "[zz]", "k = 1"],
        ["[z]", 'k = "${late}"', "[zz : z]", "late = 1"],
    ),
    "not_scalar": (
        ["[z]", "k = null", 'x = "${k}"'],
        ["[z]", "k = [1]", 'x = ["${k}"]'],
        ["[z]", "k = 1", 'x = "${k}"', "[zz : z]", "k = []"],
        ["[z]", 'x = "${zz:k}"', "[zz]", "k = null"],
    ),
    "reference_cycle": (
        ["[z]", 'k = "${k}"'],
        ["[z]", 'k = "${zz:x}"', "[zz]", 'x = "a${z:k}"'],
        ["[z]", 'k = "${x}"', "x = 1", "[zz : z]", 'x = "${k}"'],
    ),
    "too_large": (
        ["[z]", f"a = '{'x' * 101}'", f'k = "{"${a}" * 100}"'],
        ["[z]", f"a = '{'𝒳' * 100}'", f'k = ["", "{"${a}" * 100}!"]'],
    ),
}


def _gives(text: str, sections: dict[str, Json]) -> Case:
    """A result whose sections are written in the order of the text."""
    return Case({"text": text}, {"sections": sections, "order": list(sections)})


def _value(value: str, result: Json) -> Case:
    """A section with one key."""
    return _gives(f"[a]\nk = {value}", {"a": {"k": result}})


def _fails(text: str, error: str) -> Case:
    return Case({"text": text}, error=error)


_BOUNDARIES = (
    # Lines: ends, blanks, comments.
    _gives("", {}),
    _gives("\r", {}),
    _gives("# c\n \t\n;[a]\n\t# x = ?\r\n\r\n", {}),
    _gives(" \t[ a\t]\t\r\n\tk\t=\t1\t\r\n  l += [ ]\r", {"a": {"k": 1, "l": []}}),
    _gives("[a]\r", {"a": {}}),
    _gives("[a]\nk='\r'\r\n", {"a": {"k": "\r"}}),
    *(
        _fails(text, "syntax_error")
        for text in (
            *(
                "[a]\r\r\n",
                "[a]\r \n",
                "[a]\n\r\r",
                "\u00a0",
                "[a]\n\f",
                "[a]\u2028k = 1",
                "[a]\rk=1",
            ),
            *("x=1", "# c\nx = 1\n[a]", "[a]\nk = 1\n x", "[a]\n//"),
        )
    ),
    # Headers and keys.
    _gives("[a:b]\n[b \t:\tc]\n[ c ]", {"a": {}, "b": {}, "c": {}}),
    _gives(f"[{'n' * 32}]\n{'k' * 64}=1", {"n" * 32: {"k" * 64: 1}}),
    _gives(
        "[-]\n.-=1\n[_:-]\n1 = 2\n[A]\n[a]",
        {"-": {".-": 1}, "_": {".-": 1, "1": 2}, "A": {}, "a": {}},
    ),
    _gives("[a]\nx=[1]\nX = 2\nx+=[3]", {"a": {"x": [1, 3], "X": 2}}),
    *(
        _fails(text, "syntax_error")
        for text in (
            *(
                "[]",
                "[a:]",
                "[:a]",
                "[a b]",
                "[a] # c",
                "[a];",
                "[a",
                "a]",
                "[a:b:c]",
                "[é]",
                "[a.b]",
            ),
            *(f"[{'n' * 33}]", f"[a:{'n' * 33}]", f"[a]\n{'k' * 65}=1", "[a]\n=1", "[a]\né=1"),
            *("[a]\nk", "[a]\nk 1", "[a]\nk: 1", "[a]\nk k=1", "[a]\nk==1", "[a]\nk+ =[1]"),
            *("[a]\nk=+[1]", "[a]\n'k'=1", "[a]\nk:k=1", "[a]\n[[b]]"),
        )
    ),
    # Values.
    _value("-0", 0),
    _value("999999999999999", 999_999_999_999_999),
    _value("-999999999999999#", -999_999_999_999_999),
    _value("true#'", True),
    _value("false # ${x}", False),
    _value("null\t#", None),
    _value("'' # it's", ""),
    _value(r"""'\n\${k}#"'#'""", r'\n\${k}#"'),
    _value(r'''"'#;\\\"\n\t\$"#"''', "'#;\\\"\n\t$"),
    _value('"\t\rA\u0301\u2028😀"', "\t\rA\u0301\u2028😀"),
    _value('"$ $$ a$ $\\n$"', "$ $$ a$ $\n$"),
    _value(r'"\${k} $\${k} {k}"', "${k} $${k} {k}"),
    _value("[]", []),
    _value("[ \t]# ]", []),
    _value("[1,-0 ,\ttrue,false,null ]", [1, 0, True, False, None]),
    _value("""["a,]", '],"' ] # ]""", ["a,]", '],"']),
    *(
        _fails(f"[a]\nk = {value}", "syntax_error")
        for value in (
            *(
                "",
                "#",
                "01",
                "-01",
                "+1",
                "--1",
                "- 1",
                "-",
                "1.0",
                "1e3",
                "1_0",
                "1000000000000000",
                "１",
            ),
            *(
                "True",
                "NULL",
                "nul",
                "truex",
                "a",
                "1 2",
                "1 ; c",
                "1;",
                "'a' 'b'",
                "'it''s'",
                "'a",
                '"a',
            ),
            *(
                '"a"b"',
                '"',
                '"\\"',
                '"\\x"',
                '"\\u0041"',
                '"\\\'"',
                '"\\r"',
                '"\\{"',
                '"\\',
                '"a" + "b"',
            ),
            *(
                '"${}"',
                '"${"',
                '"${k"',
                '"${ k}"',
                '"${k }"',
                '"${a:}"',
                '"${:k}"',
                '"${a:b:c}"',
                '"${é}"',
            ),
            *('"${a.b:k}"', '"${k+}"', f'"${{{"k" * 65}}}"', f'"${{{"a" * 33}:k}}"', '"$${"'),
            *(
                "[1,]",
                "[,1]",
                "[,]",
                "[1 2]",
                "[1,,2]",
                "[1",
                "1]",
                "[[1]]",
                "[1] 2",
                "[01]",
                "[a]",
                "[']",
            ),
        )
    ),
    _fails("[a]\nk += 1", "syntax_error"),
    _fails('[a]\nk += "[1]"', "syntax_error"),
    # Lines that are at fault, and which of them decides.
    _fails("[a]\nx=[1,]\n[a]", "syntax_error"),
    _fails("[a]\nx=1\nx=?", "syntax_error"),
    _fails("[a]\n[a]\nx=?", "duplicate_section"),
    _fails("[a]\nx=1\n[a : b]\n[b]", "duplicate_section"),
    _fails("[a]\nx=1\nx=2\n[a]\n?", "duplicate_key"),
    _fails("[a]\nx=1\nx=1", "duplicate_key"),
    _fails("[a:q]\nx += [1]\nx = 2", "duplicate_key"),
    _fails("[a]\nx = [1]\nx += [2]\ny = 1\nx = [3]", "duplicate_key"),
    # Inheritance.
    _gives(
        "[c:b]\nt+=[3]\n[b:a]\nt+=[2]\n[a]\nt=[1]",
        {"c": {"t": [1, 2, 3]}, "b": {"t": [1, 2]}, "a": {"t": [1]}},
    ),
    _gives(
        "[a]\nx=1\ny=2\n[b:a]\ny='b'\n[c:b]\n[d:a]\nz=3",
        {
            "a": {"x": 1, "y": 2},
            "b": {"x": 1, "y": "b"},
            "c": {"x": 1, "y": "b"},
            "d": {"x": 1, "y": 2, "z": 3},
        },
    ),
    _gives(
        "[a]\nt=1\n[b:a]\nt=[2]\nt+=[3]\nt+=[2]\n[c:b]\nt=null",
        {"a": {"t": 1}, "b": {"t": [2, 3, 2]}, "c": {"t": None}},
    ),
    _gives("[a]\nt+=[1]\nt+=[]\n[b:a]\nt=[]", {"a": {"t": [1]}, "b": {"t": []}}),
    _fails("[a:q]", "unknown_parent"),
    _fails("[a]\n[b:A]", "unknown_parent"),
    _fails("[a:a]\n[b:q]", "unknown_parent"),
    _fails("[a:a]", "inheritance_cycle"),
    _fails("[a:b]\n[b:a]\nx=1", "inheritance_cycle"),
    _fails("[a]\nx=1\nx+=[2]\n[b:c]\n[c:d]\n[d:c]", "inheritance_cycle"),
    _fails('[a]\nx=1\ny="${q}"\n[b:a]\nx+=[2]', "not_a_list"),
    _fails("[a]\nx=1\nx+=[2]", "not_a_list"),
    _fails("[a]\nx=null\nx+=[]", "not_a_list"),
    _fails("[b:a]\nx+=['b']\nx+=[]\n[a]\nx='[1]'", "not_a_list"),
    # References.
    _gives('[a]\nx = "\\$${y}$é\\"" # c\r\ny=-5\nz=[ ]', {"a": {"x": '$-5$é"', "y": -5, "z": []}}),
    _gives(
        '[a]\nt=true\nf=false\ni=-0\nall="${t}${f}${i}${s}"\n'
        's=\'${t}\\n\'\nl=["${all}", "${i}${i}", 0]',
        {
            "a": {
                "t": True,
                "f": False,
                "i": 0,
                "all": "truefalse0${t}\\n",
                "s": "${t}\\n",
                "l": ["truefalse0${t}\\n", "00", 0],
            }
        },
    ),
    _gives(
        '[a]\nh=1\nu="<${h}>"\nl=["${u}"]\n[b:a]\nh=2\nv="${a:u}${u}${b:h}"\nl+=["${h}"]',
        {
            "a": {"h": 1, "u": "<1>", "l": ["<1>"]},
            "b": {"h": 2, "u": "<2>", "l": ["<2>", "2"], "v": "<1><2>2"},
        },
    ),
    _gives(
        '[a]\nx="${b:x}"\ny=\'1\'\n[b]\nx="${a:y}"\n[c:a]\nx="(${a:x})"\ny="2"',
        {"a": {"x": "1", "y": "1"}, "b": {"x": "1"}, "c": {"x": "(1)", "y": "2"}},
    ),
    _gives(
        '[a-1]\nb.c-d=1\n[b]\ns="${a-1:b.c-d}$${a-1:b.c-d}"',
        {"a-1": {"b.c-d": 1}, "b": {"s": "1$1"}},
    ),
    _gives(
        '[a]\nx="${k}"\nk=1\n[b:a]\nk=null\nx=2\n[c:a]\nk="${x}"\nx=3',
        {"a": {"x": "1", "k": 1}, "b": {"x": 2, "k": None}, "c": {"x": 3, "k": "3"}},
    ),
    _gives(
        '[b:a]\nx = \'"\'\n[a]\ny = "${x}"\nx=1',
        {"b": {"y": '"', "x": '"'}, "a": {"y": "1", "x": 1}},
    ),
    _fails('[a]\ny="${x}"\n[b:a]\nx=1', "unknown_reference"),
    _fails('[a]\ny="${X}"\nx=1', "unknown_reference"),
    _fails('[a]\ny="${b:x}"\nx=1\n[b]', "unknown_reference"),
    _fails('[a]\ny="${b:x}"\nx=1', "unknown_reference"),
    _fails('[a]\ny=[1, "${x}"]', "unknown_reference"),
    _fails('[a]\ny="${x}${z}"\nx=null', "unknown_reference"),
    _fails('[a]\nx=null\ny="${x}"\n[b]\ny="${x}"', "unknown_reference"),
    _fails('[a]\ny="${x}"\nx=null\nz="${z}"', "not_scalar"),
    _fails('[a]\nx=1\ny="${x}"\n[b:a]\nx=[]', "not_scalar"),
    _fails('[a]\nx=["a"]\ny=["${x}"]', "not_scalar"),
    _fails('[a]\ny="${b:x}"\nx=1\n[b]\nx=null', "not_scalar"),
    _fails('[a]\ny="${y}"', "reference_cycle"),
    _fails('[a]\nl=["${a:y}"]\ny="${l2}"\nl2="${y}"', "reference_cycle"),
    _fails('[a]\ny="${b:y}"\n[b]\ny="${a:y}"', "reference_cycle"),
    _fails('[a]\nx="${y}"\ny=1\n[b:a]\ny="${x}"', "reference_cycle"),
    # The longest string: 10000 code points.
    _gives(
        f"[a]\nx='{'😀' * 100}'\ny=\"{'${x}' * 100}\"",
        {"a": {"x": "😀" * 100, "y": "😀" * 10_000}},
    ),
    _fails(f"[a]\nx='{'x' * 100}'\ny=\"{'${x}' * 100}!\"", "too_large"),
    _fails(f"[a]\nx='{'x' * 100}'\ny=[1, \"{'${x}' * 101}\"]", "too_large"),
    _fails(f'[a]\nx=\'{"x" * 100}\'\ny="{"${x}" * 101}"\nz="${{z}}"', "reference_cycle"),
)

FAMILY = Family(
    number=42,
    slug="config-inherit",
    title="Sectioned config with inheritance and references",
    category="parsing",
    difficulty=Difficulty.DEMANDING,
    summary=_SUMMARY,
    fields=(required("text", Text(0, 8_000), "The configuration."),),
    result=_RESULT,
    errors=(
        ErrorCode(
            "syntax_error",
            "The line has none of the forms above, or it is a line of a key and no section was "
            "started before it.",
        ),
        ErrorCode("duplicate_section", "The line starts a section whose name was used before."),
        ErrorCode(
            "duplicate_key",
            "The line is `KEY=VALUE`, and a line before it in the same section has the same KEY "
            "with `=` or `+=`.",
        ),
        ErrorCode("unknown_parent", "A PARENT is not the name of a section."),
        ErrorCode(
            "inheritance_cycle",
            "A section is its own parent, or the parent of its parent, and so on.",
        ),
        ErrorCode(
            "not_a_list",
            "`+=` for a key that has in the map, at this line, a value that is not a list.",
        ),
        ErrorCode(
            "unknown_reference",
            "In the final map of a section, a string refers to a section that does not exist, or "
            "to a key that is not in the final map of the section that it means.",
        ),
        ErrorCode("not_scalar", "In a final map, a string refers to `null` or to a list."),
        ErrorCode(
            "reference_cycle",
            "In a final map, a string refers to itself, or to a string that refers to it, and so "
            "on.",
        ),
        ErrorCode("too_large", "A resolved string, also in a list, has over 10000 code points."),
    ),
    precedence=_PRECEDENCE,
    rules=_RULES,
    evaluate=_evaluate,
    generate=_generate,
    golden=Case(
        {
            "text": '# demo\n[base]\nhost = "localhost"\nport=80\n'
            "url = \"http://${host}:${port}/\"  # late\ntags = ['a']\n\n"
            '[prod : base]\nhost = "${meta:zone}.example"\ntags += [true, "${port}"]\n'
            "[meta]\nzone = 'eu#1'\n"
        },
        {
            "sections": {
                "base": {
                    "host": "localhost",
                    "port": 80,
                    "url": "http://localhost:80/",
                    "tags": ["a"],
                },
                "prod": {
                    "host": "eu#1.example",
                    "port": 80,
                    "url": "http://eu#1.example:80/",
                    "tags": ["a", True, "80"],
                },
                "meta": {"zone": "eu#1"},
            },
            "order": ["base", "prod", "meta"],
        },
    ),
    boundaries=_BOUNDARIES,
    examples=(
        _gives(
            "; two sections\n[dev : all]\nname = 'dev'  # seen by path\nports += [-1, \"${n}\"]\n\n"
            '[all]\nname = "all"\npath = "/${name}/\\${x}\\n$"\nn = 0\nports = [80, null]\n',
            {
                "dev": {
                    "name": "dev",
                    "path": "/dev/${x}\n$",
                    "n": 0,
                    "ports": [80, None, -1, "0"],
                },
                "all": {"name": "all", "path": "/all/${x}\n$", "n": 0, "ports": [80, None]},
            },
        ),
        _fails('[a : b]\nx = "${y}"\n[b]\ny = [1]\nz = "${b:w}"', "unknown_reference"),
    ),
    malformed=(
        {"text": None},
        {"text": 0},
        {"text": ["[a]", "k = 1"]},
        {"text": {"a": {"k": 1}}},
        {"text": "#" * 8_001},
        {"text": "[a]\nk = '" + "é" * 7_992 + "'"},
    ),
)
