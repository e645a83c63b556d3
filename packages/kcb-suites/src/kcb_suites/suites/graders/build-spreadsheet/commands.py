"""Hidden cases of commands: what is given, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shown:
    """A command that shows a sheet from standard input."""

    about: str
    arguments: tuple[str, ...]
    sheet: str
    output: str
    status: int = 0


@dataclass(frozen=True)
class Changed:
    """A command that changes a file."""

    command: str
    arguments: tuple[str, ...]
    before: str
    after: str


def get(about: str, cells: str, sheet: str, output: str) -> Shown:
    """Some cells, with blanks between them, and their lines with " | " between them."""
    lines = "".join(f"{line}\n" for line in output.split(" | "))
    return Shown(about, ("get", "-", *cells.split()), sheet, lines)


def changed(call: str, before: str, after: str, *more: str) -> Changed:
    """A call, with blanks between its arguments; ``more`` are further ones."""
    command, *arguments = call.split(" ")
    return Changed(command, (*arguments, *more), before, after)


CALC, FORMULAS, CHECK = ("calc", "-"), ("calc", "--formulas", "-"), ("check", "-")

SHOWN = [
    Shown("nothing", CALC, "", ""),
    Shown("only empty lines", CALC, "\n\n,,\n", ""),
    Shown("one cell", CALC, "5", "5\n"),
    Shown("rows get one length", CALC, "1\n1,2,3\n\n4,,,\n,\n", "1,,\n1,2,3\n,,\n4,,\n"),
    Shown("a byte order mark", CALC, "\ufeff=1+1,2\n", "2,2\n"),
    Shown("ends of lines", CALC, "1\r\n2\r3\n4", "1\n2\n3\n4\n"),
    Shown("quotes", CALC, '"a,b","c ""d""",e"f,"g"h\n', '"a,b","c ""d""","e""f",gh\n'),
    Shown("quoted line ends", CALC, '"a\nb","c\r\nd",e\n', '"a\nb","c\r\nd",e\n'),
    Shown("quotes that are not needed", CALC, '"a","=1+1"," b "\n', "a,2, b \n"),
    Shown("an empty quoted field", CALC, '"",1\n', ",1\n"),
    Shown(
        "contents",
        CALC,
        "007,1.50,TRUE,True,'5,'',#N/A,-.5e1,+2\n",
        "7,1.5,TRUE,TRUE,5,',#N/A,-5,2\n",
    ),
    Shown(
        "contents that are no numbers",
        CALC,
        "1_0,1 ,- 5,0x10,1e,.,nan,inf,１\n",
        "1_0,1 ,- 5,0x10,1e,.,nan,inf,１\n",
    ),
    Shown(
        "formulas as they are",
        FORMULAS,
        ' =1,=a1 + 1,\'x,1.50\n\n,"=IF(A1,1,2)"\n',
        ' =1,=a1 + 1,\'x,1.50\n,,,\n,"=IF(A1,1,2)",,\n',
    ),
    Shown("empty values at the end", CALC, '1,=""\n="",\n', "1,\n,\n"),
    Shown("values that need quotes", CALC, '"=""a,b""","=""c""""d"""\n', '"a,b","c""d"\n'),
    Shown("check without errors", CHECK, "1,=A1\n", ""),
    Shown(
        "check",
        CHECK,
        "=1/0,#N/A\n1,=B3\n=B2,=A1\n=SUM(A1:A2),=x\n",
        "A1: #DIV/0!\nB2: #DIV/0!\nA3: #DIV/0!\nB3: #DIV/0!\nA4: #DIV/0!\nB4: #NAME?\n",
        1,
    ),
    get(
        "cells and ranges",
        "b2 A1:B2 B2:A2",
        "1,=A1+1\nx,\n",
        "B2:  | A1: 1 | B1: 2 | A2: x | B2:  | A2: x | B2: ",
    ),
    get("cells beyond the used area", "ZZ9999 B1", "1\n", "ZZ9999:  | B1: "),
    get(
        "names of columns",
        "Z1 AA1 AZ1 BA1 ZZ1",
        ",".join(str(n) for n in range(1, 703)),
        "Z1: 26 | AA1: 27 | AZ1: 52 | BA1: 53 | ZZ1: 702",
    ),
    get(
        "formulas far away",
        "A1 B1",
        "=ZZ3,=AA2\n," + "," * 25 + "7\n" + "," * 701 + "9\n",
        "A1: 9 | B1: 7",
    ),
    get(
        "values on one line",
        "A1:C1",
        '"a\nb","c\\d","=""x"" & ""\r"""\n',
        r"A1: a\nb | B1: c\\d | C1: x\r",
    ),
    get("a cell of itself", "A1 B1", "=A1,=A1+1\n", "A1: #CYCLE! | B1: #CYCLE!"),
    get(
        "two cells of each other",
        "A1:D1",
        '=B1,=A1+1,=A1,"=IFERROR(B1,""ok"")"\n',
        "A1: #CYCLE! | B1: #CYCLE! | C1: #CYCLE! | D1: ok",
    ),
    get(
        "a cycle in a branch that is not taken",
        "A1:B1",
        '"=IF(TRUE,1,B1)",=A1\n',
        "A1: #CYCLE! | B1: #CYCLE!",
    ),
    get(
        "a cycle that IFERROR does not hide",
        "A1:B1",
        '"=IFERROR(B1,1)","=IFERROR(A1,2)"\n',
        "A1: #CYCLE! | B1: #CYCLE!",
    ),
    get(
        "a cycle by a range",
        "A1:A4",
        "1\n=SUM(A1:A3)\n3\n=SUM(A1:A2)\n",
        "A1: 1 | A2: #CYCLE! | A3: 3 | A4: #CYCLE!",
    ),
    get(
        "between two cycles",
        "A1:E1",
        '=B1,=A1,"=IFERROR(B1,1)","=C1+E1",=D1\n',
        "A1: #CYCLE! | B1: #CYCLE! | C1: 1 | D1: #CYCLE! | E1: #CYCLE!",
    ),
    get("a wrong formula is in no cycle", "A1:B1", "=B1+,=A1\n", "A1: #PARSE! | B1: #PARSE!"),
    get(
        "rows of one's own range", "A1:B1", "=ROWS(A1:A5),=COLUMNS(C1:D1)\n", "A1: #CYCLE! | B1: 2"
    ),
    get(
        "order of calculation", "A1:A4", "=A2*2\n=A3*2\n=A4*2\n1\n", "A1: 8 | A2: 4 | A3: 2 | A4: 1"
    ),
    get("arguments of an unknown function", "A1:B1", "=foo(B1),=A1\n", "A1: #CYCLE! | B1: #CYCLE!"),
    get(
        "a chain downwards",
        "A9999",
        "1\n" + "".join(f"=A{n}+1\n" for n in range(1, 9999)),
        "A9999: 9999",
    ),
    get(
        "a chain upwards", "A1", "".join(f"=A{n}+1\n" for n in range(2, 10000)) + "1\n", "A1: 9999"
    ),
    get(
        "a long cycle",
        "A1 A9000 B1",
        "=A9000+1,=A5\n" + "".join(f"=A{n}+1\n" for n in range(1, 9000)),
        "A1: #CYCLE! | A9000: #CYCLE! | B1: #CYCLE!",
    ),
    get("the whole sheet", "A1", "=SUM(A2:ZZ9999)\n1\n,2\n", "A1: 3"),
]

