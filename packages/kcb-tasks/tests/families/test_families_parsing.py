"""The families that read texts: conformance, invariants, and wrong variants that are caught."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest
from wrong_families import Mistake, named_mistakes

from kcb_core.codec import Json, ascii_line
from kcb_core.equality import same
from kcb_core.family import Case, Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.parsing import access_log, config_inherit, number_words, url_normalizer

pytestmark = pytest.mark.families

Mutants = Mapping[str, Mapping[str, str]]
"""For a piece of a family's module, each mistake and what stands there instead."""


class TestConfigInherit(FamilyConformance):
    """What every family keeps."""

    family = config_inherit.FAMILY


class TestNumberWords(FamilyConformance):
    """What every family keeps."""

    family = number_words.FAMILY


class TestUrlNormalizer(FamilyConformance):
    """What every family keeps."""

    family = url_normalizer.FAMILY


class TestAccessLog(FamilyConformance):
    """What every family keeps."""

    family = access_log.FAMILY


MODULES = {
    module.FAMILY.slug: module
    for module in (config_inherit, number_words, url_normalizer, access_log)
}


def _cases(family: Family) -> tuple[Case, ...]:
    return (family.golden, *family.boundaries, *family.examples)


@pytest.mark.parametrize("slug", MODULES)
def test_cases_agree_with_the_rules(slug: str) -> None:
    """Golden case, boundaries and examples were worked out apart from the code."""
    family = MODULES[slug].FAMILY
    for case in _cases(family):
        expected = {"error": {"code": case.error}} if case.error else {"result": case.result}
        assert same(answer(family, case.input), expected), case.input


@pytest.mark.parametrize("slug", MODULES)
def test_drawn_inputs_reach_every_error_and_mostly_give_results(slug: str) -> None:
    """The few inputs of a task must show everything that can be answered."""
    family = MODULES[slug].FAMILY
    answers = [answer(family, fields) for fields in generated_inputs(family, 1729, 24)]
    codes = {given["error"]["code"] for given in answers if "error" in given}
    assert codes == {error.code for error in family.errors}
    assert sum("result" in given for given in answers) >= 12


def _results(family: Family, count: int = 100) -> Iterator[tuple[dict[str, Json], Json]]:
    """Random inputs with a result, and the result."""
    found = 0
    for fields in generated_inputs(family, 4_242, 4 * count):
        given = answer(family, fields)
        if "result" in given and found < count:
            found += 1
            yield fields, given["result"]
    assert found == count


def _written(value: Json) -> str:
    """A resolved value as it would stand in a configuration."""
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        for raw, escaped in (("\\", "\\\\"), ('"', '\\"'), ("$", "\\$"), ("\n", "\\n")):
            value = value.replace(raw, escaped)
        return f'"{value}"'.replace("\t", "\\t")
    return ascii_line(value)


def test_a_resolved_configuration_resolves_to_itself() -> None:
    """Written without parents and references, the sections stay what they are."""
    for _, result in _results(config_inherit.FAMILY):
        lines = []
        for name in result["order"]:
            lines.append(f"[{name}]")
            for key, value in result["sections"][name].items():
                lines.append(f"{key} = {_written(value)}")
        again = answer(config_inherit.FAMILY, {"text": "\n".join(lines)})
        assert same(again, {"result": result})


def test_comments_and_blank_lines_change_nothing() -> None:
    """They may stand between any two lines."""
    rng = random.Random(1)
    for fields, result in _results(config_inherit.FAMILY):
        lines = fields["text"].split("\n")
        for _ in range(5):
            lines.insert(rng.randint(0, len(lines)), rng.choice(["", "\t", "#[", " ; k = ?\r"]))
        assert answer(config_inherit.FAMILY, {"text": "\n".join(lines)}) == {"result": result}


def test_numbers_come_back_from_every_notation() -> None:
    """What was written can be read, and gives the number again."""
    for fields, result in _results(number_words.FAMILY):
        spelled = {"value": result["result"], "from": fields["to"]}
        for notation in ("integer", "words"):
            given = answer(number_words.FAMILY, {**spelled, "to": notation})["result"]
            assert given["number"] == result["number"]
        back = answer(number_words.FAMILY, {**spelled, "to": fields["from"]})["result"]
        assert back["result"].lower() == fields["value"].lower()


