"""The families about text: conformance, invariants, and wrong variants that the cases catch."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import groupby

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.text_processing import (
    identifier_case,
    line_diff,
    paragraph_justify,
    text_template,
)

pytestmark = pytest.mark.families


class TestParagraphJustify(FamilyConformance):
    """What every family keeps."""

    family = paragraph_justify.FAMILY


class TestLineDiff(FamilyConformance):
    """What every family keeps."""

    family = line_diff.FAMILY


class TestTextTemplate(FamilyConformance):
    """What every family keeps."""

    family = text_template.FAMILY


class TestIdentifierCase(FamilyConformance):
    """What every family keeps."""

    family = identifier_case.FAMILY


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def test_justified_text_keeps_its_characters_and_fills_its_lines() -> None:
    """Wrapping moves words and loses none; full lines are exactly as long as the width."""
    for fields, result in _results(paragraph_justify.FAMILY):
        lines = result["lines"]
        kept = re.sub(r"[ \t\r\n]", "", fields["text"])
        assert re.sub(" ", "", "".join(lines)) == kept
        assert not any(line.endswith(" ") for line in lines)
        assert len(re.findall(r"[^ ]+", " ".join(lines))) == result["words"]
        assert lines.count("") == max(0, result["paragraphs"] - 1)
        if fields.get("mode", "justify") == "justify":
            for line, following in zip(lines, [*lines[1:], ""], strict=False):
                if following and len(re.findall("[^ ]+", line)) > 1:
                    assert len(line) == fields["width"]


def _applied(old: list[str], hunks: list[Json]) -> list[str]:
    """The new lines that the hunks make of the old ones."""
    new: list[str] = []
    at = 0
    for hunk in hunks:
        match = re.fullmatch(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@", hunk["header"])
        assert match is not None
        a, b, c, d = map(int, match.groups())
        start = a - 1 if b else a
        new += old[at:start]
        assert len(new) == (c - 1 if d else c)
        at = start
        for line in hunk["lines"]:
            if line[0] == "+":
                new.append(line[1:])
                continue
            assert old[at] == line[1:]
            at += 1
            if line[0] == " ":
                new.append(line[1:])
        assert (at, len(new)) == (start + b, (c - 1 if d else c) + d)
    return new + old[at:]


def test_hunks_turn_the_old_lines_into_the_new_ones() -> None:
    """A diff that cannot be applied is none."""
    for fields, result in _results(line_diff.FAMILY):
        ends = " \t" if fields.get("ignore_trailing_space") else ""
        new = [line.rstrip(ends) for line in _applied(fields["old"], result["hunks"])]
        assert new == [line.rstrip(ends) for line in fields["new"]]
        assert result["removed"] == len(fields["old"]) - result["lcs"]
        assert result["added"] == len(fields["new"]) - result["lcs"]


def test_templates_render_piece_by_piece() -> None:
    """Templates that are complete on their own can be joined; comments render nothing."""
    drawn = [fields for fields, _ in _results(text_template.FAMILY)]
    rng = random.Random(5)
    for fields in drawn:
        other = rng.choice(drawn)["template"]
        data = {"data": fields["data"], "strict": fields.get("strict", True)}
        outputs = [
            answer(text_template.FAMILY, {"template": template, **data})
            for template in (
                fields["template"],
                other,
                fields["template"] + other,
                fields["template"] + "{{! {{ x |}}" + other,
            )
        ]
        assert outputs[2] == outputs[3]
        if "result" in outputs[1]:
            joined = outputs[0]["result"]["output"] + outputs[1]["result"]["output"]
            assert outputs[2]["result"] == {"output": joined, "length": len(joined)}
        plain = fields["template"].replace("{{", "{ {")
        result = {"output": plain, "length": len(plain)}
        assert answer(text_template.FAMILY, {"template": plain, **data}) == {"result": result}


def test_words_of_an_identifier_are_its_characters() -> None:
    """Splitting loses only separators, and a name in snake case stays as it is."""
    for _, result in _results(identifier_case.FAMILY):
        spelled = []
        for item in result["results"]:
            assert "".join(item["words"]) == re.sub("[_. -]", "", item["name"]).lower()
            spelled.append("_".join(item["words"]))
        again = answer(identifier_case.FAMILY, {"names": spelled, "style": "snake"})["result"]
        assert [item["converted"] for item in again["results"]] == spelled
        groups = {
            converted: {name for _, name in pairs}
            for converted, pairs in groupby(
                sorted((i["converted"], i["name"]) for i in result["results"]), lambda p: p[0]
            )
        }
        several = [c for c in sorted(groups) if len(groups[c]) > 1]
        assert [c["converted"] for c in result["collisions"]] == several
        assert all(set(c["names"]) == groups[c["converted"]] for c in result["collisions"])


_WRONG = {
    paragraph_justify: [
        ("if longest <= 0:", "if longest < 0:"),
        (
            'DomainError("indent_too_wide")',
            'DomainError({"error": "word_too_long"}.get(fields["long_words"], "indent_too_wide"))',
        ),
        ("len(w) > longest for", "len(w) > width for"),
        ("len(w) > longest for", "len(w) >= longest for"),
        ("_pieces(word, longest)", "_pieces(word, width)"),
        ("count += len(words)", "count += len(paragraph)"),
        ('r"[^ \\t\\r]+"', 'r"\\S+"'),
        ('text.split("\\n")', "text.splitlines()"),
        ("capacity = first if len(lines) == 1 else width", "capacity = width"),
        ("capacity = first if len(lines) == 1 else width", "capacity = first"),
        ("word])) > capacity", "word])) >= capacity"),
        ("(last or len(line) == 1)", "len(line) == 1"),
        ("capacity = width - indent if first else width", "capacity = width"),
        ("(indent if first else 0)", "(indent if first and mode != 'center' else 0)"),
        ("(capacity - len(joined)) // 2", "(capacity - len(joined) + 1) // 2"),
        ("(gap < wider)", "(gap >= gaps - wider)"),
        ('lines += ["", ', "lines += [" + '*[""] * (paragraph is paragraphs[0]), '),
    ],
    line_diff: [
        ("lengths[i + 1][j] >= lengths[i][j + 1]", "lengths[i + 1][j] > lengths[i][j + 1]"),
        ("> 40_000", ">= 40_000"),
        ("> 40_000", "> 40_001"),
        (' or "\\r" in line', ""),
        (
            'DomainError("newline_in_line")',
            'DomainError("too_large" if len(old) * len(new) > 40_000 else "newline_in_line")',
        ),
        ('.rstrip(" \\t") if trailing', ".rstrip() if trailing"),
        ('.rstrip(" \\t") if trailing', '.strip(" \\t") if trailing'),
        ('.rstrip(" \\t") if trailing', '.rstrip(" ") if trailing'),
        ('line.rstrip(" \\t") if trailing else line for line in old', "line for line in old"),
        ("yield _Step(_KEEP, old[i])", "yield _Step(_KEEP, new[j])"),
        ("> 2 * context", ">= 2 * context"),
        ("> 2 * context", "> context"),
        ("max(0, start - context)", "start - min(start, 3)"),
        ("end + 1 + context)", "end + context)"),
        ("{before + (count > 0)}", "{before + 1}"),
        ("{before + (count > 0)},{count}", "{before + (count > 0)}{f',{count}' * (count != 1)}"),
        ("left[i] == right[j] else max", "i >= 0 and left[i] == right[0] else max"),
    ],
    text_template: [
        ('find("}}", start + 2)', 'rfind("}}", start + 2)'),
        ('find("}}", start + 2)', 'find("}}", at)'),
        ("end].strip(_SPACE)", "end].strip()"),
        ('_SPACE = " \\t\\r\\n"', '_SPACE = " \\t\\n"'),
        ("0|[1-9][0-9]{{0,3}}", "[0-9]+"),
        ("0|[1-9][0-9]{{0,3}}", "0|[1-9][0-9]{{0,4}}"),
        ('_NAME = "[A-Za-z_][A-Za-z0-9_]*"', '_NAME = r"\\w+"'),
        ("[a-z]+)*)", "[A-Za-z]+)*)"),
        ("len(self.open) == _LIMIT", "len(self.open) == _LIMIT + 1"),
        ("len(self.open) == _LIMIT", 'len(self.open) == _LIMIT and match["keyword"] == "if"'),
        ('block.keyword != "if" or ', ""),
        (" or len(block.parts) == 2", ""),
        ("self.loops[-1][0] if self.loops", "self.loops[0][0] if self.loops"),
        ("self.loops[-1][1] if self.loops", "self.loops[0][1] if self.loops"),
        (
            "self.loops[-1][1] if self.loops else _UNDEFINED",
            "self.loops[-1][1] if self.loops else 0",
        ),
        ("in reversed(elements)", "in elements"),
        ("elements = [self.data, *", "elements = [*"),
        ("and segment in e)", "and e.get(segment) is not None)"),
        ("value.get(segment, _UNDEFINED)", "value.get(segment)"),
        ("if value is not _UNDEFINED and value else 1", "if value else 1"),
        ("not _UNDEFINED and value else 1", "not _UNDEFINED and value is not None else 1"),
        ("isinstance(value, list) and segment.isdigit()", "segment.isdigit() and value"),
        ("int(segment) < len(value)", "int(segment) <= len(value)"),
        ('if scope.strict:\n            raise DomainError("undefined_name")\n        ret', "ret"),
        ("not isinstance(value, takes)", "not isinstance(value, (*takes, type(None)))"),
        ("text.translate(_UPPER)", "text.upper()"),
        ("text.translate(_LOWER)", "text.lower()"),
        ("text.strip(_SPACE)", "text.strip()"),
        ('"len": ((str, list, dict), len)', '"len": ((str, list), len)'),
        ("if any(isinstance(value, list | dict) for value in values)", "if False"),
        ("str(value).lower() if isinstance(value, bool) else str(value)", "str(value)"),
        ('if value is None:\n        return ""', 'if value is None:\n        return "null"'),
        ('return ", ".join(', 'return ",".join('),
        ("len(output)}", "len(output.encode('utf-16-le')) // 2}"),
        ('raise DomainError("unclosed_block")', "pass"),
        (
            "if not all(name in _FILTERS for name in filters)",
            "if filters[0:] and filters[0] not in _FILTERS",
        ),
    ],
    identifier_case: [
        ("(?<=[a-z0-9])(?=[A-Z])", "(?<=[a-z])(?=[A-Z])"),
        ("(?<=[A-Z])(?=[A-Z][a-z])", "(?<=[A-Z])(?=[A-Z][a-z0-9])"),
        ("|(?<=[A-Z])(?=[A-Z][a-z])", ""),
        ("(?<=[a-z0-9])(?=[A-Z])|", "(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])|"),
        ('r"[_. -]+"', 'r"[_ -]+"'),
        ('style not in ("title", "kebab")', 'style not in ("title",)'),
        ('style not in ("title", "kebab")', "style"),
        (
            "spelling[0].isdigit() for spelling in converted.values()",
            "n[0].isdigit() for n in names",
        ),
        ("if not all(words.values()):", "if not any(words.values()) and names:"),
        ("word.upper() if word in acronyms else word.capitalize()", "word.capitalize()"),
        ("else word.capitalize() for", "else word.title() for"),
        (
            "capitalized[0] = words[0]",
            "capitalized[0] = capitalized[0][0].lower() + capitalized[0][1:]",
        ),
        ('"_".join(words).upper()', '"_".join(w if w in acronyms else w.upper() for w in words)'),
        ("for c in sorted(names)", "for c in names"),
        ("for c in sorted(names)", "for c in sorted(names, key=str.lower)"),
        ('"-".join(words)', '"-".join(w.upper() if w in acronyms else w for w in words)'),
        ("names[c]} for c", "sorted(names[c])} for c"),
        (
            'DomainError("no_words")',
            'DomainError("leading_digit" if "8bit" in names and fields["strict"] else "no_words")',
        ),
        ("names.setdefault(spelling, [])", "names.setdefault(spelling.lower(), [])"),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
