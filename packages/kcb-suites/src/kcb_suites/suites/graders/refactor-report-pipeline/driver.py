"""Makes reports, at once or step by step."""

import contextlib
import io


def whole(text, options):
    from stockreport import make_report

    return make_report(text, **options)


def steps(text, options):
    from stockreport.grouping import group
    from stockreport.options import Options
    from stockreport.parsing import parse_movements
    from stockreport.rendering import render, render_csv, render_markdown, render_text
    from stockreport.selecting import select

    chosen = Options(**options)
    movements, problems = parse_movements(text)
    groups = group(select(movements, chosen), chosen)
    forms = {"text": render_text, "csv": render_csv, "markdown": render_markdown}
    said = render(groups, problems, chosen)
    # what was rendered once can be rendered again, and by the function of its form
    return said if forms[chosen.form](groups, problems, chosen) == said else "two answers"


def parsed(text, options):
    from stockreport.parsing import parse_movements

    names = ("kind", "item", "quantity", "price", "note")
    movements, problems = parse_movements(text)
    rows = [[one.day.isoformat(), *(getattr(one, name) for name in names)] for one in movements]
    return [rows, problems]


def selected(text, options):
    from stockreport.options import Options
    from stockreport.parsing import parse_movements
    from stockreport.selecting import select

    movements, _ = parse_movements(text)
    return [movements.index(one) for one in select(movements, Options(**options))]


def grouped(text, options):
    from stockreport.grouping import group
    from stockreport.options import Options
    from stockreport.parsing import parse_movements

    return len(group(parse_movements(text)[0], Options(**options)))


def defaults(text, options):
    from stockreport.options import Options

    chosen = Options(**options)
    try:
        chosen.by = "day"
    except AttributeError:
        names = "by order reverse top form since until kinds currency title problems".split()
        return [getattr(chosen, name) for name in names]
    return "not frozen"


KINDS = {
    "whole": whole,
    "steps": steps,
    "parsed": parsed,
    "selected": selected,
    "grouped": grouped,
    "defaults": defaults,
}


def answer(question):
    kind, text, options = question
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        said = KINDS[kind](text, options)
    return said if not out.getvalue() else "something was printed"
