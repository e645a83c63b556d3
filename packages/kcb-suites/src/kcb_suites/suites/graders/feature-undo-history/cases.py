"""The hidden cases: options of the editor, a script (see session.mjs), and what is seen."""

from __future__ import annotations

from typing import Any


def case(about: str, script: str, *seen: str, **options: Any) -> tuple[str, Any, list[str]]:
    """One case in the form that `Grader.answers` takes."""
    return about, {"options": options, "script": script}, list(seen)


THREE = "one\ntwo\nthree"

COMMANDS = [
    case(
        "a new editor",
        "facts | undo | redo | look",
        "false,false,null,null,false",
        "undo false",
        "redo false",
        "a @0:0 < >",
        text="a",
    ),
    case(
        "typing",
        "type ab | look | undo | look | redo | look",
        "ab @0:2 <Typing > *",
        " @0:0 < >Typing",
        "ab @0:2 <Typing > *",
    ),
    case(
        "typing over a selection",
        "select 0:3 0:1 | type X | look | undo | look | redo | look",
        "aXd @0:2 <Typing > *",
        "abcd @0:3-0:1 < >Typing",
        "aXd @0:2 <Typing > *",
        text="abcd",
    ),
    case(
        "typing over blocks",
        "select 0:1 2:2 | type X | look | undo | look | ids | redo | look",
        "oXree @0:2 <Typing > *",
        "one/two/three @0:1-2:2 < >Typing",
        "1 2 3",
        "oXree @0:2 <Typing > *",
        text=THREE,
    ),
    case(
        "backspace",
        "select 0:2 | back | look | undo | look",
        "ac @0:1 <Delete > *",
        "abc @0:2 < >Delete",
        text="abc",
    ),
    case(
        "backspace on a pair",
        "select 0:2 | back | look | undo | look",
        " @0:0 <Delete > *",
        "\U0001f600 @0:2 < >Delete",
        text="\U0001f600",
    ),
    case(
        "delete",
        "select 0:1 | delete | look | undo | look",
        "ac @0:1 <Delete > *",
        "abc @0:1 < >Delete",
        text="abc",
    ),
    case(
        "cut",
        "select 0:1 1:1 | cut | look | undo | look | redo | look",
        "owo/three @0:1 <Cut > *",
        "one/two/three @0:1-1:1 < >Cut",
        "owo/three @0:1 <Cut > *",
        text=THREE,
    ),
    case(
        "enter",
        "select 0:1 | enter | look | undo | look | redo | look",
        "o/ne @1:0 <New block > *",
        "one @0:1 < >New block",
        "o/ne @1:0 <New block > *",
        text="one",
    ),
    case(
        "enter in an empty item",
        "select 1:0 | enter | look | undo | look",
        "- a/ @1:0 <New block > *",
        "- a/-  @1:0 < >New block",
        text="- a\n- ",
    ),
    case(
        "format",
        "select 1:1 0:1 | format heading | look | undo | look | redo | look",
        "# one/# two/three @1:1-0:1 <Format > *",
        "one/two/three @1:1-0:1 < >Format",
        "# one/# two/three @1:1-0:1 <Format > *",
        text=THREE,
    ),
    case(
        "moving up",
        "select 1:1 2:1 | up | look | ids | undo | look | ids | redo | look",
        "two/three/one @0:1-1:1 <Move > *",
        "2 3 1",
        "one/two/three @1:1-2:1 < >Move",
        "1 2 3",
        "two/three/one @0:1-1:1 <Move > *",
        text=THREE,
    ),
    case(
        "moving down",
        "down | look | undo | look",
        "two/one/three @1:0 <Move > *",
        "one/two/three @0:0 < >Move",
        text=THREE,
    ),
    case(
        "paste",
        "select 0:1 | paste x/y/z | look | undo | look | redo | look",
        "ox/y/zne @2:1 <Paste > *",
        "one @0:1 < >Paste",
        "ox/y/zne @2:1 <Paste > *",
        text="one",
    ),
    case(
        "replace",
        "replace e>EE | look | undo | look | redo | look",
        "onEE/two/thrEEEE @2:7 <Replace > *",
        "one/two/three @0:0 < >Replace",
        "onEE/two/thrEEEE @2:7 <Replace > *",
        text=THREE,
    ),
    case(
        "several steps",
        "enter | type a | format item | undo | undo | look | undo | look | redo | "
        "redo | redo | look | redo",
        "/ @1:0 <New block >Typing *",
        " @0:0 < >New block",
        "/- a @1:1 <Format > *",
        "redo false",
    ),
    case(
        "a new step ends redo",
        "enter | enter | undo | type a | look | redo",
        "/a @1:1 <Typing > *",
        "redo false",
    ),
    case(
        "selecting keeps redo",
        "type abc | undo | select 0:0 | all | look | redo | look",
        " @0:0 < >Typing",
        "abc @0:3 <Typing > *",
    ),
    case(
        "selections in between do not matter",
        "select 0:1 | enter | select 0:0 1:2 | undo | look | select 0:3 | redo | look",
        "one @0:1 < >New block",
        "o/ne @1:0 <New block > *",
        text="one",
    ),
    case(
        "commands without effect",
        "back | up | format paragraph | replace x>y | replace o>o | "
        "enter | undo | format paragraph | replace x>y | type | look",
        "one @0:1 < >New block",
        text="one",
    ),
    case(
        "typing the same over a selection",
        "enter | undo | select 0:0 0:1 | type o | look",
        "one @0:1 < >New block",
        text="one",
    ),
    case(
        "a command that fails",
        "type a | try { | type x/y | } | try { | format table | } | look",
        "RangeError: typed text has no line breaks",
        "RangeError: no such type: table",
        "a @0:1 <Typing > *",
    ),
]

