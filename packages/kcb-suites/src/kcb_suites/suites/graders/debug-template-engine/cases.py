"""The hidden cases: what is asked of render.py, and the answer."""

from __future__ import annotations

from typing import Any

Case = tuple[str, Any, Any]


def text(source: str, expected: str, **variables: Any) -> Case:
    """A template that is given as text, without escaping."""
    return source[:60], {"source": source, "variables": variables}, expected


def html(source: str, expected: str, safe: tuple[str, ...] = (), **variables: Any) -> Case:
    """The same with escaping; ``safe`` are names of variables whose values are safe texts."""
    question = {"source": source, "variables": variables, "autoescape": True, "safe": safe}
    return f"escaped: {source[:60]}", question, expected


def files(about: str, templates: dict[str, str], *expected: str, names: str = "a") -> Case:
    """Templates that include each other; those of ``names`` are rendered by one engine."""
    return about, {"templates": templates, "names": names.split()}, list(expected)


EXPRESSIONS = [
    text("{{ 10 - 3 - 2 }}", "5"),
    text("{{ 2 - 3 + 4 }}", "3"),
    text("{{ 100 / 10 / 5 }}", "2"),
    text("{{ 12 / 4 * 3 }}", "9"),
    text("{{ 17 % 10 % 4 }}", "3"),
    text("{{ 10 - 2 * 3 - 1 }}", "3"),
    text("{{ 1 + 2 ~ 3 + 4 }}", "RenderError text:1: + needs numbers"),
    text("{{ 1 ~ 2 ~ 3 }}", "123"),
    text("{{ 10 - (3 - 2) }}", "9"),
    text("{{ -3 - -2 }}", "-1"),
    text("{{ true or false and false }}", "true"),
    text("{{ false and false or true }}", "true"),
    text("{{ true or true and false }}", "true"),
    text("{{ not false and false }}", "false"),
    text("{{ not a or b }}", "yes", a=1, b="yes"),
    text("{{ a == 1 and b == 2 or c == 3 }}", "true", a=0, b=2, c=3),
    text("{{ c == 3 or a == 1 and b == 2 }}", "true", a=0, b=2, c=3),
    text("{{ a or b or c }}", "x", a="", b=0, c="x"),
    text("{{ a and b and c }}", "0", a="x", b=0, c="y"),
    text("{{ 'no' if a and b or c else 'yes' }}", "yes", a=1, b=0, c=0),
    text("{{ 1 < 2 < 3 }}", "TemplateSyntaxError text:1: unexpected <"),
    text("{{ 'b' in 'abc' and 3 not in [1, 2] }}", "true"),
    text("{{ (-5.5) | number }}", "-6"),
    text("{{ -5.5 | number }}", "RenderError text:1: - needs numbers"),
    text("{{ 0 }}|{{ 0.0 }}|{{ false }}|{{ none }}|{{ x }}|{{ '' }}", "0|0|false|||"),
    text("{{ a - b }} open", "0 open", a=5, b=5),
    text("{{ a == 0 }} {{ [0, false, none, ''] }}", "true 0, false, , ", a=0),
    text("{{ [] }}{{ [[1, 2], [3]] }}", "1, 2, 3"),
]

QUOTES = [
    text("{{ '}}' }}", "}}"),
    text('{{ "a }} b" | upper }}!', "A }} B!"),
    text("{% if x == '%}' %}yes{% endif %}", "yes", x="%}"),
    text("{% set x = '{% raw %}' %}{{ x }}", "{% raw %}"),
    text(r"{{ 'it\'s }} so' }}", "it's }} so"),
    text(r"{{ 'back\\' }}{{ '}}' }}", r"back\}}"),
    text("{# it's a comment #}{{ 1 }}", "1"),
    text("{{ 'a\\nb' }}", "a\nb"),
    text("{{ 'open }}", "TemplateSyntaxError text:1: expression is not closed"),
]

WHITE_SPACE = [
    text("a\n  {%- if true %}\nb{% endif %}", "ab"),
    text("a\n\n{{- 1 -}}\n\n b", "a1b"),
    text("a \t\n {#- c -#} \n b", "ab"),
    text("a\n{# c #}\nb\n{# d -#}\n\n c", "a\nb\nc"),
    text("{% for x in [1, 2] %}\n{{ x }}\n{% endfor %}\nend", "1\n2\nend"),
    text("{% for x in [1, 2] -%}\n  {{ x }}\n{%- endfor %}\nend", "12end"),
    text("a\n{%- raw -%}\n {{ x }} \n{%- endraw -%}\n b", "a{{ x }}b"),
    text("{% raw %}\n{% if %}\n{% endraw %}\nb", "{% if %}\nb"),
    text("{{ 1 }}\n{{ 2 }}\n\n", "1\n2\n\n"),
]