def test_a_normal_url_stays_as_it_is() -> None:
    """Nothing is left to do the second time."""
    for fields, result in _results(url_normalizer.FAMILY):
        again = answer(url_normalizer.FAMILY, {**fields, "url": result["url"], "base": None})
        assert again == {"result": result}


def test_log_counts_add_up() -> None:
    """Classes, paths and hours are all made of the same requests, in whatever order."""
    for fields, result in _results(access_log.FAMILY):
        assert sum(result["status"].values()) == result["ok"]
        whole = answer(access_log.FAMILY, {**fields, "top": 100})["result"]
        assert sum(path["hits"] for path in whole["paths"]) == result["ok"]
        assert sum(path["errors"] for path in whole["paths"]) == result["status"]["5xx"]
        assert result["hosts"] <= result["sessions"] <= result["ok"]
        lines = fields["lines"][:]
        random.Random(1).shuffle(lines)
        shuffled = answer(access_log.FAMILY, {**fields, "lines": lines})["result"]
        assert len(shuffled["bad"]) == len(result["bad"])
        assert {**shuffled, "bad": result["bad"]} == result


CONFIG_INHERIT: Mutants = {
    'raw.removesuffix("\\r").strip(" \\t")': {
        "all carriage returns are dropped": 'raw.rstrip("\\r").strip(" \\t")',
        "blanks are dropped before the carriage return": 'raw.strip(" \\t").removesuffix("\\r")',
        "any white space is blank": "raw.strip()",
        "no carriage return is dropped": 'raw.strip(" \\t")',
    },
    'text.split("\\n")': {"any line end": "text.splitlines()"},
    'if not line or line[0] in "#;":': {
        "a semicolon is no comment": 'if not line or line[0] == "#":',
        "double slashes are comments": 'if not line or line[0] in "#;" or line[:2] == "//":',
    },
    'if match is None or not (sections or match["name"]):\n': {
        "keys before any section are ignored": (
            'if match and not (sections or match["name"]):\n            continue\n'
            "        if match is None:\n"
        ),
    },
    '_NAME = r"[A-Za-z0-9_-]{1,32}"': {
        "sections have dots": '_NAME = r"[A-Za-z0-9_.-]{1,32}"',
        "names of any length": '_NAME = r"[A-Za-z0-9_-]+"',
        "names of any script": '_NAME = r"[\\w-]{1,32}"',
    },
    '_KEY = r"[A-Za-z0-9_.-]{1,64}"': {"keys of at most 63": '_KEY = r"[A-Za-z0-9_.-]{1,63}"'},
    '\\\\["\\\\nt$]|': {
        "any escape is taken as it is": "\\\\.|",
        "no escape for the dollar": '\\\\["\\\\nt]|',
    },
    "\\$(?!\\{{)|": {"a dollar must start a reference": ""},
    "(?:0|[1-9][0-9]{{0,14}})": {
        "leading zeros": "[0-9]{{1,15}}",
        "14 digits at most": "(?:0|[1-9][0-9]{{0,13}})",
    },
    "(?:#.*)?": {
        "no comment after a value": "",
        "a blank before every comment": "(?:(?<=[ \\t])#.*)?",
        "semicolons start a comment, too": "(?:[#;].*)?",
    },
    "(?P<append>\\+=(?={_BLANKS}\\[))": {"+= takes any value": "(?P<append>\\+=)"},
    "    return _Append(items) if match": {
        "a trailing comma is right": "    return _Append(items) if items and match",
    },
    "        return _String((text[1:-1],))": {
        "references in single quotes": (
            "        return _String(tuple(map(_piece, _PIECE.finditer(text[1:-1]))))"
        ),
    },
    '_ESCAPES = {"n": "\\n", "t": "\\t"}': {"escapes are dropped only": "_ESCAPES: Any = {}"},
    'raise DomainError("duplicate_section")': {
        "a section may go on": "continue",
        "duplicates are found at the end": (
            'raise DomainError("syntax_error" if "?" in text else "duplicate_section")'
        ),
    },
    'in changes and not match["append"]': {
        "+= after = is a duplicate": "in changes",
        "only = after = is a duplicate": (
            'in changes and not match["append"] '
            'and not isinstance(changes[match["key"]][0], _Append)'
        ),
        "no duplicate for what += adds to": 'in changes and not match["append"] and False',
    },
    "if any(parent not in sections for above in parents.values() for parent in above):": {
        "parents must stand above": (
            "order = list(sections)\n"
            "    if any(p not in order[: order.index(n)] for n in order for p in parents[n]):"
        ),
    },
    'raise DomainError("unknown_parent")': {
        "an unknown parent is no parent": (
            "sections = {**sections, **{p: _Section(None) for a in parents.values() for p in a "
            "if p not in sections}}"
        ),
    },
    "maps[name] = dict(maps[section.parent])": {
        "children change their parents": "maps[name] = maps[section.parent]",
    },
    "_changed(maps[name].get(key, []), change)": {
        "+= forgets what is inherited": "_changed([], change)",
        "+= needs a key": "_changed(maps[name].get(key), change)",
    },
    "return before + change.items": {"+= puts in front": "return change.items + before"},
    'raise DomainError("not_a_list")': {"a scalar becomes a list": "before = [before]"},
    "_targets(place[0], value)] for place, value in values.items()": {
        "references in lists are not looked at": (
            "_targets(place[0], value)] if not isinstance(value, list) else [] "
            "for place, value in values.items()"
        ),
    },
    "values[target] is None or ": {"null may be inserted": ""},
    'raise DomainError("unknown_reference")': {
        "a scalar is asked for first": (
            'raise DomainError("not_scalar" if any(values.get(t, 0) is None for t in targets) '
            'else "unknown_reference")'
        ),
    },
    'raise DomainError("not_scalar")': {
        "cycles come before what is no scalar": (
            '_dependent_last(needs, "reference_cycle")\n        raise DomainError("not_scalar")'
        ),
    },
    "            resolved[place] = _filled(value, place[0], resolved)": {
        "inserted text is resolved again": (
            "            resolved[place] = _filled(value, place[0], resolved)\n"
            "            if isinstance(resolved[place], str):\n"
            "                pieces = tuple(map(_piece, _PIECE.finditer(resolved[place])))\n"
            "                resolved[place] = _filled(_String(pieces), place[0], resolved)"
        ),
    },
    "> _LONGEST:": {"10000 is too large": ">= _LONGEST:"},
    "if sum(map(len, pieces))": {
        "lengths in bytes": "if sum(len(p.encode()) for p in pieces)",
    },
    "return str(value).lower() if isinstance(value, bool) else str(value)": {
        "Python's words for booleans": "return str(value)",
        "booleans as numbers": "return str(int(value) if isinstance(value, bool) else value)",
    },
    '"order": list(sections),': {"the order of the names": '"order": sorted(sections),'},
}