IDENTITY = [
    case(
        "ids come back",
        "select 0:1 1:1 | back | ids | undo | ids | redo | ids | undo | ids",
        "1 3",
        "1 2 3",
        "1 3",
        "1 2 3",
        text=THREE,
    ),
    case(
        "ids of new blocks come back",
        "enter | enter | ids | undo | undo | ids | redo | redo | ids",
        "1 4 5 2 3",
        "1 2 3",
        "1 4 5 2 3",
        text=THREE,
    ),
    case(
        "ids are not given twice",
        "enter | ids | undo | enter | ids | undo | group G { | enter | } | ids",
        "1 2",
        "1 3",
        "1 4",
    ),
    case(
        "ids are not given twice after a failure",
        "try { | group G { | enter | throw | } | } | ids | enter | ids",
        "Error: thrown",
        "1",
        "1 3",
    ),
    case(
        "a place between blocks",
        "select 1:0 | cut | select 0:3 1:3 | cut | ids | undo | ids | look",
        "1 3",
        "1 2 3",
        "one/two/three @0:3-1:3 < >Cut",
        text=THREE,
    ),
    case(
        "the document stays the same object",
        "enter | undo | redo | same | load x | same | try { | group G { | enter | throw | } | } "
        "| same",
        "true",
        "true",
        "Error: thrown",
        "true",
    ),
    case(
        "the version rises",
        "version | enter | version | undo | version | redo | version",
        "risen",
        "risen",
        "risen",
        "risen",
    ),
    case(
        "blocks that were handed out do not change",
        "type a | enter | type b | undo | type c | undo | undo | undo | look | redo | redo | look",
        " @0:0 < >Typing",
        "a/ @1:0 <New block >Typing *",
    ),
]