WRONG = [
    (),
    ("nothing",),
    ("calc",),
    ("calc", "gone.csv"),
    ("calc", "a.csv", "b.csv"),
    ("calc", "--out", "a.csv"),
    ("calc", "quote.csv"),
    ("get", "a.csv"),
    ("get", "a.csv", "1A"),
    ("get", "a.csv", "A0"),
    ("get", "a.csv", "AAA1"),
    ("get", "a.csv", "A10000"),
    ("get", "a.csv", "A1:"),
    ("get", "a.csv", "$A1"),
    ("check", "gone.csv"),
    ("set", "a.csv"),
    ("set", "a.csv", "A1"),
    ("set", "a.csv", "A1", "1", "B1"),
    ("set", "a.csv", "A1", "1", "ZZZ1", "2"),
    ("copy", "gone.csv", "A1", "B1"),
    ("copy", "a.csv", "A1"),
    ("copy", "a.csv", "A1:A2", "B1:B2"),
    ("copy", "a.csv", "A1:B1", "ZZ1"),
    ("copy", "a.csv", "A2:A3", "C9999"),
    ("insert", "a.csv", "cells", "1"),
    ("insert", "a.csv", "rows", "0"),
    ("insert", "a.csv", "rows", "A"),
    ("insert", "a.csv", "columns", "1"),
    ("insert", "a.csv", "rows", "1", "0"),
    ("insert", "a.csv", "rows", "1", "9997"),
    ("insert", "a.csv", "columns", "A", "701"),
    ("insert", "a.csv", "rows", "10000"),
    ("delete", "a.csv", "columns", "AAA"),
    ("delete", "a.csv", "rows", "1", "-1"),
    ("set", "--in", "a.csv", "A1", "1"),
]
"""Calls that end with status 2; a.csv has cells A1 to B3, quote.csv a quote that is not closed."""

