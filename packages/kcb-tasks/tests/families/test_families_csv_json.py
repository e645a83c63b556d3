"""The families about tables and documents: conformance, invariants, and wrong variants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.equality import same
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.csv_json import (
    csv_dialect,
    json_patch,
    markdown_table,
    schema_check,
    table_pivot,
)

pytestmark = pytest.mark.families


class TestCsvDialect(FamilyConformance):
    """What every family keeps."""

    family = csv_dialect.FAMILY


class TestJsonPatch(FamilyConformance):
    """What every family keeps."""

    family = json_patch.FAMILY


class TestTablePivot(FamilyConformance):
    """What every family keeps."""

    family = table_pivot.FAMILY


class TestSchemaCheck(FamilyConformance):
    """What every family keeps."""

    family = schema_check.FAMILY


class TestMarkdownTable(FamilyConformance):
    """What every family keeps."""

    family = markdown_table.FAMILY


def _results(family: Family, **changes: Json) -> Iterator[tuple[dict[str, Json], Json]]:
    """100 random inputs with a result, some fields as given, and the results."""
    drawn = ({**fields, **changes} for fields in generated_inputs(family, 4_242, 400))
    pairs = ((fields, answer(family, fields)) for fields in drawn)
    found = list(islice(((i, given["result"]) for i, given in pairs if "result" in given), 100))
    assert len(found) == 100
    yield from found


def test_emitted_records_are_read_back() -> None:
    """The canonical form is a fixed point: reading it with the defaults changes nothing."""
    for fields, result in _results(csv_dialect.FAMILY):
        header = fields.get("header", True)
        again = answer(csv_dialect.FAMILY, {"text": result["emitted"], "header": header})
        assert again == {"result": result}


def test_a_patched_document_passes_a_test_of_itself() -> None:
    """The result is what a test at the end of the patch sees; no operation changes nothing."""
    family = json_patch.FAMILY
    for fields, result in _results(family):
        doc = result["doc"]
        assert result["changed"] != same(fields["doc"], doc)
        assert same(answer(family, {**fields, "ops": []})["result"]["doc"], fields["doc"])
        if family.fields[0].shape.admits(doc):
            tested = [*fields["ops"], {"op": "test", "path": "", "value": doc}]
            again = answer(family, {**fields, "ops": tested})["result"]
            assert same(again, {**result, "applied": len(tested)})


def test_totals_of_rows_and_of_columns_add_up() -> None:
    """Every number is in one row and in one column."""
    for _, result in _results(table_pivot.FAMILY, agg="sum", fill=0, totals=True):
        assert sum(row["total"] for row in result["rows"]) == result["grand_total"]
        assert sum(result["column_totals"]) == result["grand_total"]
        for row in result["rows"]:
            assert sum(row["cells"]) == row["total"]


def _exists(doc: Json, pointer: str) -> bool:
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(doc, dict) and name in doc:
            doc = doc[name]
        elif isinstance(doc, list) and name.isdecimal() and int(name) < len(doc):
            doc = doc[int(name)]
        else:
            return False
    return True


def test_violations_are_at_places_of_the_document() -> None:
    """Only what is required can be missing, and it is missing from something that is there."""
    for fields, result in _results(schema_check.FAMILY):
        violations = result["violations"]
        assert result["valid"] == (not violations)
        pairs = [(violation["path"], violation["rule"]) for violation in violations]
        assert pairs == sorted(set(pairs))
        for path, rule in pairs:
            assert _exists(fields["doc"], path) == (rule != "required")
            assert _exists(fields["doc"], path.rpartition("/")[0])


def _shown(text: str) -> int:
    zero = re.compile("[\u0300-\u036f\u200b-\u200d\ufe00-\ufe0f]")
    wide = re.compile(
        "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60"
        "\uffe0-\uffe6\U0001f300-\U0001f64f\U0001f900-\U0001f9ff]"
    )
    return len(zero.sub("", text)) + len(wide.findall(text))


def test_lines_of_a_table_are_equally_wide() -> None:
    """That is what the table is aligned for; and the cells can be read again."""
    for fields, result in _results(markdown_table.FAMILY):
        columns = len(fields["header"])
        for line in result["lines"]:
            assert _shown(line) == sum(result["widths"]) + 3 * columns + 1
        if "\\" in "".join(cell for row in [fields["header"], *fields["rows"]] for cell in row):
            continue
        given = [fields["header"], *fields["rows"]]
        for row, line in zip(given, [result["lines"][0], *result["lines"][2:]], strict=True):
            cells = [cell.strip(" ") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            cleaned = [re.sub("\r\n|\r|\n", "<br>", cell.strip(" \t")) for cell in row]
            cleaned += [""] * (columns - len(row))
            assert [cell.replace("\\|", "|") for cell in cells] == cleaned


_WRONG = {
    csv_dialect: [
        (
            'startswith("\\r\\n", self.at) else int(self.next() == "\\n")',
            'startswith("\\r\\n", self.at) else int(self.next() in ("\\n", "\\r"))',
        ),
        ("if not self.line_end():\n                yield", "if True:\n                yield"),
        ("while self.at < len(self.text):", "while self.at < len(self.text.rstrip()):"),
        ('" \\t" if fields["trim"]', '" " if fields["trim"]'),
        ('" \\t" if fields["trim"]', 'None if fields["trim"]'),
        (
            "if self.next() == self.quote:\n            return",
            "self.at += bool(self.blanks) and self.next() == ' '\n"
            "        if self.next() == self.quote:\n            return",
        ),
        (
            "if self.next() == self.quote:\n                raise",
            "if False:\n                raise",
        ),
        ("if not self.at_end_of_field():\n            raise", "if False:\n            raise"),
        ("if self.backslash:", "if self.next() == '\\\\':"),
        (
            "if self.backslash:\n",
            "if self.backslash and not self.text.startswith(self.quote * 2, self.at):\n",
        ),
        ('return "".join(content)', 'return "".join(content).strip(self.blanks)'),
        (
            "len(set(records[0])) < len(records[0])",
            "len({f.lower() for f in records[0]}) < len(records[0])",
        ),
        (
            "if any(len(record) != len(records[0]) for record in records):",
            "if fields['header'] and any(len(record) != len(records[0]) for record in records):",
        ),
        ("if any(len(record) != len(records[0])", "if any(len(record) > len(records[0])"),
        ("',\"\\r\\n'", "',\"\\n'"),
        ('or field.endswith(" ") ', ""),
        (' or field.endswith(" ")', ' or field.endswith((" ", "\\t"))'),
        (" or (alone and not field)", ""),
        ("or (alone and not field)", "or not field"),
        (".replace('\"', '\"\"')", ""),
    ],
    json_patch: [
        (
            "kind not in _NEEDS or _NEEDS[kind] not in operation",
            "kind not in _NEEDS or operation.get(_NEEDS[kind]) is None",
        ),
        ("kind not in _NEEDS", "kind.lower() not in _NEEDS"),
        ('if _NEEDS[kind] == "from" else []', 'if "from" in operation else []'),
        ('if _NEEDS[kind] == "from" else []', "if False else []"),
        ("(?:[^~/]|~[01])*)*", "(?:[^/])*)*"),
        ("(?:/(?:[^~/]|~[01])*)*", "(?:/?(?:[^~/]|~[01])*)*"),
        (
            'token.replace("~1", "/").replace("~0", "~")',
            'token.replace("~0", "~").replace("~1", "/")',
        ),
        (
            '    for operation in fields["ops"]:\n        _check(operation)\n    document',
            '    _check(fields["ops"][0]) if fields["ops"] else None\n    document',
        ),
        ('"0|[1-9][0-9]*"', '"[0-9]+"'),
        ('"0|[1-9][0-9]*"', r'"0|[1-9]\\d*|１"'),
        ('if token == "-":', 'if token in ("-", ""):'),
        ("index < len(container)", "index <= len(container)"),
        ("if index <= len(container):", "if index < len(container) or last == '-':"),
        ("if index <= len(container):", "if True:"),
        (
            'if not tokens:\n        raise DomainError("cannot_remove_root")\n    container',
            "if not tokens:\n        return document\n    container",
        ),
        (
            "len(source) < len(path) and path[: len(source)] == source",
            "'/'.join(path).startswith('/'.join(source)) and path != source",
        ),
        ("len(source) < len(path) and", "source and len(source) < len(path) and"),
        ("len(source) < len(path) and", ""),
        ("_found(document, source)\n        return document", "return document"),
        (
            "return _added(document, path, _take(document, source))",
            "document = _added(document, path, _found(document, source))\n"
            "    _take(document, source)\n    return document",
        ),
        ("_added(document, path, copy.deepcopy(value))", "_added(document, path, value)"),
        ("canonical(left) == canonical(right)", "left == right"),
        ("canonical(left) == canonical(right)", "str(left) == str(right)"),
        ("_MOST_NODES = 5_000", "_MOST_NODES = 4_999"),
        ("_MOST_NODES = 5_000", "_MOST_NODES = 5_001"),
        ("container[last] = value\n", "container.setdefault(last, value)\n"),
        (
            "elif isinstance(container, dict) and token in container:",
            "elif isinstance(container, dict) and container.get(token) is not None:",
        ),
        ('changed = not _equal(document, fields["doc"])', 'changed = bool(fields["ops"])'),
        (
            'value = _found(document, _tokens(operation["from"]))',
            '_found(document, path[:-1]); value = _found(document, _tokens(operation["from"]))',
        ),
    ],
    table_pivot: [
        ("return isinstance(key, str), key", "return isinstance(key, int), key"),
        ("return isinstance(key, str), key", "return True, str(key)"),
        (
            "key=lambda row: [_rank(key) for key in row]",
            "key=lambda row: [_rank(key) for key in reversed(row)]",
        ),
        ("if number is not None:", "if number:"),
        ('else fields["fill"]', 'else 0 if fields["agg"] == "count" else fields["fill"]'),
        ('"count": len', '"count": lambda numbers: len(set(numbers))'),
        ("str(Fraction(sum(numbers), len(numbers)))", "str(Fraction(sum(numbers) / len(numbers)))"),
        ("str(Fraction(sum(numbers), len(numbers)))", "f'{sum(numbers)}/{len(numbers)}'"),
        ("str(Fraction(sum(numbers), len(numbers)))", "str(sum(numbers) // len(numbers))"),
        ("numbers[0]", "numbers[-1]"),
        ("{*keys, value}) < len(keys) + 1", "{*keys}) < len(keys)"),
        ("{*keys, value}) < len(keys) + 1", "{*keys[:-1], value}) < len(keys)"),
        ("record.get(name) is None", "name not in record"),
        ("record.get(name) is None", "not record.get(name)"),
        (
            "entries = [",
            "records = [r for r in records if r.get(fields['value']) is not None]\n    entries = [",
        ),
        ('return value(row, key) if fields["totals"] else None', "return value(row, key)"),
        ('for key in columns] if fields["totals"] else None', "for key in columns]"),
        (
            "isinstance(record.get(value), str)",
            "isinstance(record.get(value), str) and not record[value].isdigit()",
        ),
        (
            'raise DomainError("missing_key")',
            'raise DomainError({"x": "non_numeric_value"}.get(records[0][value], "missing_key"))',
        ),
        ('fields["fill"]', 'fields["fill"] or 0'),
    ],
    schema_check: [
        ('bool: "boolean"', 'bool: "integer"'),
        ('yield path, "type"\n        return', 'yield path, "type"'),
        (
            'for allowed in schema["enum"]):\n        yield path, "enum"',
            'for allowed in schema["enum"]):\n        yield path, "enum"\n        return',
        ),
        ("canonical(left) == canonical(right)", "left == right"),
        (
            "len(set(map(canonical, value))) < len(value)",
            "any(a == b for i, a in enumerate(value) for b in value[:i])",
        ),
        ('schema.get("unique_items") and', "'unique_items' in schema and"),
        ('not schema.get("additional", True)', '"additional" in schema'),
        (
            'elif not schema.get("additional", True)',
            'elif properties and not schema.get("additional", True)',
        ),
        ('yield _below(path, name), "required"', 'yield path, "required"'),
        ('yield _below(path, name), "additional"', 'yield path, "additional"'),
        ('.replace("~", "~0").replace("/", "~1")', '.replace("/", "~1").replace("~", "~0")'),
        ('.replace("~", "~0").replace("/", "~1")', '.replace("/", "~1")'),
        ("number < schema.get(low, number)", "number <= schema.get(low, number - 1)"),
        ("number > schema.get(high, number)", "number >= schema.get(high, number + 1)"),
        (
            '_bounds(len(value), schema, path, "min_length"',
            "_bounds(len(value.encode('utf-16-le')) // 2, schema, path, \"min_length\"",
        ),
        (
            "elif isinstance(value, int) and not isinstance(value, bool):",
            "elif isinstance(value, int):",
        ),
        ("found = sorted(", "found = list("),
        (
            "found = sorted(",
            "found = (lambda it: sorted(it, key=lambda v: (v[0].split('/'), v[1])))(",
        ),
        ("found = sorted(", "found = (lambda it: sorted(it, key=lambda v: (v[1], v[0])))("),
        ("for each in (schema, *defs.values())", "for each in (schema,)"),
        (
            "if any(_never_ends(name, defs) for name in defs)",
            "if any(_never_ends(n, defs) for n in defs if schema.get('ref') == n)",
        ),
        ("while (following := defs", "if (following := defs"),
        (
            'if len(schema) > 1 or not isinstance(schema["ref"], str)',
            'if not isinstance(schema["ref"], str)',
        ),
        (
            "keyword not in _VALUES or not _VALUES[keyword](value)",
            "not _VALUES.get(keyword, lambda value: True)(value)",
        ),
        ("return _is_integer(value) and value >= 0", "return _is_integer(value)"),
        (
            "return isinstance(value, int) and not isinstance(value, bool)",
            "return isinstance(value, int)",
        ),
        ("return bool(names) and all(", "return all("),
        ("strings and len(set(value)) == len(value)", "strings"),
        ("isinstance(value, list) and bool(value)", "isinstance(value, list)"),
        (
            '*schema.get("properties", {}).values(),',
            "*schema.get('properties', {}).values(), *schema.get('enum', []),",
        ),
        ('while "ref" in schema:', 'if "ref" in schema:'),
        (
            "if not all(name in defs for name in refs)",
            "if schema.get('ref', '') not in ('', *defs)",
        ),
    ],
    markdown_table: [
        ('["none"] * len(header))', "[\"none\"] * len(header)) or ['none'] * len(header)"),
        ("len(align) != len(header)", "len(align) < len(header)"),
        ("len(row) > len(header) for", "len(row) > len(header) + 1 for"),
        (
            'raise DomainError("align_mismatch")',
            'raise DomainError("row_too_long" if len(rows and rows[-1]) > 1 else "align_mismatch")',
        ),
        ('_BREAK.sub("<br>", cell.strip(" \\t"))', '_BREAK.sub("<br>", cell.strip())'),
        ('cell.strip(" \\t")', 'cell.strip(" ")'),
        (r"\r\n|\r|\n", r"\r\n|\n"),
        (r"\r\n|\r|\n", r"[\r\n]"),
        ('.replace("|", "\\\\|")', '.replace("\\\\", "\\\\\\\\").replace("|", "\\\\|")'),
        ("max(3, *map(_width, column))", "max(1, *map(_width, column))"),
        ("max(3, *map(_width, column))", "max(3, *map(len, column))"),
        ("max(3, *map(_width, column))", "max([3, *map(_width, column[1:])])"),
        ("spaces = width - _width(cell)", "spaces = width - len(cell)"),
        ('"center": spaces // 2', '"center": (spaces + 1) // 2'),
        (
            'front = ":" if side in ("left", "center") else "-"',
            'front = ":" if side in ("left", "center", "none") else "-"',
        ),
        ("low <= code <= high for low, high in _ZERO", "low <= code < high for low, high in _ZERO"),
        ("low <= code <= high for low, high in _WIDE", "low <= code < high for low, high in _WIDE"),
        ("low <= code <= high for low, high in _WIDE", "low < code <= high for low, high in _WIDE"),
        ("(0xFE00, 0xFE0F)", "(0xFE00, 0xFE2F)"),
        ("(0x1F300, 0x1F64F)", "(0x1F300, 0x1F6FF)"),
        ("0xFF00, 0xFF60", "0xFF00, 0xFFDC"),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