GROWING = [
    case(
        "letters of a word",
        "letters word | look | undo | look | redo | look",
        "word @0:4 <Typing > *",
        " @0:0 < >Typing",
        "word @0:4 <Typing > *",
    ),
    case(
        "words",
        "letters one_two__three | undo | look | undo | look | undo | look | undo",
        "one two   @0:9 <Typing >Typing *",
        "one  @0:4 <Typing >Typing *",
        " @0:0 < >Typing",
        "undo false",
    ),
    case(
        "pieces of text",
        "type one_two | type _three | type _ | type four | undo | look | undo | look",
        "one two three  @0:14 <Typing >Typing *",
        " @0:0 < >Typing",
    ),
    case("white space first", "letters __a | undo | look", "   @0:2 <Typing >Typing *"),
    case(
        "other white space",
        "type a\t | type b | type \u00a0 | type c | undo | undo | undo | look | undo",
        " @0:0 < >Typing",
        "undo false",
    ),
    case(
        "backspaces",
        "select 0:4 | back | back | back | look | undo | look | redo | look",
        "a @0:1 <Delete > *",
        "abcd @0:4 < >Delete",
        "a @0:1 <Delete > *",
        text="abcd",
    ),
    case(
        "deletes",
        "delete | delete | look | undo | look",
        "cd @0:0 <Delete > *",
        "abcd @0:0 < >Delete",
        text="abcd",
    ),
    case(
        "backspace and delete are two commands",
        "select 0:2 | back | delete | undo | look | undo | look",
        "acd @0:1 <Delete >Delete *",
        "abcd @0:2 < >Delete",
        text="abcd",
    ),
    case(
        "backspace after typing",
        "letters ab | back | undo | look | undo | look",
        "ab @0:2 <Typing >Delete *",
        " @0:0 < >Typing",
    ),
    case(
        "typing after backspace",
        "select 0:2 | back | type x | undo | look",
        "a @0:1 <Delete >Typing *",
        text="ab",
    ),
    case(
        "other commands do not grow",
        "enter | enter | undo | look | redo | format item | format heading | undo | look",
        "/ @1:0 <New block >New block *",
        "//-  @2:0 <Format >Format *",
    ),
    case("pastes do not grow", "paste a | paste b | undo | look", "a @0:1 <Paste >Paste *"),
    case(
        "selecting closes a step",
        "letters ab | select 0:1 | type c | undo | look",
        "ab @0:1 <Typing >Typing *",
    ),
    case(
        "selecting and coming back",
        "letters ab | select 0:0 | select 0:2 | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "selecting all closes a step",
        "letters ab | all | select 0:2 | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "selecting what is selected",
        "letters ab | select 0:2 | select 9:9 | type c | undo | look",
        " @0:0 < >Typing",
    ),
    case(
        "commands without effect close nothing",
        "letters ab | delete | format paragraph | up | "
        "replace z>y | try { | format x | } | type c | undo | look",
        "RangeError: no such type: x",
        " @0:0 < >Typing",
    ),
    case(
        "a command that only moves the caret",
        "letters ab | replace a>a | select 0:2 | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "typing over a selection starts a step",
        "letters ab | select 0:1 0:2 | letters xyz | undo | look | undo | look",
        "ab @0:1-0:2 <Typing >Typing *",
        " @0:0 < >Typing",
    ),
    case(
        "backspace on a selection, then more",
        "select 0:2 0:4 | back | back | look | undo | look",
        "a @0:1 <Delete > *",
        "abcd @0:2-0:4 < >Delete",
        text="abcd",
    ),
    case(
        "breakGroup",
        "letters ab | break | type c | undo | look | undo | look",
        "ab @0:2 <Typing >Typing *",
        " @0:0 < >Typing",
    ),
    case(
        "saving closes a step",
        "letters ab | save | type c | undo | look",
        "ab @0:2 <Typing >Typing",
    ),
    case(
        "undo and redo close a step",
        "letters ab | undo | redo | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "redo that does nothing closes a step",
        "letters ab | redo | type c | undo | look",
        "redo false",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "typing after undo",
        "enter | letters ab | undo | type c | look | undo | look",
        "/c @1:1 <Typing > *",
        "/ @1:0 <New block >Typing *",
    ),
    case(
        "typing after undo of a later step",
        "letters ab | enter | undo | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "a group closes a step",
        "letters ab | group G { | } | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "a group does not grow",
        "group G { | letters ab | } | type c | undo | look",
        "ab @0:2 <G >Typing *",
    ),
    case(
        "a group that threw closes a step",
        "letters ab | try { | group G { | throw | } | } | type c | undo | look",
        "Error: thrown",
        "ab @0:2 <Typing >Typing *",
    ),
    case(
        "a pause that is just short enough",
        "type a | wait 1000 | type b | wait 1000 | type c | undo | look",
        " @0:0 < >Typing",
    ),
    case("a longer pause", "type a | wait 1001 | type b | undo | look", "a @0:1 <Typing >Typing *"),
    case(
        "another pause",
        "type a | wait 50 | type b | wait 51 | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
        groupPause=50,
    ),
    case(
        "a pause of 0",
        "type a | type b | wait 1 | type c | undo | look",
        "ab @0:2 <Typing >Typing *",
        groupPause=0,
    ),
    case(
        "backspaces and pauses",
        "select 0:3 | back | wait 2000 | back | undo | look",
        "ab @0:2 <Delete >Delete *",
        text="abc",
    ),
    case(
        "joining is a step of its own",
        "select 1:1 | back | back | back | undo | look | undo | look | undo | look",
        "a @0:1 <Delete >Delete *",
        "a/ @1:0 <Delete >Delete *",
        "a/b @1:1 < >Delete",
        text="a\nb",
    ),
    case(
        "joining by delete",
        "select 0:1 | delete | delete | undo | look | undo | look",
        "abc @0:1 <Delete >Delete *",
        "a/bc @0:1 < >Delete",
        text="a\nbc",
    ),
    case(
        "removing a selection of blocks",
        "select 0:2 1:1 | back | back | undo | look",
        "abde @0:2 <Delete >Delete *",
        text="abc\nxde",
    ),
    case(
        "typing over blocks grows",
        "select 0:1 1:1 | letters xy | undo | look",
        "ab/cd @0:1-1:1 < >Typing",
        text="ab\ncd",
    ),
]