SCOPES = [
    text("{% for x in [1, 2] %}{{ x }}{% endfor %}{{ x }}", "12old", x="old"),
    text("{% for x in [1, 2] %}{{ x }}{% endfor %}[{{ x }}{{ loop }}]", "12[]"),
    text("{% for a in 'xy' %}{% endfor %}", "RenderError text:1: for needs a list or a mapping"),
    text(
        "{% for x in xs %}{% if loop.first %}{% set y = 1 %}{% endif %}{{ y }}.{% endfor %}",
        "1..",
        xs=[1, 2],
    ),
    text(
        "{% set y = 0 %}{% for x in [1, 2] %}{% set y = y + x %}{{ y }}{% endfor %}{{ y }}", "120"
    ),
    text("{% if true %}{% set y = 1 %}{% endif %}{{ y }}", "1"),
    text(
        "{% for x in [1, 2] %}{% for y in [3, 4, 5] %}{{ loop.index }}{% endfor %}"
        "{{ loop.index }}/{{ loop.length }} {{ loop.last }} {% endfor %}",
        "1231/2 false 1232/2 true ",
    ),
    text(
        "{% for x in [[1], [2, 3]] %}{% for y in x %}{{ loop.parent.index }}{{ loop.index0 }} "
        "{% endfor %}{% endfor %}{% for x in [1] %}{{ loop.parent == none }}{% endfor %}",
        "10 20 21 true",
    ),
    text("{% for x in [1, 2] %}{% for x in ['a'] %}{{ x }}{% endfor %}{{ x }}{% endfor %}", "a1a2"),
    text(
        "{% for k, v in d | items %}{{ k }}={{ v }};{% endfor %}{{ k }}{{ v }}",
        "a=1;b=2;K",
        d={"a": 1, "b": 2},
        k="K",
    ),
    text("{% for k in d %}{{ k }}{% else %}none{% endfor %}", "ab", d={"a": 1, "b": 2}),
    text("{% for x in none %}x{% else %}none{% endfor %}{% for x in gone %}x{% endfor %}", "none"),
    text(
        "{% for a, b in [[1, 2, 3]] %}{% endfor %}",
        "RenderError text:1: cannot take 2 names from a value",
    ),
    (
        "what was passed is not changed",
        {
            "source": "{% set a = 2 %}{% for b in xs %}{% endfor %}{{ xs | sort | join }}"
            "{{ a }}{{ c }}{{ ys | sort('n') | length }}{{ xs | reverse | join }}",
            "variables": {"a": 1, "xs": [3, 1, 2], "ys": [{"n": 2}, {"n": 1}]},
            "shared": {"c": 5},
            "leftovers": True,
        },
        ["123252213", {"a": 1, "xs": [3, 1, 2], "ys": [{"n": 2}, {"n": 1}]}, {"c": 5}],
    ),
    (
        "renderings know nothing of each other",
        {
            "templates": {
                "a": "{{ name }}{{ title }}{{ sender }}{% set title = 'Dr ' %}{{ title }}"
            },
            "names": ["a", "a", "a"],
            "shared": {"sender": "S"},
            "variables": [{"name": "A"}, {}, {"sender": "T"}],
        },
        ["ASDr ", "SDr ", "TDr "],
    ),
]

LOOKING_UP = [
    text(
        "{{ o.items }} {{ o.keys }} {{ o.copy }} {{ o['get'] }}",
        "1 2 3 4",
        o={"items": 1, "keys": 2, "copy": 3, "get": 4},
    ),
    text("[{{ o.items }}{{ o.keys }}{{ o.pop }}]", "[]", o={}),
    text("{{ o.values | default('none') }}", "none", o={"a": 1}),
    text("{{ o.items | join('+') }} {{ o.items | length }}", "a+b 2", o={"items": ["a", "b"]}),
    text("{{ o._private }}{{ o['a b'] }}", "12", o={"_private": 1, "a b": 2}),
    text("[{{ xs.count }}{{ xs.sort }}{{ xs[5] }}{{ xs['0'] }}] {{ xs[-2] }}", "[] 1", xs=[1, 2]),
    text("[{{ t.upper }}] {{ t[0] }}{{ t[-1] }}", "[] xy", t="xy"),
    (
        "attributes of objects",
        {
            "source": "{{ p.name }} {{ p.age }}[{{ p._secret }}{{ p.gone }}]",
            "objects": ["p"],
            "variables": {"p": {"name": "Ada", "age": 0, "_secret": 1}},
        },
        "Ada 0[]",
    ),
    text("{{ a.b.c }}", "RenderError text:1: b is undefined", a={"x": 1}),
    text("{{ none.a }}{{ x == none }}", "true"),
]