CHANGED = [
    changed("set A1 5", "1,2\n", "5,2\n"),
    changed("set c3 =a1+1", "1,2\n", "1,2,\n,,\n,,=a1+1\n"),
    changed('set A1 x,y B1 say"hi" A2 007', "", '"x,y","say""hi"""\n007,\n'),
    changed("set B1", "1,2\n3,\n", "1\n3\n", ""),
    changed("set A1", "1\n", "", ""),
    changed("set A1 1 A1 2", "", "2\n"),
    changed("set A1 'x", "", "'x\n"),
    changed("set A1 =1+", "", "=1+\n"),
    changed("set A1 -5 B1 --out", "", "-5,--out\n"),
    changed("set A1 é", '\ufeffa,"b"\r\n', "é,b\n"),
    changed("copy A1 B2", "=A1+B$1+$A1+$B$2\n", "=A1+B$1+$A1+$B$2,\n,=B2+C$1+$A2+$B$2\n"),
    changed("copy B2 A1", ",\n,=B2+b3\n", "=A1+A2,\n,=B2+b3\n"),
    changed("copy B2 A1", ",\n,=A1+B1+A2+$A$1\n", "=#REF!+#REF!+#REF!+$A$1,\n,=A1+B1+A2+$A$1\n"),
    changed(
        "copy B2 A1",
        ",\n,=SUM(B1:C3)+SUM( B2 : $C3 )\n",
        "=SUM(#REF!)+SUM( A1 : $C2 ),\n,=SUM(B1:C3)+SUM( B2 : $C3 )\n",
    ),
    changed(
        "copy A1 B1",
        "=sum(a1:a2) & a1 & TRUE & foo & A1x\n",
        "=sum(a1:a2) & a1 & TRUE & foo & A1x,=sum(B1:B2) & B1 & TRUE & foo & A1x\n",
    ),
    changed("copy A1 B1", '"=""A1""&A1"\n', '"=""A1""&A1","=""A1""&B1"\n'),
    changed("copy A1 B1:C2", "=A1*2\n", "=A1*2,=B1*2,=C1*2\n,=B2*2,=C2*2\n"),
    changed("copy A1:B2 B2", "1,=A1\n=B1,4\n", "1,=A1,\n=B1,1,=B2\n,=C2,4\n"),
    changed("copy B2:A1 A2", "1,2\n3,\n", "1,2\n1,2\n3,\n"),
    changed("copy A1 B1", ",5\n", ""),
    changed("copy A1 A2", "=ZZ9999+A9999+A10000\n", "=ZZ9999+A9999+A10000\n=#REF!+#REF!+A10000\n"),
    changed("copy A1 B1", "=A1+\n", "=A1+,=A1+\n"),
    changed("copy A1 B1", "'=A1\n", "'=A1,'=A1\n"),
    changed("insert rows 2", "1\n2\n=A1+A2+$A$2+a1\n", "1\n\n2\n=A1+A3+$A$3+a1\n"),
    changed("insert rows 1 2", "=SUM(A1:B9)\n", "\n\n=SUM(A3:B11)\n"),
    changed(
        "insert rows 3",
        "=SUM(B2:B3)+SUM(B3:B2)+SUM(B1:B2)\n1\n",
        "=SUM(B2:B4)+SUM(B4:B2)+SUM(B1:B2)\n1\n",
    ),
    changed("insert columns b 2", "1,=A1,=$B1\n", "1,,,=A1,=$D1\n"),
    changed("insert columns A", "=SUM( A1:b2 )\n", ",=SUM( B1:C2 )\n"),
    changed("insert rows 5", "=A9999+A4,=SUM(A1:A9999),=A9998\n", "=#REF!+A4,=SUM(#REF!),=A9999\n"),
    changed("insert columns ZZ", "=ZZ1,=ZY1\n", "=#REF!,=ZY1\n"),
    changed("delete rows 2", "1\n2\n=A1+A2+A3+a4\n", "1\n=A1+#REF!+A2+A3\n"),
    changed(
        "delete rows 2 2",
        "=SUM(A1:A5)+SUM(A2:A3)+SUM(A3:A9)+SUM(A1:A2)\n1\n2\n3\n",
        "=SUM(A1:A3)+SUM(#REF!)+SUM(A2:A7)+SUM(A1:A1)\n3\n",
    ),
    changed("delete rows 2 2", "=SUM(a5:$A$1)+SUM(B3:A2)\n", "=SUM(A3:$A$1)+SUM(#REF!)\n"),
    changed("delete columns A", "1,=A1+B1+c1,=SUM(A1:C1)\n", "=#REF!+A1+B1,=SUM(A1:B1)\n"),
    changed("delete columns B 700", "1,2,=A1+ZZ1\n", "1\n"),
    changed("delete rows 1 9999", "1\n2\n", ""),
    changed("delete rows 3 1000", "1\n=B2+C3\n3\n", "1\n=B2+#REF!\n"),
    changed("delete rows 1", "x\n=a1 + a5 & A2\n", "=#REF! + A4 & A1\n"),
    changed("insert rows 1", "=A1+\n'=A1\nA1\n", "\n=A1+\n'=A1\nA1\n"),
]