GROUPS = [
    case(
        "a group",
        "select 1:1 | group Sign { | enter | type x | all | format item | } | look | "
        "undo | look | redo | look",
        "- one/- t/- xwo/- three @0:0-3:5 <Sign > *",
        "one/two/three @1:1 < >Sign",
        "- one/- t/- xwo/- three @0:0-3:5 <Sign > *",
        text=THREE,
    ),
    case("what the callback returns", "group G { | type a | return seven | }", "seven"),
    case("an empty group", "enter | undo | group G { | } | look", " @0:0 < >New block"),
    case(
        "a group that only selects",
        "enter | undo | group G { | select 0:1 | } | look",
        "a @0:1 < >New block",
        text="a",
    ),
    case(
        "a group that undoes itself",
        "enter | undo | group G { | type x | back | } | look",
        "a @0:0 < >New block",
        text="a",
    ),
    case(
        "a group that exchanges blocks is a change",
        "select 0:1 | group G { | enter | back | enter | back | } | look | ids",
        "ab @0:1 < >",
        "1",
        text="ab",
    ),
    case(
        "another block of the same text is a change",
        "select 1:1 | group G { | select 0:1 1:1 | back | enter | } | look | ids | undo | ids",
        "a/ @1:0 <G > *",
        "1 3",
        "1 2",
        text="a\n",
    ),
    case(
        "groups in groups",
        "group Outer { | type a | group Inner { | enter | } | type b | } | look | "
        "undo | look | undo",
        "a/b @1:1 <Outer > *",
        " @0:0 < >Outer",
        "undo false",
    ),
    case(
        "a group that throws",
        "select 1:0 2:1 | try { | group G { | cut | enter | throw | } | } | look | ids",
        "Error: thrown",
        "one/two/three @1:0-2:1 < >",
        "1 2 3",
        text=THREE,
    ),
    case(
        "a group that throws keeps redo",
        "enter | undo | try { | group G { | type a | throw | } | } | look",
        "Error: thrown",
        " @0:0 < >New block",
    ),
    case(
        "a command that fails in a group",
        "try { | group G { | type a | format table | } | } | look",
        "RangeError: no such type: table",
        " @0:0 < >",
    ),
    case(
        "an inner group that throws and is caught",
        "group Outer { | type a | try { | group Inner { | type b | enter | throw | } | } | type c "
        "| } | look | undo | look",
        "Error: thrown",
        "ac @0:2 <Outer > *",
        " @0:0 < >Outer",
    ),
    case(
        "an inner group that throws through",
        "type x | try { | group Outer { | type a | group Inner { | enter | throw | } | } | } "
        "| look",
        "Error: thrown",
        "x @0:1 <Typing > *",
    ),
    case(
        "an asynchronous callback",
        "try { | group G { | type a | promise | } | } | look",
        "TypeError: ",
        " @0:0 < >",
    ),
    case(
        "an asynchronous inner callback",
        "group G { | type a | try { | group H { | type b | promise | } | } | } | look",
        "TypeError: ",
        "a @0:1 <G > *",
    ),
    case(
        "facts in a group",
        "type a | save | enter | undo | group G { | type b | enter | facts | } | facts",
        "true,true,Typing,New block,false",
        "true,false,G,null,true",
    ),
    case(
        "undo in a group",
        "type a | group G { | try { | undo | } | try { | redo | } | } | look",
        "Error: undo is not possible inside a group",
        "Error: redo is not possible inside a group",
        "a @0:1 <Typing > *",
    ),
    case(
        "saving, clearing, loading in a group",
        "type a | group G { | try { | save | } | try { | clear | } | try { | load x | } | } | look",
        "Error: markSaved is not possible inside a group",
        "Error: clearHistory is not possible inside a group",
        "Error: load is not possible inside a group",
        "a @0:1 <Typing > *",
    ),
    case(
        "after a group that threw all works",
        "try { | group G { | undo | } | } | type a | undo | look",
        "Error: undo is not possible inside a group",
        " @0:0 < >Typing",
    ),
]

