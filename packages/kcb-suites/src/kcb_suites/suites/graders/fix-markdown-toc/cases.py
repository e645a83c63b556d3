"""What tocdown answers: (about, arguments, expected), as its README says."""

ANCHORS = [
    ("Getting Started", "getting-started"),
    ("Q & A", "q--a"),
    ("Überblick für Ärzte", "überblick-für-ärzte"),
    ("Руководство 2", "руководство-2"),
    ("日本語の見出し", "日本語の見出し"),
    ("हिन्दी में", "हिन्दी-में"),
    ("read_file_sync", "read_file_sync"),
    ("The `read_file_sync` call", "the-read_file_sync-call"),
    ("_Quick_ start", "quick-start"),
    ("__init__ and __read_file_sync__", "init-and-read_file_sync"),
    ("**Bold** and *thin*", "bold-and-thin"),
    ("[Setup](#a) and [Usage](#b)", "setup-and-usage"),
    ("See [`init`](#init) first", "see-init-first"),
    ("A ![logo](l.png) B", "a-logo-b"),
    ("Press <kbd>Enter</kbd>", "press-enter"),
    ("Keep \\_this\\_", "keep-_this_"),
    ("`a_b` + `_c_`", "a_b--_c_"),
    ("C#", "c"),
    ("!!!", "section"),
    ("v1.2.3 (beta)", "v123-beta"),
    ("UPPER", "upper"),
]

HEADINGS = [
    ("a sharp stays", "## C#\n", [[2, "C#", 1, "c", True]]),
    ("a closing run goes", "## F# ##\n", [[2, "F#", 1, "f", True]]),
    ("a closing run after a tab goes", "### Tab\t###\n", [[3, "Tab", 1, "tab", True]]),
    ("sharps in a word stay", "# a#b##\n", [[1, "a#b##", 1, "ab", True]]),
    ("nothing but a closing run", "## ##\n# x\n", [[1, "x", 2, "x", True]]),
    ("three spaces of indent", "   ## In\n    ## Out\n", [[2, "In", 1, "in", True]]),
    ("seven sharps", "####### no\n#no\n", []),
    (
        "an underline",
        "Title\n===\n\nPart\n--\n",
        [
            [1, "Title", 1, "title", True],
            [2, "Part", 4, "part", True],
        ],
    ),
    ("no underline below a list", "1. one\n---\n* two\n---\n| t |\n---\n", []),
    (
        "a longer fence holds a shorter one",
        "````md\n```\n# no\n```\n# no\n````\n# yes\n",
        [
            [1, "yes", 7, "yes", True],
        ],
    ),
    (
        "a fence with words does not close",
        "```\n``` js\n# no\n```\n# yes\n",
        [
            [1, "yes", 5, "yes", True],
        ],
    ),
    (
        "a fence of tildes holds backticks",
        "~~~\n```\n# no\n~~~\n# yes\n",
        [
            [1, "yes", 5, "yes", True],
        ],
    ),
    ("a longer fence closes", "```\n# no\n`````  \n# yes\n", [[1, "yes", 4, "yes", True]]),
    ("an open fence goes to the end", "# yes\n~~~\n# no\n", [[1, "yes", 1, "yes", True]]),
    ("a fence inside deep indent does not close", "```\n    ```\n# no\n```\n", []),
    ("backticks in the info string", "``` a`b\n# yes\n", [[1, "yes", 2, "yes", True]]),
    ("a comment over lines", "<!-- a\n# no\n--> \n# yes\n", [[1, "yes", 4, "yes", True]]),
    ("front matter", "---\na: b\n---\n# yes\n", [[1, "yes", 4, "yes", True]]),
    ("front matter that does not end", "---\n# yes\n", [[1, "yes", 2, "yes", True]]),
    (
        "headings that stay out have anchors",
        "## Notes <!-- no toc -->\n## Notes\n",
        [
            [2, "Notes", 1, "notes", False],
            [2, "Notes", 2, "notes-1", True],
        ],
    ),
    (
        "an anchor that is taken already",
        "# Usage\n# Usage 1\n# Usage\n# Usage\n",
        [
            [1, "Usage", 1, "usage", True],
            [1, "Usage 1", 2, "usage-1", True],
            [1, "Usage", 3, "usage-2", True],
            [1, "Usage", 4, "usage-3", True],
        ],
    ),
    (
        "an anchor that was given before",
        "# A\n# A\n# A 1\n",
        [
            [1, "A", 1, "a", True],
            [1, "A", 2, "a-1", True],
            [1, "A 1", 3, "a-1-1", True],
        ],
    ),
    (
        "anchors of no letters",
        "# ?\n# !\n# Section\n",
        [
            [1, "?", 1, "section", True],
            [1, "!", 2, "section-1", True],
            [1, "Section", 3, "section-2", True],
        ],
    ),
    (
        "headings in the table",
        "<!-- toc -->\n# no\n<!-- tocstop -->\n# yes\n",
        [
            [1, "yes", 4, "yes", True],
        ],
    ),
    (
        "lines that end with CR LF",
        "# A ##\r\n\r\nB\r\n---\r\n",
        [
            [1, "A", 1, "a", True],
            [2, "B", 3, "b", True],
        ],
    ),
]

