import unittest

from quill import DictLoader, Engine, RenderError, TemplateSyntaxError


def render(source, **variables):
    return Engine().render_text(source, variables)


class Expressions(unittest.TestCase):
    def test_printing(self):
        self.assertEqual(render("{{ name }}, {{ 4.0 }}, {{ true }}", name="Ada"), "Ada, 4, true")

    def test_arithmetic(self):
        self.assertEqual(render("{{ 2 + 3 * 4 }} {{ (2 + 3) * 4 }}"), "14 20")

    def test_logic(self):
        self.assertEqual(render("{{ a == 1 }} {{ a in [1, 2] }}", a=1), "true true")

    def test_looking_up(self):
        variables = {"person": {"name": "Ada", "tags": ["x", "y"]}}
        self.assertEqual(render("{{ person.name }} {{ person.tags[-1] }}", **variables), "Ada y")

    def test_filters(self):
        self.assertEqual(render("{{ ' ada ' | trim | upper }}"), "ADA")
        self.assertEqual(render("{{ [3, 1] | sort | join('-') }}"), "1-3")
        self.assertEqual(render("{{ 1234.5 | number(2) }}"), "1,234.50")
        self.assertEqual(render("{{ missing | default('none') }}"), "none")


class Statements(unittest.TestCase):
    def test_if(self):
        source = "{% if a == 1 %}one{% elif a == 2 %}two{% else %}many{% endif %}"
        self.assertEqual([render(source, a=a) for a in (1, 2, 3)], ["one", "two", "many"])

    def test_for(self):
        source = "{% for x in xs %}{{ loop.index }}{{ x }}{% else %}none{% endfor %}"
        self.assertEqual(render(source, xs=["a", "b"]), "1a2b")
        self.assertEqual(render(source, xs=[]), "none")

    def test_white_space(self):
        self.assertEqual(render("a  {%- if true -%}\n  b\n{% endif %}\nc"), "ab\nc")

    def test_raw_and_comments(self):
        self.assertEqual(render("{% raw %}{{ x }}{% endraw %}{# no #}!"), "{{ x }}!")

    def test_include(self):
        engine = Engine(DictLoader({"a": "[{% include 'parts/b' %}]", "parts/b": "{{ x }}"}))
        self.assertEqual(engine.render("a", {"x": "y"}), "[y]")

    def test_escaping(self):
        engine = Engine(autoescape=True)
        self.assertEqual(engine.render_text("{{ 'a & b' }} {{ '<b>' | safe }}"), "a &amp; b <b>")


class Errors(unittest.TestCase):
    def test_syntax(self):
        with self.assertRaises(TemplateSyntaxError) as caught:
            render("one\n{{ 1 + }}")
        self.assertEqual(str(caught.exception), "text:2: unexpected the end")

    def test_undefined(self):
        with self.assertRaises(RenderError) as caught:
            render("{{ a.b.c }}", a={})
        self.assertEqual(str(caught.exception), "text:1: b is undefined")