SAVING = [
    case(
        "saved",
        "type a | save | look | type b | look | undo | look | undo | look | redo | look",
        "a @0:1 <Typing >",
        "ab @0:2 <Typing > *",
        "a @0:1 <Typing >Typing",
        " @0:0 < >Typing *",
        "a @0:1 <Typing >Typing",
    ),
    case(
        "undo to the start",
        "enter | enter | undo | undo | facts",
        "false,true,null,New block,false",
    ),
    case("the place counts and not the contents", "type a | back | look", " @0:0 <Delete > *"),
    case(
        "a saved state that is gone",
        "enter | save | undo | look | type a | undo | look | redo | look",
        " @0:0 < >New block *",
        " @0:0 < >Typing *",
        "a @0:1 <Typing > *",
    ),
    case(
        "saving again",
        "enter | save | undo | type a | save | look | undo | look",
        "a @0:1 <Typing >",
        " @0:0 < >Typing *",
    ),
    case(
        "a saved state beyond the limit",
        "enter | enter | enter | undo | undo | look | undo | undo",
        "/ @1:0 < >New block *",
        "undo false",
        "undo false",
        historyLimit=2,
    ),
    case(
        "saving in the middle",
        "enter | enter | undo | save | redo | look | undo | look",
        "// @2:0 <New block > *",
        "/ @1:0 <New block >New block",
    ),
    case("selecting modifies nothing", "type a | save | all | look", "a @0:0-0:1 <Typing >"),
    case(
        "clearing a saved state",
        "type a | save | clear | look | undo | look",
        "a @0:1 < >",
        "undo false",
        "a @0:1 < >",
    ),
    case(
        "clearing a modified state",
        "type a | enter | undo | clear | look | redo | type b | look | undo | look",
        "a @0:1 < > *",
        "redo false",
        "ab @0:2 <Typing > *",
        "a @0:1 < >Typing *",
    ),
    case(
        "loading",
        "type a | enter | undo | load # x/y | look | undo | redo | type z | look | undo | look",
        "# x/y @0:0 < >",
        "undo false",
        "redo false",
        "# zx/y @0:1 <Typing > *",
        "# x/y @0:0 < >Typing",
    ),
    case(
        "typing after loading is a new step",
        "type a | load x | type b | undo | look",
        "x @0:0 < >Typing",
    ),
]