NUMBER_WORDS: Mutants = {
    '"0|-?[1-9][0-9]{0,29}"': {
        "leading zeros": '"-?[0-9]{1,30}"',
        "minus zero": '"-?0|-?[1-9][0-9]{0,29}"',
        "a plus sign": '"0|[+-]?[1-9][0-9]{0,29}"',
        "digits of any script": r'r"0|-?(?!0)\d{1,30}"',
        "29 digits": '"0|-?[1-9][0-9]{0,28}"',
        "any number of digits": '"0|-?[1-9][0-9]*"',
        "15 digits": '"0|-?[1-9][0-9]{0,14}"',
    },
    "if abs(number) > _LARGEST or (": {
        "the largest number is out of range": "if abs(number) >= _LARGEST or (",
        "no smallest number": "if number > _LARGEST or (",
    },
    "_LARGEST_ROMAN = 3_999": {"Roman numerals from 4000": "_LARGEST_ROMAN = 4_999"},
    "not 1 <= number <= _LARGEST_ROMAN)": {
        "Roman zero": "not 0 <= number <= _LARGEST_ROMAN)",
    },
    'raise DomainError("out_of_range")': {
        "no code for out of range": 'raise DomainError("bad_value")',
    },
    '"forty"': {"fourty": '"fourty"'},
    '"nineteen",\n': {"ninteen": '"ninteen",\n'},
    'f"{name}-{unit}"': {"no hyphen": 'f"{name} {unit}"'},
    '[_SMALL[group // 100], "hundred"]': {
        "an and after the hundreds": (
            '[_SMALL[group // 100], "hundred", *["and"] * (group % 100 > 0)]'
        ),
    },
    "if group and name:": {"empty groups are named": "if name and number >= 1000**place:"},
    '["minus", *words]': {"negative for minus": '["negative", *words]'},
    "group += _BELOW_100.get(word, 0)": {
        "and is skipped when read": (
            'group += _BELOW_100.get(word, 0)\n    lowered = lowered.replace(" and ", " ")'
        ),
    },
    "or write(number) != text": {"anything that adds up is read": ""},
    "    return text.lower()": {
        "white space around is ignored": "    return text.strip().lower()",
        "any white space separates": '    return " ".join(text.lower().split())',
    },
    "    if not text.isascii():": {
        "letters of any script": "    text = text.upper()\n    if not text.isascii():",
    },
    "upper = _lower(text).upper()": {
        "Roman numerals in upper case only": "upper = _lower(text) and text",
    },
    "_confirmed(-number if lowered.startswith": {
        "words in lower case only": "_confirmed(-number if text.startswith",
    },
    '"IX": 9, ': {"nine is VIIII": ""},
    '"CD": 400, ': {"four hundred is CCCC": ""},
    '(number), "number": number}': {"the number as text": '(number), "number": str(number)}'},
    "_WRITE: dict[str, Callable[[int], str]] = {": {
        "thousands are separated": ("str = '{:,}'.format\n_WRITE: dict[Any, Any] = {"),
    },
}

