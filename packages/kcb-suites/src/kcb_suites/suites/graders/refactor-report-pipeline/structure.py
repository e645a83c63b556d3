"""The rules of docs/STRUCTURE.md, measured in the source text."""

import ast

REMOVED = {"on", "off", "fire", "set_option", "get_option", "reset_options", "last_errors"}
STEPS = {"parsing", "selecting", "grouping", "rendering"}
HIGHER = {"report", "cli", "make_report"}
FORBIDDEN = {name: (STEPS - {name}) | HIGHER for name in ("parsing", "rendering")}
FORBIDDEN |= {name: (STEPS - {name, "parsing"}) | HIGHER for name in ("selecting", "grouping")}
MAKERS = {"list", "dict", "set", "defaultdict", "OrderedDict", "Counter", "deque"}
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PUBLIC = {
    "options": {"Options"},
    "parsing": {"Movement", "parse_movements"},
    "selecting": {"select"},
    "grouping": {"group"},
    "rendering": {"render", "render_text", "render_csv", "render_markdown"},
    "report": {"make_report"},
    "cli": {"main"},
}


def defined(tree):
    """All names of functions, classes, variables and parameters, and those imported."""
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]


def imported(tree):
    """The modules of the package that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            base = f"stockreport.{base}".rstrip(".") if node.level else base
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            if name.startswith("stockreport."):
                yield name.split(".")[1]


def mutable(node):
    """True if a value at module level can be changed later."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        return name in MAKERS
    return isinstance(node, DISPLAYS)


def bound(tree):
    """Names at module level that are bound to something mutable."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value and mutable(node.value):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def function_problems(tree):
    """Long functions, functions in functions, and the statements that are not wanted."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            yield "a global or nonlocal statement"
        if isinstance(node, ast.Lambda) and node.end_lineno != node.lineno:
            yield "a lambda of several lines"
        if isinstance(node, FUNCTIONS):
            length = node.end_lineno - node.lineno + 1
            if length > 25:
                yield f"{node.name} has {length} lines, 25 are allowed"
            inner = [
                one for one in ast.walk(node) if isinstance(one, FUNCTIONS) and one is not node
            ]
            yield from (f"{one.name} is defined inside {node.name}" for one in inner)


def module_problems(name, text):
    """What is wrong with one module, a sentence each."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        yield "cannot be parsed"
        return
    names = set(defined(tree))
    yield from (f"{word} is still there" for word in sorted(names & REMOVED))
    yield from (f"{word} is not defined" for word in sorted(PUBLIC.get(name, set()) - names))
    yield from function_problems(tree)
    lines = text.splitlines()
    if len(lines) > 150:
        yield f"{len(lines)} lines, 150 are allowed"
    if any(len(line) > 100 for line in lines):
        yield "a line is longer than 100 characters"
    others = set(imported(tree))
    wrong = others if name == "options" else others & FORBIDDEN.get(name, set())
    yield from (f"imports {other}" for other in sorted(wrong))
    for word in bound(tree):
        if word != "__all__" and word != word.upper():
            yield f"{word} is bound to something mutable at module level"