LIMITS = [
    case(
        "a limit",
        "enter | enter | enter | enter | undo | undo | undo | undo | look | redo | redo | "
        "redo | look",
        "undo false",
        "/ @1:0 < >New block *",
        "//// @4:0 <New block > *",
        historyLimit=3,
    ),
    case(
        "a limit and a growing step",
        "enter | letters ab | undo | undo | look",
        "undo false",
        "/ @1:0 < >Typing *",
        historyLimit=1,
    ),
    case(
        "a limit of 0",
        "type a | look | type b | undo | look | save | look",
        "a @0:1 < > *",
        "undo false",
        "ab @0:2 < > *",
        "ab @0:2 < >",
        historyLimit=0,
    ),
    case(
        "a group with a limit of 0", "group G { | type a | } | look", "a @0:1 < > *", historyLimit=0
    ),
    case(
        "a hundred and one steps",
        " | ".join(["paste x"] * 101 + ["undo"] * 101 + ["look"]),
        "undo false",
        "x @0:1 < >Paste *",
    ),
    case("options that are no limit", "facts", "RangeError", historyLimit=-1),
    case("a limit that is not whole", "facts", "RangeError", historyLimit=1.5),
    case("a limit that is no number", "facts", "RangeError", historyLimit="10"),
    case("a pause that is none", "facts", "RangeError", groupPause=-1),
    case("a pause that is no number", "facts", "RangeError", groupPause="1000"),
]

EVENTS = [
    case(
        "events of a command",
        "enter | events | select 0:0 | events | select 0:0 | events",
        "command selection true,false,New block,null,true",
        "selection",
        "",
    ),
    case(
        "events of undo and redo",
        "enter | events | undo | events | redo | events",
        "command selection true,false,New block,null,true",
        "undo selection false,true,null,New block,false",
        "redo selection true,false,New block,null,true",
    ),
    case(
        "undo without another selection",
        "format item | events | undo | events",
        "command true,false,Format,null,true",
        "undo false,true,null,Format,false",
    ),
    case(
        "a step like the one before says nothing of the history",
        "format item | events | format heading | events",
        "command true,false,Format,null,true",
        "command",
    ),
    case(
        "a growing step",
        "type a | type b | events",
        "command selection true,false,Typing,null,true command selection",
    ),
    case(
        "nothing to undo",
        "undo | redo | break | clear | save | events",
        "undo false",
        "redo false",
        "",
    ),
    case(
        "saving",
        "type a | events | save | events | save | events",
        "command selection true,false,Typing,null,true",
        "true,false,Typing,null,false",
        "",
    ),
    case(
        "clearing",
        "type a | events | clear | events",
        "command selection true,false,Typing,null,true",
        "false,false,null,null,true",
    ),
    case(
        "a group",
        "group G { | type a | enter | events | } | events",
        "",
        "command selection true,false,G,null,true",
    ),
    case(
        "groups in groups",
        "group G { | group H { | type a | } | events | } | events",
        "",
        "command selection true,false,G,null,true",
    ),
    case(
        "a group that only selects",
        "group G { | select 0:1 | select 0:2 | } | events",
        "selection",
        text="ab",
    ),
    case("a group without effect in the end", "group G { | type a | back | } | events", ""),
    case(
        "a group that throws",
        "try { | group G { | type a | throw | } | } | events",
        "Error: thrown",
        "",
    ),
    case(
        "loading",
        "type a | events | load b | events",
        "command selection true,false,Typing,null,true",
        "command selection false,false,null,null,false",
    ),
]

OLD_RULES = [
    case(
        "enter in headings and items",
        "select 0:1 | enter | type x | select 2:1 | enter | enter | type y | look",
        "# a/# xb/- c/y @3:1 <Typing > *",
        text="# ab\n- c",
    ),
    case(
        "marks in texts",
        "type #_a | look | undo | type -_b | look",
        "\\# a @0:3 <Typing > *",
        "\\- b @0:3 <Typing > *",
    ),
    case(
        "selections outside of the document",
        "select 9:9 -1:5 | look",
        "ab/cd @1:2-0:0 < >",
        text="ab\ncd",
    ),
]

CASES = [*COMMANDS, *IDENTITY, *GROWING, *GROUPS, *SAVING, *LIMITS, *EVENTS, *OLD_RULES]
