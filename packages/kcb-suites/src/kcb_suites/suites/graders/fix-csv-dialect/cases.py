"""What is asked and expected. FILES: about, text, options, expected parts of the result."""


def found(delimiter, rows, left_out=0, duplicates=0):
    """A summary."""
    return {
        "delimiter": delimiter,
        "rows": rows,
        "left_out": left_out,
        "duplicates": duplicates,
    }


def same(about, text, options=None):
    """A file that is tidy already."""
    return about, text, options or {}, {"text": text, "problems": []}


LONG_SAMPLE = "a;b\n" + "1;2\n" * 19

FILES = [
    # Delimiter
    (
        "a comma inside quotes in each line is no delimiter",
        'name;town\n"Brook, Ada";Leeds\n"Marsh, Tom";Hull\n',
        {"to": ";"},
        {"text": "name;town\nBrook, Ada;Leeds\nMarsh, Tom;Hull\n", "summary": found(";", 2)},
    ),
    (
        "more commas in quotes than semicolons outside",
        'a;b\n"1,2,3,4,5";x\n"6,7,8,9,0";y\n',
        {"to": ";"},
        {"text": "a;b\n1,2,3,4,5;x\n6,7,8,9,0;y\n", "summary": found(";", 2)},
    ),
    (
        "a quoted cell over several lines is one record of the sample",
        'id\tnote\n1\t"first, line\nsecond"\n2\tnone, really\n',
        {"to": "\t"},
        {"text": 'id\tnote\n1\t"first, line\nsecond"\n2\tnone, really\n'},
    ),
    (
        "the candidate with the most cells of those that fit",
        "a|b;c|d\n1|2;3|4\n",
        {},
        {"text": "a,b_c,d\n1,2;3,4\n", "summary": found("|", 1)},
    ),
    (
        "of equals the first candidate",
        "a;b|c\n1;2|3\n",
        {"to": ";"},
        {"text": "a;b_c\n1;2|3\n", "summary": found(";", 1)},
    ),
    (
        "none fits: what separates most often",
        "a;b;c\n1;2\n3,x;5;6\n",
        {"to": ";"},
        {"text": "a;b;c\n1;2;\n3,x;5;6\n", "summary": found(";", 2)},
    ),
    (
        "none fits, and most of the commas are inside quotes",
        'a;b;c\n"1,1,1,1,1,1";2\n3;4;5\n',
        {"to": ";"},
        {"text": "a;b;c\n1,1,1,1,1,1;2;\n3;4;5\n", "summary": found(";", 2)},
    ),
    (
        "of equals the first candidate, and its quotes count",
        'a;b|c\nx,1;"y|z"\n',
        {"to": ";"},
        {"text": "a;b_c\nx,1;y|z\n", "summary": found(";", 1)},
    ),
    (
        "a quote opens a cell for one candidate only, which never closes it",
        'size,colour;n\n5,"red;1\n6,"blue;2\n7,"grey;3\n',
        {"to": ";"},
        {
            "text": 'size_colour;n\n"5,""red";1\n"6,""blue";2\n"7,""grey";3\n',
            "summary": found(";", 3),
        },
    ),
    (
        "the sample ends with the 20th record",
        LONG_SAMPLE + "1,2,3\n4,5,6,7,8,9,10,11,12\n",
        {"to": ";", "keep_duplicates": True},
        {
            "text": LONG_SAMPLE + "1,2,3;\n4,5,6,7,8,9,10,11,12;\n",
            "summary": found(";", 21),
        },
    ),
    (
        "the 20 records of the sample are records, not lines",
        'a;b\n"' + "1,1\n" * 30 + '";2\n3;4\n',
        {"to": ";"},
        {"summary": found(";", 2), "problems": []},
    ),
    ("one column is read with commas", "a\n1\n2\n", {}, {"summary": found(",", 2)}),
    (
        "blank lines are no part of the sample",
        "\n \na;b\n\n1;2\n",
        {},
        {"text": "a,b\n1,2\n", "summary": found(";", 1)},
    ),
    (
        "the hint goes before the guess",
        "sep=|\na,b|c,d\n1,2|3,4\n",
        {"to": ";"},
        {"text": "a_b;c_d\n1.2;3.4\n", "summary": found("|", 1)},
    ),
    (
        "the option goes before the hint",
        "sep=|\na|b;c\n1|2;3\n",
        {"delimiter": ";", "to": ";"},
        {"text": "a_b;c\n1|2;3\n", "summary": found(";", 1)},
    ),
    # Records
    (
        "a doubled quote before a delimiter does not close the cell",
        'part,length\n"shelf 24"", oak",2\n',
        {"to": ";"},
        {"text": 'part;length\n"shelf 24"", oak";2\n', "problems": []},
    ),
    (
        "a doubled quote before a line end does not close the cell",
        'a,b\n"24""\nwide",2\n',
        {},
        {"text": 'a,b\n"24""\nwide",2\n', "problems": []},
    ),
    same("doubled quotes at the end of a cell", 'a,b\n"say ""hi""",2\n'),
    same("a cell that is one quote", 'a,b\n"""",2\n'),
    ("an empty quoted cell", 'a,b\n"",2\n', {}, {"text": "a,b\n,2\n"}),
    ("text after the closing quote", 'a,b\n"ab"cd"e,2\n', {}, {"text": 'a,b\n"abcd""e",2\n'}),
    (
        "windows line ends inside a cell",
        'a,b\r\n"x\r\ny\r\n\r\nz",2\r\n',
        {},
        {"text": 'a,b\n"x\ny\n\nz",2\n'},
    ),
    ("lone carriage returns", 'a,b\r"x\ry",2\r', {}, {"text": 'a,b\n"x\ny",2\n'}),
    ("no line end at the end", "a,b\n1,2", {}, {"text": "a,b\n1,2\n"}),
    ("an empty last cell", "a,b\n1,", {}, {"text": "a,b\n1,\n"}),
    ("a byte order mark", "\ufeffname,b\n1,2\n", {}, {"text": "name,b\n1,2\n"}),
    ("nothing", "", {}, {"text": "", "problems": [], "summary": found(",", 0)}),
    (
        "problems after a cell of three lines",
        'a,b\n"x\ny\nz",2\n1,2,3\n',
        {},
        {"problems": ["line 5: 3 cells where the header has 2"]},
    ),
    (
        "problems after windows lines, blank lines and the hint",
        'sep=,\r\n\r\na,b\r\n"x\r\ny",2\r\n\r\n1,2,3\r\n',
        {},
        {"problems": ["line 7: 3 cells where the header has 2"], "summary": found(",", 1, 1)},
    ),
    (
        "a record has the line on which it begins",
        'a,b\n"x\ny",2,"3\n4"\n7,8,9\n',
        {},
        {
            "problems": [
                "line 2: 3 cells where the header has 2",
                "line 5: 3 cells where the header has 2",
            ]
        },
    ),
    # Header
    ("a name further right is kept", "Name,Name,Name 2\n", {}, {"text": "name,name_3,name_2\n"}),
    (
        "two of each",
        "Name,Name 2,Name,Name 2\n",
        {},
        {"text": "name,name_2,name_3,name_2_2\n"},
    ),
    (
        "four equal ones around a taken number",
        "x,x,x 3,x,x\n",
        {},
        {"text": "x,x_2,x_3,x_4,x_5\n"},
    ),
    (
        "names made up are taken as well",
        ",a,column_1,\n",
        {},
        {"text": "column_1,a,column_1_2,column_4\n"},
    ),
    (
        "letters of other alphabets",
        " Größe (cm) ,--,Preis/Stück\n",
        {},
        {"text": "größe_cm,column_2,preis_stück\n"},
    ),
    ("a title that says nothing", "a,N/A,c\n", {}, {"text": "a,column_2,c\n"}),
    # Cells and rows
    (
        "white space of all kinds",
        "a,b\n\xa0x\xa0,\t y z \n",
        {"delimiter": ","},
        {"text": "a,b\nx,y z\n"},
    ),
    ("words for nothing", "a,b\nNULL,1\nNone,x\n", {}, {"text": "a,b\n,1\n,x\n"}),
    (
        "cells too many that are empty once they are clean",
        "a,b\n1,2, ,n/a\n3,4,\t\n",
        {"delimiter": ","},
        {"text": "a,b\n1,2\n3,4\n", "problems": []},
    ),
    (
        "cells too many count the empty ones",
        "a,b\n1,2,,x,\n",
        {},
        {"text": "a,b\n", "problems": ["line 2: 5 cells where the header has 2"]},
    ),
    (
        "rows without content",
        "a,b\n,\n n/a ,\n1,2\n",
        {},
        {"text": "a,b\n1,2\n", "problems": [], "summary": found(",", 1)},
    ),
    # Numbers
    (
        "comma form, and a cell that could be both",
        "a;b\n1.234;x\n5,5;y\n",
        {},
        {"text": "a,b\n1234,x\n5.5,y\n"},
    ),
    (
        "point form, and a cell that could be both",
        "a;b\n1,234;x\n5.5;y\n",
        {},
        {"text": "a,b\n1234,x\n5.5,y\n"},
    ),
    (
        "signs and several groups",
        "a;b\n-1.234.567,89;x\n+0,5;y\n",
        {},
        {"text": "a,b\n-1234567.89,x\n+0.5,y\n"},
    ),
    same("a column that could be either", "a;b\n1,234;x\n5,678;y\n", {"to": ";"}),
    same("both forms in one column", "a;b\n1,5;x\n2.5;y\n", {"to": ";"}),
    same("one word makes it a column of text", "a;b\n1,5;x\n2,5;y\nask, please;z\n", {"to": ";"}),
    same("a word before the numbers as well", "a;b\nask;x\n1,5;y\n", {"to": ";"}),
    same("groups of the wrong size", "a;b\n1.23.456,7;x\n1,5;y\n", {"to": ";"}),
    (
        "empty cells do not matter",
        "a;b\n;x\n1,5;y\nnull;z\n",
        {"to": ";"},
        {"text": "a;b\n;x\n1.5;y\n;z\n"},
    ),
    (
        "rows that are left out have no say",
        "a;b\n1,5;x\nword;y;z\n",
        {"to": ";"},
        {"text": "a;b\n1.5;x\n", "problems": ["line 3: 3 cells where the header has 2"]},
    ),
    (
        "duplicates have a say of their own column only",
        "a;b\n1,5;1,5\n2,5;word\n",
        {"to": ";"},
        {"text": "a;b\n1.5;1,5\n2.5;word\n"},
    ),
    # Duplicates
    same("cells with the sign between them", "a,b\nx|y,z\nx,y|z\n"),
    same("rows that differ in where the empty cell is", "a,b,c\nx,,y\nx,y,\n,x,y\n"),
    (
        "equal once the numbers are written alike",
        "a;b\n1.234,5;x\n1234,5;x\n2;x\n",
        {},
        {"text": "a,b\n1234.5,x\n2,x\n", "summary": found(";", 2, 0, 1)},
    ),
    (
        "equal once they are clean",
        "a,b\n x,n/a\nx,\nx\n",
        {},
        {"text": "a,b\nx,\n", "summary": found(",", 1, 0, 2)},
    ),
    (
        "duplicates that are wanted",
        "a,b\nx,y\nx,y\n",
        {"keep_duplicates": True},
        {"text": "a,b\nx,y\nx,y\n", "summary": found(",", 2)},
    ),
    # Output
    (
        "the output delimiter in a cell",
        "a,b\nx;y,z|w\n",
        {"to": ";"},
        {"text": 'a;b\n"x;y";z|w\n'},
    ),
    ("a pipe in a cell", "a,b\nx;y,z|w\n", {"to": "|"}, {"text": 'a|b\nx;y|"z|w"\n'}),
    (
        "a tab in a cell",
        "a,b\nx\ty,z\n",
        {"delimiter": ",", "to": "\t"},
        {"text": 'a\tb\n"x\ty"\tz\n'},
    ),
    (
        "a comma needs no quotes where it separates nothing",
        'a,b\n"x,y",z\n',
        {"to": "|"},
        {"text": "a|b\nx,y|z\n"},
    ),
]