TABLES = [
    (
        "a skipped level leaves no gap",
        "## A\n#### B\n### C\n#### D\n## E\n",
        {},
        [
            "- [A](#a)",
            "  - [B](#b)",
            "  - [C](#c)",
            "    - [D](#d)",
            "- [E](#e)",
        ],
    ),
    (
        "no entry of the smallest level",
        "### A\n#### B\n### C\n",
        {},
        [
            "- [A](#a)",
            "  - [B](#b)",
            "- [C](#c)",
        ],
    ),
    ("a deep entry first", "#### A\n## B\n", {}, ["- [A](#a)", "- [B](#b)"]),
    (
        "numbers of siblings",
        "### A\n## B\n#### C\n### D\n## E\n### F\n",
        {"ordered": True},
        [
            "1. [A](#a)",
            "2. [B](#b)",
            "   1. [C](#c)",
            "   2. [D](#d)",
            "3. [E](#e)",
            "   1. [F](#f)",
        ],
    ),
    ("all levels", "# A\n###### B\n", {"min": 1, "max": 6}, ["- [A](#a)", "  - [B](#b)"]),
    (
        "levels out of range keep their anchors",
        "# X\n## X\n##### X\n### X\n",
        {},
        [
            "- [X](#x-1)",
            "  - [X](#x-3)",
        ],
    ),
    ("links become text", "## See [a](x) and [b](y)\n", {}, ["- [See a and b](#see-a-and-b)"]),
    ("code in a link", "## Use [`run`](x)\n", {}, ["- [Use `run`](#use-run)"]),
    (
        "images go from each heading",
        "## ![i](u.svg) A\n## B ![i](u.svg) C\n## D ![i](u)\n",
        {},
        [
            "- [A](#i-a)",
            "- [B C](#b-i-c)",
            "- [D](#d-i)",
        ],
    ),
    (
        "brackets are escaped",
        "## List [T] \\[x\\] `[c]`\n",
        {},
        [
            "- [List \\[T\\] \\[x\\] `[c]`](#list-t-x-c)",
        ],
    ),
    (
        "markup stays",
        "## The *big* `--a  b` one\n",
        {},
        [
            "- [The *big* `--a  b` one](#the-big---a--b-one)",
        ],
    ),
    ("an image does not touch code", "## ![i](u) `a  b`\n", {}, ["- [`a  b`](#i-a--b)"]),
]

_DOLLAR = "<!-- toc -->\nold\n<!-- tocstop -->\n## Pay $& get $1\n## It's $' or $`\n## $$\n"
_NEW = "\n- [Pay $& get $1](#pay--get-1)\n- [It's $' or $`](#its--or-)\n- [$$](#section)\n\n"
_CRLF = "<!-- toc -->\r\n\r\n- [A](#a)\r\n- [B](#b)\r\n\r\n<!-- tocstop -->\r\n## A\r\n## B\r\n"

UPDATES = [
    ("dollars are text", _DOLLAR, {}, ["updated", _DOLLAR.replace("old\n", _NEW)]),
    (
        "CR LF",
        "<!-- toc -->\r\n## A\r\n## B\r\n",
        {},
        [
            "updated",
            _CRLF,
        ],
    ),
    (
        "CR LF with a stop",
        "x\r\n<!-- toc -->\r\n<!-- tocstop -->\r\n## A\r\n## B\r\n",
        {},
        [
            "updated",
            "x\r\n" + _CRLF,
        ],
    ),
    (
        "mixed line ends",
        "x\n<!-- toc -->\r\n<!-- tocstop -->\r\n## A\r\n",
        {},
        [
            "updated",
            "x\n<!-- toc -->\r\n\n- [A](#a)\n\n<!-- tocstop -->\r\n## A\r\n",
        ],
    ),
    (
        "nothing to list",
        "<!-- toc -->\n\n- [x](#x)\n\n<!-- tocstop -->\n# A\n",
        {},
        [
            "updated",
            "<!-- toc -->\n<!-- tocstop -->\n# A\n",
        ],
    ),
    (
        "a marker at the end",
        "## A\n<!-- toc -->",
        {},
        [
            "updated",
            "## A\n<!-- toc -->\n\n- [A](#a)\n\n<!-- tocstop -->\n",
        ],
    ),
    (
        "a marker in spaces",
        "  <!--toc-->  \n<!--tocstop-->\n## A\n",
        {},
        [
            "updated",
            "  <!--toc-->  \n\n- [A](#a)\n\n<!--tocstop-->\n## A\n",
        ],
    ),
    (
        "a marker in code",
        "```\n<!-- toc -->\n```\n## A\n",
        {},
        [
            "no marker",
            "```\n<!-- toc -->\n```\n## A\n",
        ],
    ),
    (
        "a marker in a longer fence",
        "````\n```\n<!-- toc -->\n```\n````\n",
        {},
        [
            "no marker",
            "````\n```\n<!-- toc -->\n```\n````\n",
        ],
    ),
    (
        "the first marker counts",
        "<!-- toc -->\n<!-- tocstop -->\n<!-- toc -->\n",
        {},
        [
            "unchanged",
            "<!-- toc -->\n<!-- tocstop -->\n<!-- toc -->\n",
        ],
    ),
    (
        "a text that comes twice",
        "## A\n<!-- toc -->\n## B\n<!-- tocstop -->\n## C\n",
        {"max": 2},
        [
            "updated",
            "## A\n<!-- toc -->\n\n- [A](#a)\n- [C](#c)\n\n<!-- tocstop -->\n## C\n",
        ],
    ),
    (
        "options of the marker",
        "<!-- toc min=1 max=1 ordered -->\n# A\n## B\n",
        {"max": 4},
        [
            "updated",
            "<!-- toc min=1 max=1 ordered -->\n\n1. [A](#a)\n\n<!-- tocstop -->\n# A\n## B\n",
        ],
    ),
]

ERRORS = [
    ("an unknown word", "<!-- toc all -->\n", "unknown toc option: all"),
    ("a level out of range", "<!-- toc min=7 -->\n", "unknown toc option: min=7"),
    ("levels the wrong way round", "<!-- toc min=4 max=2 -->\n", "min is greater than max"),
]