FILTERS = [
    text(
        "{{ 0 | default(5) }} {{ '' | default(5) }} {{ false | default(5) }} {{ [] | default(5) }}",
        "0  false ",
    ),
    text("{{ none | default(5) }} {{ x | default(6) }} {{ a.b | default(0) }}", "5 6 0", a={}),
    text(
        "{{ 'abcdefghij' | truncate(10) }} {{ 'abcdefghijk' | truncate(10) }}",
        "abcdefghij abcdefg...",
    ),
    text(
        "{{ 'one two three' | truncate(8, '~') }}|{{ 'one two three' | truncate(7) }}",
        "one two~|one...",
    ),
    text(
        "{{ 'abcdef' | truncate(5, '') }} {{ 'abcdef' | truncate(2) }} {{ 'ab' | truncate(2) }}",
        "abcde ... ab",
    ),
    text(
        "{{ 2.675 | number(2) }} {{ 0.5 | number }} {{ 2.5 | number }} {{ 1.005 | number(2) }}",
        "2.68 1 3 1.01",
    ),
    text(
        "{{ 1234567.891 | number(1) }} {{ 999.999 | number(2) }} {{ 1000 | number }}",
        "1,234,567.9 1,000.00 1,000",
    ),
    text(
        "{{ x | number(2) }} {{ y | number(1) }} {{ 0 | number(2) }}",
        "0.00 -2.5 0.00",
        x=-0.001,
        y=-2.45,
    ),
    text(
        "{{ xs | sort | join(' ') }} {{ xs | join(' ') }} {{ xs | sort | first }}",
        "1 2 3 3 1 2 1",
        xs=[3, 1, 2],
    ),
    text(
        "{{ ps | sort('n') | last | items | join('/') }} {{ ps | first | length }}",
        "n, 2/m, a 2",
        ps=[{"n": 2, "m": "a"}, {"n": 1, "m": "b"}],
    ),
    text(
        "{% for p in ps | sort('n') %}{{ p.m }}{% endfor %}",
        "bdac",
        ps=[{"n": 2, "m": "a"}, {"n": 1, "m": "b"}, {"n": 3, "m": "c"}, {"n": 1, "m": "d"}],
    ),
    text("{{ [] | sort | length }}{{ none | length }}{{ x | length }}{{ 'abc' | length }}", "0003"),
    text(
        "[{{ [] | first }}{{ [] | last }}] {{ [1, 2] | reverse }} {{ [1, 0] | last }}", "[] 2, 1 0"
    ),
    text("{{ 'a\nb\n\nc' | indent(2) }}", "a\n  b\n\n  c"),
    text(
        "{{ 'a-b' | replace('-', '+') | upper }}{{ 5 | nothing }}",
        "RenderError text:1: unknown filter nothing",
    ),
    text("{{ [1, 0, false, none] | join('-') }}", "1-0-false-"),
    text("{{ '<&>' | escape }} {{ '<' | escape | escape }}", "&lt;&amp;&gt; &lt;"),
]

ESCAPING = [
    html("{{ '<a href=\"x\">&</a>' }}", "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"),
    html("{{ '&lt;' }} {{ 'it\\'s' }}", "&amp;lt; it's"),
    html("{{ x }} {{ x | upper }} {{ x ~ '' }}", "<b> &lt;B&gt; &lt;b&gt;", ("x",), x="<b>"),
    html("{{ '<b>' | safe }} {{ '<b>' | safe | trim }}", "<b> &lt;b&gt;"),
    html("{{ '<b>' | safe | truncate(9) }}", "&lt;b&gt;"),
    html(
        "{{ '<' | escape }} {{ '<' | escape | escape }} {{ x | escape }}",
        "&lt; &lt; <",
        ("x",),
        x="<",
    ),
    html("{{ ['<', '>'] | join('&') }} {{ ['<'] }} {{ 0 }}", "&lt;&amp;&gt; &lt; 0"),
    html("{{ y | default(x) }} {{ x | default('-') }}", "<b> <b>", ("x",), x="<b>"),
    html("<p>{{ 3 > 2 }}</p>&amp;", "<p>true</p>&amp;"),
]