URL_NORMALIZER: Mutants = {
    "[\\x00-\\x20\\x7f]": {
        "DEL is allowed": "[\\x00-\\x20]",
        "the space is allowed": "[\\x00-\\x1f\\x7f]",
        "any white space is bad": "[\\x00-\\x20\\x7f\\s]",
    },
    "_BAD_CHARACTER.search(text) for text in texts": {
        "the base is not searched": "_BAD_CHARACTER.search(text) for text in texts[:1]",
    },
    "[A-Za-z][A-Za-z0-9+.-]*": {
        "schemes of letters only": "[A-Za-z]+",
        "schemes may start with a digit": "[A-Za-z0-9+.-]+",
        "schemes need an authority": "[A-Za-z][A-Za-z0-9+.-]*(?=://)",
    },
    "(?:\\.[A-Za-z0-9-]+)*\\.?": {
        "no dot at the end of a host": "(?:\\.[A-Za-z0-9-]+)*",
        "several dots in a host": "[A-Za-z0-9.-]*",
    },
    '"@" in (p.authority or "") or not': {"users are part of the port": "not"},
    "not _HOST.fullmatch(p.host)": {"hosts may be empty": "not _HOST.fullmatch(p.host or 'h')"},
    '_PORT = re.compile(r"[0-9]{1,5}")': {
        "ports of any length": '_PORT = re.compile(r"[0-9]+")',
        "digits of any script": '_PORT = re.compile(r"\\d{1,5}")',
    },
    "1 <= int(text) <= 65_535": {
        "port 0": "0 <= int(text) <= 65_535",
        "port 65536": "1 <= int(text) <= 65_536",
    },
    'text == "" or (': {"a colon needs a port": '("" != text) and ('},
    '.rpartition(":")': {"the first colon separates the port": '.partition(":")'},
    "for text in (parts.path, parts.query, parts.fragment)": {
        "fragments are not checked": "for text in (parts.path, parts.query)",
    },
    "if any(parts.authority is None for parts in absolute):": {
        "only the URL needs an authority": ("if url.scheme is not None and url.authority is None:"),
    },
    'raise DomainError("relative_without_base")': {
        "an authority needs no base": (
            'raise DomainError("bad_authority" if "@" in (url.authority or "") '
            'else "relative_without_base")'
        ),
    },
    "not in _DEFAULT_PORTS for parts in absolute)": {
        "only a base that is needed is tested": "not in _DEFAULT_PORTS for parts in absolute[:1])",
    },
    'raise DomainError("bad_port")': {
        "percent signs before ports": (
            'raise DomainError("bad_percent" if any(map(_BAD_PERCENT.search, texts)) '
            'else "bad_port")'
        ),
    },
    '.host.lower().removesuffix(".")': {
        "the dot stays": ".host.lower()",
        "hosts with case": '.host.removesuffix(".")',
    },
    "'' if port == default else": {
        "80 is default for https, too": "'' if port in (80, 443) else",
    },
    '        "port": port,\n': {
        "no port without port": '        "port": int(parts.port or 0),\n',
    },
    "int(parts.port or default)": {"ports with zeros": "parts.port or default"},
    "        query = base.query if query is None else query\n": {
        "an empty query is none": "        query = query or base.query\n",
        "the query of the base is dropped": "",
    },
    "    if not path:\n": {
        "an empty path is merged": "    if not path and query is None:\n",
    },
    "base.authority, path, query, url.fragment": {
        "the fragment of the base": "base.authority, path, query, url.fragment or base.fragment",
    },
    "return replace(url, scheme=base.scheme)": {
        "a path is joined below another host": (
            "return replace(url, scheme=base.scheme, path=url.path or base.path)"
        ),
    },
    'path.rfind("/") + 1] + path': {
        "joined behind the whole path": 'path.rfind("/") + 999] + path',
        "joined behind the directory's directory": 'rstrip("/").rfind("/") + 1] + path',
    },
    "return decoded if decoded in _UNRESERVED else text.upper()": {
        "everything is decoded": "return decoded if decoded in allowed else text.upper()",
        "nothing is decoded": "return text.upper()",
        "case of hex digits stays": "return decoded if decoded in _UNRESERVED else text",
    },
    'f"%{byte:02X}"': {"hex in lower case": 'f"%{byte:02x}"'},
    'frozenset("!$&\'()*+,;=:@/")': {
        "colons are encoded": 'frozenset("!$&\'()*+,;=@/")',
        "plus signs are encoded": 'frozenset("!$&\'()*,;=:@/")',
    },
    '_IN_QUERY = _IN_PATH | frozenset("?")': {
        "question marks are encoded": "_IN_QUERY = _IN_PATH",
    },
    "_without_dots(_spelled(parts.path or": {
        "dots before percent signs": "_spelled(_without_dots(parts.path or",
    },
    "            del kept[-1:]": {
        "empty segments are not dropped": (
            "            del kept[[i for i, s in enumerate(kept) if s][-1] if any(kept) else 0 :]"
        ),
        "above the root": "            kept = kept[:-1] or ['..'][len(kept) :]",
    },
    'segments = path.split("/")[1:]': {
        "empty segments vanish": (
            'segments = [s for s in path.split("/")[1:-1] if s] + path.split("/")[-1:]'
        ),
    },
    'if segments[-1] in (".", "..") and kept:': {
        "no slash for dots at the end": "if False:",
        "only two dots leave a slash": 'if segments[-1] == ".." and kept:',
    },
    'for piece in query.split("&") if piece]': {
        "empty pieces stay": 'for piece in query.split("&")]',
    },
    'piece.partition("=")[0]': {"the name is before the last =": 'piece.rpartition("=")[0]'},
    'not in fields["drop_params"]': {
        "parameters are normalized": (
            'not in [_spelled(re.sub("%(?!..)", "%25", name), _IN_QUERY) '
            'for name in fields["drop_params"]]'
        ),
        "parameters without case": (
            'not in {f(name) for name in fields["drop_params"] for f in (str, str.upper)}'
        ),
        "the empty name is not dropped": 'not in [name for name in fields["drop_params"] if name]',
    },
    "kept.sort()": {
        "sorted by pieces": "kept.sort(key=lambda pair: pair[1])",
        "sorted by names only": "kept.sort(key=lambda pair: pair[0])",
        "duplicates are dropped": "kept = sorted(set(kept))",
    },
    '"query": query or None': {"an empty query is empty": '"query": query'},
    'fields["keep_fragment"] and parts.fragment': {
        "fragments are always kept": "parts.fragment",
        "empty fragments are kept": 'fields["keep_fragment"]',
    },
}