UNREADABLE = [
    (
        "a quote that is open at the end",
        'sep=;\na;b\n"x\ny";2\n3;"4\n',
        "line 5: quote is never closed",
    ),
    ("the quote may be further down", 'a,b\n\n"x\n\n,', "line 3: quote is never closed"),
    (
        "a cell of several lines before it",
        'sep=,\na,b\n"1\n2\n3","4',
        "line 5: quote is never closed",
    ),
]

# About, bytes of the file, arguments, (status, standard output, standard error).
COMMANDS = [
    (
        "all goes well",
        b'\xef\xbb\xbfname;n\r\n"a, b";1,5\r\n',
        ["--to", "semicolon", "--summary"],
        (
            0,
            "name;n\na, b;1.5\n",
            '{"delimiter": ";", "rows": 1, "left_out": 0, "duplicates": 0}\n',
        ),
    ),
    (
        "a row is left out",
        b'a,b\n"x\ny",2\n1,2,3\n',
        [],
        (1, 'a,b\n"x\ny",2\n', "csvtidy: in.csv: line 4: 3 cells where the header has 2\n"),
    ),
    (
        "an unreadable file",
        b'a,b\n"x\ny","2\n',
        ["--delimiter", "comma"],
        (2, "", "csvtidy: in.csv: line 3: quote is never closed\n"),
    ),
]
