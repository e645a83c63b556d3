"""Families about globs, regular expressions and near words: invariants and wrong variants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.search_matching import fuzzy_lookup, glob_select, regex_longest

pytestmark = pytest.mark.families


class TestGlobSelect(FamilyConformance):
    """What every family keeps."""

    family = glob_select.FAMILY


class TestRegexLongest(FamilyConformance):
    """What every family keeps."""

    family = regex_longest.FAMILY


class TestFuzzyLookup(FamilyConformance):
    """What every family keeps."""

    family = fuzzy_lookup.FAMILY


def _results(family: Family) -> Iterator[tuple[dict[str, Json], Json]]:
    """100 random inputs with a result, and the results."""
    drawn = ((fields, answer(family, fields)) for fields in generated_inputs(family, 4_242, 400))
    found = list(islice(((i, given["result"]) for i, given in drawn if "result" in given), 100))
    assert len(found) == 100
    yield from found


def test_the_last_pattern_decides() -> None:
    """Patterns in front change nothing for a path that an old pattern matched."""
    family = glob_select.FAMILY
    front = ["*", "!**/a", "/**"]
    for fields, result in _results(family):
        more = {**fields, "patterns": [*front, *fields["patterns"]]}
        again = answer(family, more)["result"]["results"]
        for before, after in zip(result["results"], again, strict=True):
            if before["pattern"] is not None:
                shifted = before["pattern"] + len(front)
                assert after == {**before, "pattern": shifted}
        assert result["selected"] == sum(each["selected"] for each in result["results"])


def test_an_escaped_path_matches_itself_alone() -> None:
    """Whatever a path looks like, it can be selected."""
    family = glob_select.FAMILY
    for fields, _ in _results(family):
        for path in fields["paths"][:5]:
            pattern = "/" + "".join(char if char == "/" else f"\\{char}" for char in path)
            asked = {"patterns": [pattern], "paths": fields["paths"]}
            for each in answer(family, asked)["result"]["results"]:
                assert each["selected"] == (each["path"] == path)


def test_matches_are_ascending_and_match_as_a_whole() -> None:
    """They do not overlap; what is left between them holds no match of its own."""
    family = regex_longest.FAMILY
    for fields, result in _results(family):
        matches = result["matches"]
        assert len(matches) == min(result["total"], fields.get("limit", 100))
        places = [place for match in matches for place in (match["start"], match["end"])]
        assert places == sorted(places)
        for match in matches:
            assert match["text"] == fields["text"][match["start"] : match["end"]] != ""
        if "^" in fields["pattern"] or "$" in fields["pattern"]:
            continue
        for match in matches:
            assert answer(family, {**fields, "text": match["text"]})["result"]["full"]
        whole = [{"start": 0, "end": len(fields["text"]), "text": fields["text"]}]
        assert not result["full"] or matches == (whole if fields["text"] else [])


def test_nothing_is_found_where_only_the_empty_string_matches() -> None:
    """Empty matches are never reported."""
    for pattern in ("", "()", "|", "a{0}", "(|())*", "^", "$", "^$|(^)*", "((ab){0}|)+"):
        for fields, _ in islice(_results(regex_longest.FAMILY), 10):
            found = answer(regex_longest.FAMILY, {**fields, "pattern": pattern})["result"]
            assert found["total"] == 0


def _folded(text: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in text)


_COST = {"~": "substitute", "%": "transpose", "-": "delete", "+": "insert"}


def test_scripts_spell_query_and_word() -> None:
    """What the items cost is the distance, and what they say leads from one to the other."""
    family = fuzzy_lookup.FAMILY
    for fields, result in _results(family):
        fold = _folded if fields.get("fold") else str
        costs = fields.get("costs", {})
        for match in result["matches"]:
            query = word = ""
            distance = 0
            for mark, chars in ((item[0], item[1:]) for item in match["script"]):
                query += {"~": chars[0], "+": ""}.get(mark, chars)
                word += {"~": chars[-1], "%": chars[::-1], "-": ""}.get(mark, chars)
                distance += 0 if mark == "=" else costs.get(_COST[mark], 1)
            assert query == fold(fields["query"])
            assert word == fold(match["word"])
            assert distance == match["distance"] <= fields.get("max_distance", 2)
        keys = [(match["distance"], match["word"]) for match in result["matches"]]
        assert keys == sorted(keys)
        assert len(keys) == min(result["within"], fields.get("limit", 10))


def test_distances_are_symmetric_if_all_costs_are_one() -> None:
    """From a word to the query it is as far as back."""
    family = fuzzy_lookup.FAMILY
    for fields, _ in _results(family):
        query, word = fields["query"], fields["words"][0]
        asked: dict[str, Json] = {"query": query, "words": [word], "max_distance": 400}
        there = answer(family, asked)["result"]["matches"][0]["distance"]
        if query:
            back = answer(family, {**asked, "query": word, "words": [query]})["result"]
            assert back["matches"][0]["distance"] == there


_WRONG = {
    glob_select: [
        ("matching[-1] if matching", "matching[0] if matching"),
        ("last is not None and not patterns[last].negative", "last is not None"),
        (
            "last = matching[-1]",
            "matching = [i for i in matching if not patterns[i].negative]\n    last = matching[-1]",
        ),
        ("segments if pattern.whole else segments[-1:]", "segments"),
        ('rest.startswith("/") or len(segments) > 1', "len(segments) > 1"),
        ('text.removeprefix("!")', 'text.lstrip("!")'),
        ('rest.removeprefix("/")', 'rest.lstrip("/")'),
        ('if self.text[start : self.at] == "**"', 'if set(self.text[start : self.at]) == {"*"}'),
        (
            'if self.text[start : self.at] == "**"',
            'if self.text[start : self.at].strip("{}") == "**"',
        ),
        ('if self.text[start : self.at] == "**"', 'if self.text[start : self.at][:2] == "**"'),
        (
            "    ends = {0}\n    for segment in pattern.segments:\n",
            "    ends = {0}\n    for segment in pattern.segments:\n"
            "        if segment is _GLOBSTAR and pattern.whole:\n"
            "            ends = {e + 1 for e in ends if e < len(path) and"
            " (dotfiles or path[e][0] != '.')}\n",
        ),
        ('(dotfiles or not name.startswith("."))', "True"),
        ('hidden = name.startswith(".") and not dotfiles', "hidden = False"),
        ('hidden = name.startswith(".") and not dotfiles', 'hidden = name.startswith(".")'),
        ('if hidden and item != ".":', "if hidden and isinstance(item, _Star):"),
        ('if hidden and item != ".":', "if hidden and not isinstance(item, str | _Class):"),
        ("ends = ends - {0}\n", "ends = set()\n"),
        ("set(range(min(ends), len(name) + 1))", "set(range(min(ends) + 1, len(name) + 1))"),
        ("low <= char <= high", "low <= char < high or char == low"),
        ("low <= char <= high", "low.lower() <= char.lower() <= high.lower()"),
        ('negated = self.take("!")', 'negated = self.take("!") or self.take("^")'),
        ('self.text[self.at + 1 : self.at + 2] != "]"', "True"),
        (
            "            low = high = self.member()\n",
            "            escaped = self.peek() == '\\\\'\n            low = high = self.member()\n"
            "            if escaped:\n                ranges.append((low, low))\n"
            "                continue\n",
        ),
        ("if not ranges or any(low > high", "if any(low > high"),
        ("any(low > high for low, high in ranges)", "False"),
        ('while not self.take("]"):', 'while not (ranges and self.take("]")):'),
        ('return self.next() if char == "\\\\" else char', "return char"),
        ('if char == "\\\\":\n            return self.next()', 'if char == "":\n            pass'),
        ('if self.peek() in ("{", "/"):', 'if self.peek() == "/":'),
        ('if self.peek() in ("{", "/"):', 'if self.peek() == "{":'),
        ('if char == "/":', 'if char == "":'),
        ("alternatives: list[list[_Item]] = [[]]", "alternatives: list[list[_Item]] = []"),
        ("prod(counts) > _MOST_COMBINATIONS", "prod(counts) >= _MOST_COMBINATIONS"),
        ("prod(counts) > _MOST_COMBINATIONS", "sum(counts) > _MOST_COMBINATIONS"),
        ("_MOST_COMBINATIONS = 64", "_MOST_COMBINATIONS = 100"),
        ("> _MOST_GLOBSTARS:", ">= _MOST_GLOBSTARS:"),
        ("_MOST_GLOBSTARS = 4", "_MOST_GLOBSTARS = 5"),
        ("if not items or prod", "if prod"),
        ('if any("" in path.split("/")', 'if any("" in path.split("/")[:-1]'),
        ('if any("" in path.split("/")', 'if any("" in path.split("/")[1:]'),
        (
            '    patterns = [_parsed(text) for text in fields["patterns"]]\n',
            '    if "/" in [path[-1] for path in fields["paths"]]:\n'
            '        raise DomainError("bad_path")\n'
            '    patterns = [_parsed(text) for text in fields["patterns"]]\n',
        ),
    ],
    regex_longest: [
        (
            "max(pattern.ends(text, {place}), default=place)",
            "min((e for e in pattern.ends(text, {place}) if e > place), default=place)",
        ),
        ("place = max(end, place + 1)", "place += 1"),
        ("if end > place:\n            yield", "if True:\n            yield"),
        ("place = max(end, place + 1)", "place = end + 1"),
        (
            "starts & {len(text) if self.at_end else 0}",
            "{s for s in starts if (text[s:s + 1] in ('', '\\n') if self.at_end else s == 0)}",
        ),
        (
            "starts & {len(text) if self.at_end else 0}",
            "{s for s in starts if (s == len(text) if self.at_end"
            " else s == 0 or text[s - 1] == '\\n')}",
        ),
        (
            "set().union(*(option.ends(text, starts) for option in self.options))",
            "next((e for o in self.options if (e := o.ends(text, starts))), set())",
        ),
        (
            "return sum(option.size for option in self.options)",
            "return max(option.size for option in self.options)",
        ),
        ("pattern.size > _LARGEST", "pattern.size >= _LARGEST"),
        ("_LARGEST = 200", "_LARGEST = 201"),
        ("least, _ENDLESS, least + 1)", "least, _ENDLESS, least)"),
        ("_Repeat(node, least, most, most)", "_Repeat(node, least, most, max(most, 1))"),
        ("_Repeat(node, least, most, most)", "_Repeat(node, least, most, least)"),
        ("_Repeat(node, least, _ENDLESS,", "_Repeat(node, least, least + 1,"),
        ("_Repeat(node, least, most, most)", "_Repeat(node, most, most, most)"),
        ("least <= most <= _MOST_TIMES", "least <= most"),
        ("least <= most <= _MOST_TIMES", "least <= most < _MOST_TIMES"),
        ("least <= most <= _MOST_TIMES", "most <= _MOST_TIMES"),
        ("[0-9]{1,2})(?:(,)([0-9]{1,2})?", "[0-9]{1,3})(?:(,)([0-9]{1,3})?"),
        ("([0-9]{1,2})(?:(,)", "([0-9]{0,2})(?:(,)"),
        ("{1,2})?)?\\}", "{1,2})?)?\\}[?+]?"),
        ("[*+?]|\\{", "[*+?]+|\\{"),
        ('if char in "*+?{":', 'if char in "*+?":'),
        (
            'return _Anchor(at_end=self.next() == "$")',
            'anchor = _Anchor(at_end=self.next() == "$")\n'
            '            return anchor if not self.take("*") else _Sequence([])',
        ),
        ('return lambda c: c != "\\n"', "return lambda c: True"),
        ('return lambda c: c != "\\n"', 'return lambda c: c not in "\\n\\r\\u2028"'),
        ('frozenset(" \\t\\r\\n")', 'frozenset(" \\t\\r\\n\\v\\f")'),
        ('frozenset(" \\t\\r\\n")', 'frozenset(" \\t\\n")'),
        (
            "(c in chars) != complement",
            "(c.isdigit() if 'a' not in chars and '0' in chars else c in chars) != complement",
        ),
        ('string.digits + "_"', "string.digits"),
        ('if char in "nt":', 'if char in "ntr":'),
        ("if char.isascii() and char.isalnum():", "if char.isalnum():"),
        ("if char.isascii() and char.isalnum():", "if char.isascii() and char.isalpha():"),
        ('negated = self.take("^")', 'negated = self.take("^") or self.take("!")'),
        ('while not self.take("]"):', 'while not (tests and self.take("]")):'),
        ('self.pattern[self.at + 1 : self.at + 2] != "]"', "True"),
        ("if isinstance(first, str) and is_range:", "if is_range:"),
        ("if not isinstance(high, str) or low > high:", "if not isinstance(high, str):"),
        (
            "if not isinstance(high, str) or low > high:\n        _refuse()",
            "if not isinstance(high, str):\n        return lambda c: c in (low, '-') or high(c)",
        ),
        ("lambda c: low <= c <= high", "lambda c: low <= c < high or c == low"),
        (
            "return lambda c: test(c) or (c.isascii() and test(c.swapcase()))",
            "return lambda c: test(c.lower())",
        ),
        ("test(c) or (c.isascii() and test(c.swapcase()))", "test(c) or test(c.swapcase())"),
        (
            "test = self.folded(lambda c: any(member(c) for member in tests))",
            "return self.folded(lambda c: any(member(c) for member in tests) != negated)",
        ),
        (
            "if not tests:\n            _refuse()",
            "if not tests and not negated:\n            _refuse()",
        ),
        ('if not self.take(")"):', 'if not self.take(")") and self.peek():'),
        (
            "if self.at < len(self.pattern):\n            _refuse()",
            "if False:\n            _refuse()",
        ),
        ('found[: fields["limit"]]', "found"),
        ('"total": len(found)', '"total": min(len(found), fields["limit"])'),
        ('"full": len(text) in pattern.ends(text, {0})', '"full": found == [(0, len(text))]'),
        ("times < self.high", "times <= self.high"),
        (
            "if low is None:",
            "if high and 50 < int(high) < 100:\n        raise DomainError('pattern_too_large')\n"
            "    if low is None:",
        ),
    ],
    fuzzy_lookup: [
        ("q != w and self.query[i - 2 : i] == w + self.word[j - 2]", "False"),
        (
            'yield i - 2, j - 2, self.costs["transpose"]',
            'yield i - 2, j - 2, self.costs["substitute"]',
        ),
        ('f"%{w}{q}"', 'f"%{q}{w}"'),
        ('f"~{q}{w}"', 'f"~{w}{q}"'),
        (
            "for step in self.steps(i, j) if",
            "for step in sorted(self.steps(i, j), key=lambda s: s[3][0] == '-') if",
        ),
        (
            'yield i - 1, j, self.costs["delete"], f"-{q}"',
            'yield i - 1, j, self.costs["insert"], f"-{q}"',
        ),
        ("return items[::-1]", "return items"),
        ("for step in self.steps(i, j) if", "for step in reversed(list(self.steps(i, j))) if"),
        (
            "for step in self.steps(i, j) if",
            "for step in sorted(self.steps(i, j), key=lambda s: s[3][0] != '%') if",
        ),
        (
            "for step in self.steps(i, j) if",
            "for step in sorted(self.steps(i, j), key=lambda s: s[3][0] == '~') if",
        ),
        ('<= fields["max_distance"]', '< fields["max_distance"]'),
        ("key=lambda word: (grids[word].distance, word)", "key=lambda word: grids[word].distance"),
        (
            "key=lambda word: (grids[word].distance, word)",
            "key=lambda word: (grids[word].distance, word.lower())",
        ),
        (
            "key=lambda word: (grids[word].distance, word)",
            "key=lambda word: (grids[word].distance, word.encode('utf-16-be'))",
        ),
        (
            "key=lambda word: (grids[word].distance, word)",
            "key=lambda word: (grids[word].distance, word.translate(table), word)",
        ),
        ('"within": len(near)', '"within": min(len(near), fields["limit"])'),
        ('for word in near[: fields["limit"]]', "for word in near"),
        ('{"word": word, "distance": grids', '{"word": word.translate(table), "distance": grids'),
        ("_Grid(query, word.translate(table), costs)", "_Grid(query, word, costs)"),
        ('fields["query"].translate(table)', 'fields["query"]'),
        ("word.translate(table), costs", "(word.lower() if table else word), costs"),
        ("len(set(words)) < len(words)", "len({w.lower() for w in words}) < len(words)"),
        ("len(set(words)) < len(words)", "False"),
        ('fields["costs"].get(name, 1)', 'fields["costs"].get(name, 2)'),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
