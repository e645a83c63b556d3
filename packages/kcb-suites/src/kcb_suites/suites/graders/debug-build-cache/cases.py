"""Stories of projects: what happens (see driver.py), and what is seen on the way."""

CAT = {"inputs": ["t/*"], "steps": ["cat t/* > out"], "outputs": ["out"]}
LIST = {"steps": ['echo "$KILN_INPUTS" > list'], "outputs": ["list"]}


def copy(source, target, **more):
    """A target that copies one file."""
    return {"inputs": [source], "steps": [f"cp {source} {target}"], "outputs": [target], **more}


def after(need, source, target):
    """A target that copies the output of another."""
    return {"needs": [need], "steps": [f"cp {source} {target}"], "outputs": [target]}


CHAIN = {"one": copy("a", "b"), "two": after("one", "b", "c"), "three": after("two", "c", "d")}
UPPER = {
    "upper": {"inputs": ["a"], "steps": ["tr a-z A-Z < a > b"], "outputs": ["b"]},
    "last": after("upper", "b", "c"),
}
VAR = {"show": {"steps": ['echo "${MODE-none}" > out'], "outputs": ["out"], "env": ["MODE"]}}
SHOW = {"show": {"steps": ['echo "${MODE-none} ${OTHER-none}" > out'], "outputs": ["out"]}}
FAILING = {
    "bad": {"steps": ["exit 4"]},
    "mid": {"needs": ["bad"], "steps": ["true"]},
    "end": {"needs": ["mid"], "steps": ["true"]},
    "other": {"steps": ["true"]},
}


def listed(*patterns, **more):
    """A project that writes down which inputs it found."""
    return ["project", {"list": {**LIST, "inputs": patterns, **more}}]


def files(*names):
    """Empty files."""
    return [["text", name, ""] for name in names]


