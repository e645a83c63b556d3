"""Prefix autocomplete and Boolean search: conformance, invariants, and wrong variants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from wrong_families import Mistake, mistakes

from kcb_core.codec import Json
from kcb_core.family import Family, answer, generated_inputs
from kcb_core.testing.conformance import FamilyConformance
from kcb_tasks.families.search_matching import boolean_search, prefix_autocomplete

pytestmark = pytest.mark.families


class TestPrefixAutocomplete(FamilyConformance):
    """What every family keeps."""

    family = prefix_autocomplete.FAMILY


class TestBooleanSearch(FamilyConformance):
    """What every family keeps."""

    family = boolean_search.FAMILY


def _results(family: Family, **changes: Json) -> Iterator[tuple[dict[str, Json], Json]]:
    """100 random inputs with a result, some fields as given, and the results."""
    drawn = ({**fields, **changes} for fields in generated_inputs(family, 4_242, 400))
    pairs = ((fields, answer(family, fields)) for fields in drawn)
    found = list(islice(((i, given["result"]) for i, given in pairs if "result" in given), 100))
    assert len(found) == 100
    yield from found


@pytest.mark.parametrize("fold", [False, True])
def test_totals_add_up_along_the_tree_of_prefixes(fold: bool) -> None:
    """What matches a query is the query itself or matches a query one character longer."""
    family = prefix_autocomplete.FAMILY
    small = {code: code + 32 if fold else code for code in range(ord("A"), ord("Z") + 1)}
    for fields, result in _results(family, fold=fold):
        forms = {entry["term"].translate(small) for entry in fields["terms"]}
        letters = sorted(set("".join(forms)))
        for reply in result["answers"][:4]:
            longer = [reply["query"] + letter for letter in letters]
            again = answer(family, {**fields, "queries": ["", *longer]})["result"]["answers"]
            totals = [each["total"] for each in again]
            assert totals[0] == len(forms)
            ends_here = reply["query"].translate(small) in forms
            assert reply["total"] == sum(totals[1:]) + ends_here


def test_a_query_and_its_negation_part_the_documents() -> None:
    """Every document satisfies exactly one of them."""
    family = boolean_search.FAMILY
    for fields, result in _results(family, limit=100):
        negated = {**fields, "query": f"NOT ({fields['query']})"[:200]}
        other = answer(family, negated)["result"]
        assert all(hit["score"] == 0 for hit in other["hits"])
        ids = [hit["id"] for found in (result, other) for hit in found["hits"]]
        assert sorted(ids) == sorted(doc["id"] for doc in fields["docs"])
        assert result["total"] + other["total"] == len(ids)
        assert other["leaves"] == result["leaves"]


def test_a_query_or_itself_has_doubled_scores() -> None:
    """Every leaf counts, needed or not."""
    family = boolean_search.FAMILY
    for fields, result in _results(family, limit=100):
        doubled = {**fields, "query": f"({fields['query']}) OR ({fields['query']})"}
        if len(doubled["query"]) <= 200:
            again = answer(family, doubled)["result"]
            hits = [{**hit, "score": 2 * hit["score"]} for hit in result["hits"]]
            expected = {"total": result["total"], "hits": hits, "leaves": result["leaves"] * 2}
            assert again == expected


_WRONG = {
    prefix_autocomplete: [
        ("term.startswith(form(query))", "term.startswith(query)"),
        ("text.translate(_SMALL)", "text.lower()"),
        ("text.translate(_SMALL)", "text.casefold()"),
        ("-weights[terms[term]], term", "-weights[terms[term]], terms[term]"),
        ("-weights[terms[term]], term", "weights[terms[term]], term"),
        ("-weights[terms[term]], term", "-weights[terms[term]]"),
        ("-weights[terms[term]], term", "-weights[terms[term]], term.encode('utf-16-be')"),
        ("-weights[terms[term]], term", "-weights[terms[term]], len(term), term"),
        ("-weights[terms[term]], term", "str(-weights[terms[term]]), term"),
        ('entry.get("weight", 0)', 'entry.get("weight", 1)'),
        ("[terms[term] for term in found", "[term for term in found"),
        ("_common(found) if found", "_common([terms[t] for t in found]) if found"),
        ("_common(found) if found", "_common(found[:fields['k']]) if found"),
        ("_common(found) if found else None", "_common(found) if found else query"),
        (
            '"query": query,\n                "total"',
            '"query": form(query),\n                "total"',
        ),
        ("for term in terms for end in", "for term in weights for end in"),
        ("range(1, len(term) + 1)", "range(len(term) + 1)"),
        ("range(1, len(term) + 1)", "range(1, len(term))"),
        (
            "if term.startswith(form(query))]",
            "if term.startswith(form(query)) and term != form(query)]",
        ),
        ("if len(terms) < len(fields", "if len(weights) < len(fields"),
        ("len(found),", 'len(found[: fields["k"]]),'),
    ],
    boolean_search: [
        ("_DEEPEST = 15", "_DEEPEST = 14"),
        ("_DEEPEST = 15", "_DEEPEST = 16"),
        ("run.casefold() for", "run.lower() for"),
        ("run.casefold() for run in _RUN.findall(text)", "run for run in text.casefold().split()"),
        (
            "run.casefold() for run in _RUN.findall(text)",
            "w for w in _RUN.findall(text.casefold())",
        ),
        (r'"[^\W_]+"', r'"\\w+"'),
        (r'"[^\W_]+"', '"[0-9A-Za-z]+"'),
        ("[^ \\t\\r\\n", "[^\\s"),
        ("scores=not self.negations", "scores=self.negations % 2 == 0"),
        ("scores=not self.negations", "scores=True"),
        (
            "range(len(tokens) - size + 1)",
            "range(0, len(tokens) - size + 1, size)",
        ),
        ("condition = self.negation()\n", "condition = self.conjunction()\n"),
        ('("", ")", "OR")', '("", ")", "OR", "NOT")'),
        ('if self.next() != "NOT":', 'if self.next().upper() != "NOT":'),
        ('while self.next() not in ("",', 'while self.next().upper() not in ("",'),
        ('if self.next() == "AND":', 'if self.next().upper() == "AND":'),
        ('if part in ("AND", "OR") or not', "if not"),
        ('if part in ("AND", "OR") or', 'if part.strip("*") in ("AND", "OR", "NOT") or'),
        ('part.removesuffix("*").isalnum()', 'part.rstrip("*").isalnum()'),
        ('part.removesuffix("*").isalnum()', "_tokens(part)"),
        ("elif not tokens:", "elif len(part) < 3:"),
        ("token.startswith(self.tokens[0])", "self.tokens[0] in token"),
        (
            "token.startswith(self.tokens[0])",
            "token != self.tokens[0] and token.startswith(self.tokens[0])",
        ),
        ("-item[1], item[0]", "-item[1]"),
        ("-item[1], item[0]", "-item[1], item[0].encode('utf-16-be')"),
        ('"total": len(scores)', '"total": len(ranked[: fields["limit"]])'),
        ("sum(n for n, leaf in", "sum(n > 0 for n, leaf in"),
        (
            "for index, leaf in enumerate(leaves)",
            "for index, leaf in enumerate(leaves) if leaf not in leaves[:index]",
        ),
        (
            "for index, leaf in enumerate(leaves)",
            "for index, leaf in enumerate(leaves) if leaf.scores",
        ),
        ('"docs": sum(found[index] > 0', '"docs": sum(found[index]'),
        (
            "sum(found[index] > 0 for found in counts.values())",
            "sum(counts[name][index] > 0 for name in scores)",
        ),
        ("depth += (part ==", "depth = max(depth, 0) + (part =="),
        ("depth += (part ==", "depth += part.count('(') - part.count(')') + 0 * (part =="),
        ("if part == '\"':\n            return", "if False:\n            return"),
        (
            'raise DomainError("too_deep")\n    parser = _Parser(parts)',
            "pass\n    parser = _Parser(parts)",
        ),
        (
            "if max(_depths(parts), default=0)",
            "if _Parser(parts).whole() and max(_depths(parts), default=0)",
        ),
        (
            "return lambda counts: any(condition(counts) for condition in conditions)",
            "return lambda counts: any([condition(counts) for condition in conditions[:2]])",
        ),
        (
            'if self.next():\n            raise DomainError("bad_query")',
            "pass",
        ),
        (
            'if self.next() != ")":\n                raise DomainError("bad_query")',
            'if self.next() not in ("", ")"):\n                raise DomainError("bad_query")',
        ),
    ],
}

MISTAKES = mistakes(_WRONG)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistakes_are_caught(mistake: Mistake) -> None:
    """Golden case, boundaries and 24 drawn inputs tell a plausible mistake from the rules."""
    assert mistake.is_caught()