FOLDERS = {
    "a": "{% include 'x/letter' %}|{% include 'y/letter' %}",
    "x/letter": "X{% include './head' %}{% include 'head' %}",
    "y/letter": "Y{% include './head' %}{% include './sub/foot' %}",
    "x/head": "hx",
    "y/head": "hy",
    "y/sub/foot": "fy{% include './deep' %}",
    "y/sub/deep": "dy",
    "head": "root",
}
INCLUDES = [
    files(
        "names that start with ./",
        FOLDERS,
        "Xhxroot|Yhyfydy",
        "Yhyfydy",
        "Xhxroot",
        names="a y/letter x/letter",
    ),
    files("a template of the root with ./", {"a": "{% include './b' %}", "b": "B"}, "B"),
    files(
        "what an included template sets is gone after it",
        {
            "a": "{% set x = 1 %}{% include 'b' %}{{ x }}{{ y }}",
            "b": "{{ x }}{% set x = 2 %}{% set y = 3 %}{{ x }}{{ y }}",
        },
        "1231",
    ),
    files(
        "an included template sees the loop",
        {
            "a": "{% for x in ['p', 'q'] %}{% include 'b' %}{% endfor %}{{ x }}",
            "b": "{{ loop.index }}{{ x }}{% set x = 0 %}{{ x }} ",
        },
        "1p0 2q0 ",
    ),
    files(
        "the name is an expression",
        {
            "a": "{% for n in ['b', 'c'] %}{% include 'p/' ~ n %}{% endfor %}",
            "p/b": "B",
            "p/c": "C",
        },
        "BC",
    ),
    files(
        "one that is not there",
        {"a": "\n{% include 'gone' %}"},
        "TemplateNotFound a:2: no template gone",
    ),
    files(
        "one that is not there, relative",
        {"p/a": "{% include './gone' %}"},
        "TemplateNotFound p/a:1: no template p/gone",
        names="p/a",
    ),
    files(
        "including itself for ever",
        {"a": "{% include 'a' %}"},
        "RenderError a:1: templates include each other too deep",
    ),
    files(
        "twenty deep",
        {
            "a": "{% if n == 19 %}end{% else %}{% set n = (n or 0) + 1 %}{% include 'a' %}"
            "{% endif %}"
        },
        "end",
    ),
]

ERRORS = [
    text("{# one\ntwo\n#}\n{{ a.b }}", "RenderError text:4: a is undefined"),
    text("a\n\n{%- if true -%}\n\n\n{{ a.b }}{% endif %}", "RenderError text:6: a is undefined"),
    text(
        "{% if true %}\n{% raw %}\n\n{% endraw %}\n{{ 1 + }}{% endif %}",
        "TemplateSyntaxError text:5: unexpected the end",
    ),
    text("{{\n1\n}}\n{% set a\n= 1 %}\n{{ a.b.c }}{{ x.y }}", "RenderError text:6: b is undefined"),
    text("one\n{{ [1,\n2] | wrong\n}}", "RenderError text:2: unknown filter wrong"),
    text(
        "{% for x in [1] %}\n{{ x }}\n{% if x %}\n{{ x + 'a' }}\n{% endif %}{% endfor %}",
        "RenderError text:4: + needs numbers",
    ),
    text("{% if false %}\n{% elif 1 + 'a' %}\n{% endif %}", "RenderError text:2: + needs numbers"),
    text("{% if a %}\n{% elif %}\n{% endif %}", "TemplateSyntaxError text:2: unexpected the end"),
    text(
        "\n{% if a %}\n{% for x in y %}\n\n{% endif %}",
        "TemplateSyntaxError text:5: unknown tag endif",
    ),
    text("\n{% if a %}\n{% else %}\n{{ a }}\n", "TemplateSyntaxError text:2: if is not closed"),
    text(
        "{# a\n#}\n{% for x in y %}\n{% if x %}{% endif %}",
        "TemplateSyntaxError text:3: for is not closed",
    ),
    text("{# a\n#}\n{{ 'a' \n", "TemplateSyntaxError text:3: expression is not closed"),
    text("a\n{# b\n", "TemplateSyntaxError text:2: comment is not closed"),
    text("{# a\n#}\n\n{% raw %}\n{% endif %}", "TemplateSyntaxError text:4: raw is not closed"),
    text("{{ 1 / 0 }}", "RenderError text:1: division by zero"),
    text("{% nothing %}", "TemplateSyntaxError text:1: unknown tag nothing"),
    files(
        "an error in an included template",
        {
            "a": "\n\n{% for x in [1] %}{% include 'p/b' %}{% endfor %}",
            "p/b": "{# a\n#}\n\n\n{% if true %}{{ x.y.z }}{% endif %}",
        },
        "RenderError p/b:5: y is undefined",
    ),
    files(
        "a syntax error in an included template",
        {"a": "\n{% include 'b' %}", "b": "\n\n{{ ) }}"},
        "TemplateSyntaxError b:3: unexpected )",
    ),
]

CASES = [
    *EXPRESSIONS,
    *QUOTES,
    *WHITE_SPACE,
    *SCOPES,
    *LOOKING_UP,
    *FILTERS,
    *ESCAPING,
    *INCLUDES,
    *ERRORS,
]