BUILD = ["run", "build"]
# The names of all variables but those that shells set themselves.
VARIABLES = "env | cut -d= -f1 | grep -v -x -e PWD -e _ -e OLDPWD -e SHLVL | sort > v"
STORIES = [
    # What a target is made from
    (
        "a line moves from one input to the next",
        [
            ["project", {"n": {**CAT, "steps": ["wc -l < t/a > out"]}}],
            ["text", "t/a", "1\n2\n"],
            ["text", "t/b", "3\n"],
            BUILD,
            ["text", "t/a", "1\n"],
            ["text", "t/b", "2\n3\n"],
            BUILD,
            ["run", "why", "n"],
            BUILD,
        ],
        [[0, "built n"], [0, "built n"], [0, "nothing changed"], [0, "fresh n"]],
    ),
    (
        "two inputs change their contents with each other's halves",
        [
            ["project", {"n": CAT}],
            ["text", "t/a", "xy"],
            ["text", "t/b", ""],
            BUILD,
            ["text", "t/a", ""],
            ["text", "t/b", "xy"],
            ["run", "why", "n"],
            BUILD,
        ],
        [[0, "built n"], [0, "input changed: t/a", "input changed: t/b"], [0, "built n"]],
    ),
    (
        "an input is renamed",
        [
            ["project", {"n": {**CAT, "steps": ["ls t > out"]}}],
            ["text", "t/a", "x"],
            BUILD,
            ["remove", "t/a"],
            ["text", "t/b", "x"],
            ["run", "why", "n"],
            BUILD,
            ["read", "out"],
        ],
        [[0, "built n"], [0, "input removed: t/a", "input added: t/b"], [0, "built n"], "b\n"],
    ),
    (
        "an input becomes executable",
        [
            [
                "project",
                {
                    "n": {
                        "inputs": ["go"],
                        "steps": ["ls -l go | cut -c4 > out"],
                        "outputs": ["out"],
                    }
                },
            ],
            ["text", "go", "true"],
            ["mode", "go", "644"],
            BUILD,
            ["mode", "go", "755"],
            BUILD,
            ["read", "out"],
            ["mode", "go", "644"],
            BUILD,
            ["read", "out"],
        ],
        [[0, "built n"], [0, "built n"], "x\n", [0, "restored n"], "-\n"],
    ),
    (
        "other steps, other outputs",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "x"],
            BUILD,
            ["project", {"n": {**copy("a", "b"), "steps": ["cp a b", "true"]}}],
            ["run", "why", "n"],
            BUILD,
            [
                "project",
                {"n": {**copy("a", "b"), "steps": ["cp a b", "cp a c"], "outputs": ["b", "c"]}},
            ],
            ["run", "why", "n"],
            BUILD,
            ["project", {"n": copy("a", "b")}],
            BUILD,
        ],
        [
            [0, "built n"],
            [0, "steps changed"],
            [0, "built n"],
            [0, "steps changed", "outputs changed"],
            [0, "built n"],
            [0, "fresh n"],
        ],
    ),
    (
        "a variable is unset, empty, set",
        [
            ["project", VAR],
            BUILD,
            ["read", "out"],
            ["env", {"MODE": ""}],
            ["run", "why", "show"],
            BUILD,
            ["read", "out"],
            ["env", {"MODE": "x"}],
            BUILD,
            ["read", "out"],
            ["env", {}],
            BUILD,
            ["read", "out"],
        ],
        [
            [0, "built show"],
            "none\n",
            [0, "variable changed: MODE"],
            [0, "built show"],
            "\n",
            [0, "built show"],
            "x\n",
            [0, "restored show"],
            "none\n",
        ],
    ),
    (
        "the project's variables go with the target's own",
        [
            ["project", {"show": {**SHOW["show"], "env": ["MODE"]}}, "OTHER"],
            ["env", {"MODE": "m", "OTHER": "o"}],
            BUILD,
            ["env", {"MODE": "m", "OTHER": "p"}],
            ["run", "why", "show"],
            BUILD,
            ["read", "out"],
            ["env", {"MODE": "n", "OTHER": "p"}],
            ["run", "why", "show"],
            BUILD,
            ["read", "out"],
        ],
        [
            [0, "built show"],
            [0, "variable changed: OTHER"],
            [0, "built show"],
            "m p\n",
            [0, "variable changed: MODE"],
            [0, "built show"],
            "n p\n",
        ],
    ),
    (
        "the project's variables alone",
        [
            ["project", SHOW, "OTHER"],
            ["env", {"OTHER": "o"}],
            BUILD,
            ["read", "out"],
            ["env", {"OTHER": "p"}],
            BUILD,
            ["read", "out"],
        ],
        [[0, "built show"], "none o\n", [0, "built show"], "none p\n"],
    ),
    (
        "steps see no variable that is not listed",
        [
            ["project", SHOW],
            ["env", {"MODE": "m", "OTHER": "o"}],
            BUILD,
            ["read", "out"],
            ["env", {}],
            BUILD,
        ],
        [[0, "built show"], "none none\n", [0, "fresh show"]],
    ),
    (
        "steps see the listed ones and PATH",
        [
            [
                "project",
                {
                    "v": {
                        "steps": [VARIABLES],
                        "outputs": ["v"],
                        "env": ["A"],
                    }
                },
                "B",
            ],
            ["env", {"A": "1", "B": "", "C": "3"}],
            BUILD,
            ["read", "v"],
        ],
        [[0, "built v"], "A\nB\nKILN_INPUTS\nPATH\n"],
    ),
    (
        "the place of the project and the order of patterns do not matter",
        [
            listed("t/b*", "t/a*"),
            *files("t/a1", "t/b1"),
            BUILD,
            ["read", "list"],
            listed("t/a*", "t/b*"),
            BUILD,
            ["move"],
            BUILD,
        ],
        [[0, "built list"], "t/a1 t/b1\n", [0, "fresh list"], [0, "fresh list"]],
    ),
    # Chains
    (
        "a new project is made at once, and is fresh then",
        [["project", CHAIN], ["text", "a", "1"], BUILD, BUILD, ["run", "why", "three"]],
        [
            [0, "built one", "built two", "built three"],
            [0, "fresh one", "fresh two", "fresh three"],
            [0, "nothing changed"],
        ],
    ),
    (
        "a change goes all the way, and so does its end",
        [
            ["project", CHAIN],
            ["text", "a", "1"],
            BUILD,
            BUILD,
            ["text", "a", "2"],
            BUILD,
            ["read", "d"],
            ["text", "a", "1"],
            BUILD,
            ["read", "b", "c", "d"],
            BUILD,
        ],
        [
            [0, "built one", "built two", "built three"],
            [0, "fresh one", "fresh two", "fresh three"],
            [0, "built one", "built two", "built three"],
            "2",
            [0, "restored one", "restored two", "restored three"],
            "1",
            "1",
            "1",
            [0, "fresh one", "fresh two", "fresh three"],
        ],
    ),
    (
        "a need that comes out as it was makes nobody work",
        [
            ["project", UPPER],
            ["text", "a", "abc"],
            BUILD,
            ["text", "a", "ABC"],
            BUILD,
            ["text", "a", "abd"],
            BUILD,
            ["read", "c"],
        ],
        [
            [0, "built upper", "built last"],
            [0, "built upper", "fresh last"],
            [0, "built upper", "built last"],
            "ABD",
        ],
    ),
    (
        "an input that another target makes",
        [
            [
                "project",
                {
                    "use": {**copy("gen/x", "y"), "needs": ["make"]},
                    "make": copy("a", "gen/x"),
                },
            ],
            ["text", "a", "1"],
            BUILD,
            ["text", "a", "2"],
            BUILD,
            ["read", "y"],
        ],
        [[0, "built make", "built use"], [0, "built make", "built use"], "2"],
    ),
    (
        "a pattern that finds what another target makes",
        [
            [
                "project",
                {
                    "list": {**LIST, "inputs": ["gen/*"], "needs": ["make"]},
                    "make": copy("a", "gen/x"),
                },
            ],
            ["text", "a", "1"],
            BUILD,
            ["read", "list"],
        ],
        [[0, "built make", "built list"], "gen/x\n"],
    ),
    (
        "why looks at needs as they lie there",
        [
            ["project", CHAIN],
            ["text", "a", "1"],
            BUILD,
            ["edit", "c", "9"],
            ["run", "why", "three"],
            ["remove", "b"],
            ["run", "why", "two"],
            BUILD,
            ["read", "c", "d"],
        ],
        [
            [0, "built one", "built two", "built three"],
            [0, "need changed: two"],
            [0, "need changed: one"],
            [0, "restored one", "restored two", "fresh three"],
            "1",
            "1",
        ],
    ),
    (
        "only what is named, and what it needs",
        [["project", CHAIN], ["text", "a", "1"], ["run", "build", "two"], BUILD],
        [[0, "built one", "built two"], [0, "fresh one", "fresh two", "built three"]],
    ),
    # Inputs
    (
        "two stars stand for no folder, too",
        [
            listed("src/**/*.c"),
            *files("src/a.c", "src/x/b.c", "src/x/y/c.c", "src/x.h", "a.c", "srcs/d.c"),
            BUILD,
            ["read", "list"],
        ],
        [[0, "built list"], "src/a.c src/x/b.c src/x/y/c.c\n"],
    ),
    (
        "two stars at the beginning, at the end, and twice",
        [
            listed("**/a"),
            *files("a", "x/a", "x/y/a", "x/y/b"),
            BUILD,
            ["read", "list"],
            listed("x/**"),
            BUILD,
            ["read", "list"],
            listed("**/y/**/b"),
            BUILD,
            ["read", "list"],
        ],
        [
            [0, "built list"],
            "a x/a x/y/a\n",
            [0, "built list"],
            "x/a x/y/a x/y/b\n",
            [0, "built list"],
            "x/y/b\n",
        ],
    ),
    (
        "one star stays in its folder",
        [listed("t/*"), *files("t/a", "t/x/b"), BUILD, ["read", "list"]],
        [[0, "built list"], "t/a\n"],
    ),
    (
        "hidden names",
        [
            listed("t/**/*", "t/.h*"),
            *files("t/a", "t/.hid", "t/.no", "t/.x/b", "t/y/.z", "t/y/c"),
            BUILD,
            ["read", "list"],
        ],
        [[0, "built list"], "t/.hid t/a t/y/c\n"],
    ),
    (
        "each input once, in the order of paths",
        [
            listed("t/c", "t/?", "t/*a", "t/b"),
            *files("t/c", "t/a", "t/b", "t/aa"),
            BUILD,
            ["read", "list"],
        ],
        [[0, "built list"], "t/a t/aa t/b t/c\n"],
    ),
    (
        "dots and signs stand for themselves",
        [
            listed("t/*.c", "t/a+b?"),
            *files("t/xc", "t/x.c", "t/a+b1", "t/aab1"),
            BUILD,
            ["read", "list"],
        ],
        [[0, "built list"], "t/a+b1 t/x.c\n"],
    ),
    (
        "a target's own outputs are no inputs",
        [listed("*"), *files("a"), BUILD, BUILD, ["read", "list"]],
        [[0, "built list"], [0, "fresh list"], "a kiln.json\n"],
    ),
    (
        "a pattern may find nothing, a name may not",
        [
            listed("t/*"),
            BUILD,
            listed("t/*", "t/a"),
            BUILD,
            ["run", "why", "list"],
            ["read", "list"],
            *files("t/a"),
            BUILD,
        ],
        [
            [0, "built list"],
            [1, "failed list: no input t/a"],
            [0, "no input t/a"],
            None,
            [0, "built list"],
        ],
    ),
    (
        "inputs come and go",
        [
            listed("t/*"),
            *files("t/a"),
            BUILD,
            *files("t/b"),
            ["run", "why", "list"],
            BUILD,
            ["remove", "t/a"],
            ["run", "why", "list"],
            BUILD,
        ],
        [
            [0, "built list"],
            [0, "input added: t/b"],
            [0, "built list"],
            [0, "input removed: t/a"],
            [0, "built list"],
        ],
    ),
    # Steps
    (
        "a step in the middle fails",
        [
            [
                "project",
                {"n": {"steps": ["echo 1 > out", "exit 7", "echo 3 > out"], "outputs": ["out"]}},
            ],
            BUILD,
            ["read", "out"],
            BUILD,
        ],
        [[1, "failed n: step 2 exited with 7"], None, [1, "failed n: step 2 exited with 7"]],
    ),
    (
        "no step runs after the one that fails",
        [["project", {"n": {"steps": ["false", "echo x > trace"]}}], BUILD, ["read", "trace"]],
        [[1, "failed n: step 1 exited with 1"], None],
    ),
    (
        "the last step fails",
        [["project", {"n": {"steps": ["true", "true", "exit 2"]}}], BUILD],
        [[1, "failed n: step 3 exited with 2"]],
    ),
    (
        "an output is not made",
        [
            ["project", {"n": {"steps": ["echo x > o1"], "outputs": ["o1", "o2", "o3"]}}],
            BUILD,
            ["read", "o1"],
        ],
        [[1, "failed n: did not make o2"], None],
    ),
    (
        "an old output is not taken for a new one",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "1"],
            BUILD,
            ["project", {"n": {**copy("a", "b"), "steps": ["true"]}}],
            BUILD,
            ["read", "b"],
        ],
        [[0, "built n"], [1, "failed n: did not make b"], None],
    ),
    (
        "steps that append begin with nothing",
        [
            ["project", {"n": {**copy("a", "b"), "steps": ["cat a >> b"]}}],
            ["text", "a", "1"],
            BUILD,
            ["text", "a", "2"],
            BUILD,
            ["read", "b"],
            ["text", "a", "1"],
            BUILD,
            ["read", "b"],
        ],
        [[0, "built n"], [0, "built n"], "2", [0, "restored n"], "1"],
    ),
    (
        "folders of outputs are made",
        [["project", {"n": copy("a", "x/y/b")}], ["text", "a", "1"], BUILD, ["read", "x/y/b"]],
        [[0, "built n"], "1"],
    ),
    (
        "a failure leaves no result, and what came before is still there",
        [
            ["project", {"n": {**copy("a", "b"), "steps": ["cp a b", "grep -q good a"]}}],
            ["text", "a", "good"],
            BUILD,
            ["text", "a", "bad"],
            BUILD,
            ["read", "b"],
            ["run", "why", "n"],
            ["text", "a", "good"],
            BUILD,
        ],
        [
            [0, "built n"],
            [1, "failed n: step 2 exited with 1"],
            None,
            [0, "input changed: a"],
            [0, "restored n"],
        ],
    ),
    # Failures and the others
    (
        "after a failure nothing more is made",
        [["project", FAILING], BUILD],
        [[1, "failed bad: step 1 exited with 4", "skipped mid", "skipped end", "skipped other"]],
    ),
    (
        "going on, without what needs what failed",
        [["project", FAILING], ["run", "build", "--keep-going"]],
        [[1, "failed bad: step 1 exited with 4", "skipped mid", "skipped end", "built other"]],
    ),
    (
        "going on in a longer chain",
        [
            ["project", {**CHAIN, "four": after("three", "d", "e"), "five": copy("z", "zz")}],
            ["text", "z", "1"],
            ["run", "build", "--keep-going"],
            ["text", "a", "1"],
            ["run", "build", "--keep-going"],
        ],
        [
            [
                1,
                "failed one: no input a",
                "skipped two",
                "skipped three",
                "skipped four",
                "built five",
            ],
            [0, "built one", "built two", "built three", "built four", "fresh five"],
        ],
    ),
    # The cache
    (
        "an output that is edited in place after it was made",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "made"],
            BUILD,
            ["edit", "b", "edited"],
            BUILD,
            ["read", "b", "a"],
            BUILD,
        ],
        [[0, "built n"], [0, "restored n"], "made", "made", [0, "fresh n"]],
    ),
    (
        "an output that is edited in place after it was restored",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "made"],
            BUILD,
            ["run", "clean"],
            BUILD,
            ["edit", "b", "edited"],
            ["run", "clean"],
            BUILD,
            ["read", "b"],
        ],
        [[0, "built n"], [0], [0, "restored n"], [0], [0, "restored n"], "made"],
    ),
    (
        "two outputs of one content are two files",
        [
            ["project", {"n": {"steps": ["echo x > p", "echo x > q"], "outputs": ["p", "q"]}}],
            BUILD,
            ["run", "clean"],
            BUILD,
            ["edit", "p", "y"],
            ["read", "q"],
            BUILD,
            ["read", "p", "q"],
        ],
        [[0, "built n"], [0], [0, "restored n"], "x\n", [0, "restored n"], "x\n", "x\n"],
    ),
    (
        "executable outputs stay so, others do not become so",
        [
            [
                "project",
                {"n": {"steps": ["echo x > p", "echo x > q", "chmod +x q"], "outputs": ["p", "q"]}},
            ],
            BUILD,
            ["run", "clean"],
            BUILD,
            ["executable", "p"],
            ["executable", "q"],
            ["mode", "q", "644"],
            BUILD,
            ["executable", "q"],
            ["executable", "p"],
            BUILD,
        ],
        [
            [0, "built n"],
            [0],
            [0, "restored n"],
            False,
            True,
            [0, "restored n"],
            True,
            False,
            [0, "fresh n"],
        ],
    ),
    (
        "an executable output matters to those that need it",
        [
            [
                "project",
                {
                    "p": {"inputs": ["m"], "steps": ["echo x > o; sh m"], "outputs": ["o"]},
                    "q": {"needs": ["p"], "steps": ["ls -l o | cut -c4 > r"], "outputs": ["r"]},
                },
            ],
            ["text", "m", "chmod 644 o"],
            BUILD,
            ["text", "m", "chmod 755 o"],
            BUILD,
            ["read", "r"],
        ],
        [[0, "built p", "built q"], [0, "built p", "built q"], "x\n"],
    ),
    (
        "damaged contents count as not there",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "made"],
            BUILD,
            ["damage", "objects"],
            ["run", "clean"],
            BUILD,
            ["read", "b"],
            ["run", "clean"],
            BUILD,
            ["read", "b"],
        ],
        [[0, "built n"], [0], [0, "built n"], "made", [0], [0, "restored n"], "made"],
    ),
    (
        "damaged entries count as not there",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "made"],
            BUILD,
            ["damage", "entries"],
            BUILD,
            BUILD,
        ],
        [[0, "built n"], [0, "built n"], [0, "fresh n"]],
    ),
    (
        "prune keeps what was used last, and fresh is use",
        [
            ["project", {"n": copy("a", "b"), "m": copy("c", "d")}],
            ["text", "a", "1"],
            ["text", "c", "2"],
            ["run", "build", "n"],
            ["run", "build", "m"],
            ["run", "build", "n"],
            ["run", "prune", "--keep", "1"],
            ["run", "clean"],
            BUILD,
        ],
        [
            [0, "built n"],
            [0, "built m"],
            [0, "fresh n"],
            [0, "dropped 1 entries, 1 files"],
            [0],
            [0, "restored n", "built m"],
        ],
    ),
    (
        "prune: to be restored is use",
        [
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "1"],
            BUILD,
            ["text", "a", "2"],
            BUILD,
            ["text", "a", "3"],
            BUILD,
            ["text", "a", "1"],
            BUILD,
            ["run", "prune", "--keep", "2"],
            ["text", "a", "3"],
            BUILD,
            ["text", "a", "2"],
            BUILD,
        ],
        [
            [0, "built n"],
            [0, "built n"],
            [0, "built n"],
            [0, "restored n"],
            [0, "dropped 1 entries, 1 files"],
            [0, "restored n"],
            [0, "built n"],
        ],
    ),
    (
        "prune leaves the content that another entry has",
        [
            ["project", {"n": copy("a", "b"), "m": copy("c", "d")}],
            ["text", "a", "same"],
            ["text", "c", "same"],
            BUILD,
            ["run", "prune", "--keep", "1"],
            ["run", "clean"],
            ["run", "build", "m"],
            ["read", "d"],
            ["run", "build", "n"],
        ],
        [
            [0, "built n", "built m"],
            [0, "dropped 1 entries, 0 files"],
            [0],
            [0, "restored m"],
            "same",
            [0, "built n"],
        ],
    ),
    (
        "prune keeps all if they are few, and drops all if none is wanted",
        [
            ["run", "build"],
            ["project", {"n": copy("a", "b")}],
            ["text", "a", "1"],
            ["run", "prune", "--keep", "3"],
            BUILD,
            ["run", "prune", "--keep", "3"],
            ["run", "prune", "--keep", "0"],
            BUILD,
        ],
        [
            [2, "kiln: no kiln.json"],
            [0, "dropped 0 entries, 0 files"],
            [0, "built n"],
            [0, "dropped 0 entries, 0 files"],
            [0, "dropped 1 entries, 1 files"],
            [0, "built n"],
        ],
    ),
]


def wrong(targets, message):
    """A project that cannot be."""
    return message, [["project", targets], BUILD], [[2, f"kiln: {message}"]]


DO = {"steps": ["true"]}
STORIES += [
    wrong({}, "kiln.json: no targets"),
    wrong({"x": {}}, "kiln.json: target 'x' has no steps"),
    wrong({"x": {**DO, "needs": ["y"]}}, "kiln.json: target 'x' needs unknown 'y'"),
    wrong(
        {"x": {**DO, "outputs": ["o"]}, "y": {**DO, "outputs": ["o"]}},
        "kiln.json: output 'o' of 'y' is made by 'x' too",
    ),
    wrong(
        {"p": {**DO, "needs": ["q"]}, "q": {**DO, "needs": ["r"]}, "r": {**DO, "needs": ["q"]}},
        "kiln.json: needs go round: q -> r -> q",
    ),
    (
        "a name that is no target",
        [["project", {"x": DO}], ["run", "build", "y"], ["run", "why", "y"]],
        [[2, "kiln: no target 'y'"], [2, "kiln: no target 'y'"]],
    ),
]