ACCESS_LOG: Mutants = {
    'if not line.strip(" "):': {
        "any white space is ignored": "if not line.strip():",
        "only empty lines are ignored": "if not line:",
    },
    "start=1)": {"lines from 0": "start=0)"},
    "            continue\n": {"ignored lines are bad": "            bad.append(number)\n"},
    'if len(bad) > fields["max_bad"]:': {
        "max_bad is too many": 'if len(bad) >= fields["max_bad"]:',
    },
    'raise DomainError("too_many_bad")': {
        "no valid line comes first": (
            'raise DomainError("too_many_bad" if requests else "no_valid_lines")'
        ),
    },
    "(?P<host>[^ ]+) [^ ]+ \\[": {
        "no white space in hosts": "(?P<host>\\S+) \\S+ \\[",
        "one or more spaces": "(?P<host>[^ ]+) +[^ ]+ +\\[",
    },
    "[A-Z]{1,10} ": {
        "methods of any length": "[A-Z]+ ",
        "methods in any case": "[A-Za-z]{1,10} ",
    },
    '(?:[^ "\\\\]|\\\\["\\\\])+': {
        "a backslash hides anything": '(?:[^ "\\\\]|\\\\.)+',
        "spaces in targets": '(?:[^"\\\\]|\\\\["\\\\])+',
        "empty targets": '(?:[^ "\\\\]|\\\\["\\\\])*',
        "no white space in targets": '(?:[^\\s"\\\\]|\\\\["\\\\])+',
    },
    "[1-5][0-9]{2}) ": {"any status": "[0-9]{3}) ", "digits of any script": "[1-5]\\d{2}) "},
    "-|[0-9]{1,12}": {"bytes of any length": "-|[0-9]+", "bytes without -": "[0-9]{1,12}"},
    "[0-9]{1,9})": {"times of any length": "[0-9]+)", "a time may be missing": "-|[0-9]{1,9})"},
    "_LINE.fullmatch(line)": {
        "more may follow": "_LINE.match(line)",
        "spaces at the ends": '_LINE.fullmatch(line.strip(" "))',
    },
    "if not 1900 <= time.year <= 2199:": {
        "any year from 1900": "if not 1900 <= time.year:",
        "any year to 2199": "if not time.year <= 2199:",
    },
    '"%Y-%m-%dT%H:%M:%S")\n    except ValueError:\n        return None': {
        "dates that do not exist": (
            '"%Y-%m-%dT%H:%M:%S")\n    except ValueError:\n'
            '        time = datetime.strptime(match["stamp"][:8] + "01T00", "%Y-%m-%dT%H")'
        ),
    },
    're.sub(r"\\\\(.)", r"\\1", match["target"])': {
        "escapes stay": 'match["target"]',
        "escapes are undone twice": (
            're.sub(r"\\\\(.)", r"\\1", re.sub(r"\\\\(.)", r"\\1", match["target"]))'
        ),
    },
    're.split("[?#]", target)[0]': {
        "fragments stay": 'target.split("?")[0]',
        "queries stay": "target.split('#')[0]",
        "an empty path is the root": 're.split("[?#]", target)[0] or "/"',
    },
    "later - earlier > gap": {
        "the gap itself starts a session": "later - earlier >= gap",
        "days are not counted": "later - earlier > gap and later.day == earlier.day",
    },
    "pairwise(sorted(own))": {"sessions in the order of lines": "pairwise(own)"},
    "times.setdefault(request.host, [])": {
        "sessions without hosts": 'times.setdefault("", [])',
    },
    "key=lambda item: (-item[1], item[0]))\n    return {": {
        "the latest of the busiest hours": (
            "key=lambda i: (-i[1], -int(i[0][11:]), i[0]))\n    return {"
        ),
        "the first of the busiest hours": "key=lambda item: -item[1])\n    return {",
    },
    "isoformat()[:13]": {"hours of all days together": 'strftime("2024-05-01T%H")'},
    "(-len(item[1]), item[0])": {
        "paths by name only": "item[0]",
        "ties in the order of lines": "-len(item[1])",
        "ties in the order of UTF-16": '(-len(item[1]), item[0].encode("utf-16-be"))',
    },
    "request.status >= 500": {
        "client errors count": "request.status >= 400",
        "500 is no error": "request.status > 500",
    },
    "times[-(-95 * len(times) // 100) - 1]": {
        "rounded down": "times[max(0, 95 * len(times) // 100 - 1)]",
        "one further": "times[min(len(times) - 1, -(-95 * len(times) // 100))]",
        "rounded to the nearest": "times[max(0, round(0.95 * len(times)) - 1)]",
        "the middle": "times[len(times) // 2]",
    },
    "times = sorted(request.ms": {"times as text": "times = sorted(str(request.ms)"},
    '"hosts": len({request.host for request in requests})': {
        "hosts without case": '"hosts": len({request.host.lower() for request in requests})',
    },
    "for digit in range(1, 6)}": {
        "only classes that occur": "for digit in range(1, 6) if classes[digit]}",
    },
    '[: fields["top"]]': {"top is not used": ""},
}

MUTANTS = {
    "config-inherit": CONFIG_INHERIT,
    "number-words": NUMBER_WORDS,
    "url-normalizer": URL_NORMALIZER,
    "access-log": ACCESS_LOG,
}

MISTAKES = [
    mistake
    for slug, passages in MUTANTS.items()
    for mistake in named_mistakes(MODULES[slug], passages)
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
