"""Makes a forked process look like an interpreter that was just started, and runs a program.

What cannot be made to look the same is listed on the page about launchers.
"""

from __future__ import annotations

import os
import sys
import threading
from importlib.machinery import SourceFileLoader
from typing import Any, NoReturn

from kcb_runner.slot.ending import end_with, status_of


def become(argv: list[str], environment: dict[str, str], own: set[str]) -> NoReturn:
    """Run the program that a command line names, in this process, to its end.

    Args:
        argv: the command line: interpreter, flags, script, and the script's own words.
        environment: all of the new environment.
        own: names of the supervisor's modules, of which nothing may be left.
    """
    script = next(place for place, word in enumerate(argv[1:], 1) if not word.startswith("-"))
    folder = os.getcwd()
    path = os.path.join(folder, argv[script])
    sys.argv = argv[script:]
    sys.orig_argv = argv
    sys.path[0] = folder
    before = set(sys.modules)
    for name in own:
        sys.modules.pop(name, None)
    library = os.path.dirname(os.__file__)
    for name in [name for name in sys.path_importer_cache if not name.startswith(library)]:
        del sys.path_importer_cache[name]
    os.environ.clear()
    os.environ.update(environment)
    # It is still that of the supervisor, and there is no public way to tell it.
    getattr(threading.main_thread(), "_set_native_id", int)()
    main = sys.modules["__main__"].__dict__
    try:
        exec(_loaded(path, main), main)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it ends the program
        # The first frame is this one, which a new interpreter does not have.
        end_with(status_of(error.with_traceback(_own_frames(error))), before)
    end_with(0, before)


def _loaded(path: str, main: dict[str, Any]) -> Any:
    """The code of a program, with the module that it runs in made ready."""
    builtins = main["__builtins__"]
    loader = SourceFileLoader("__main__", path)
    main.clear()
    main.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=loader,
        __spec__=None,
        __annotations__={},
        __builtins__=builtins,
        __file__=path,
        __cached__=None,
    )
    sys.dont_write_bytecode = True
    try:
        return loader.get_code("__main__")  # from bytecode, if there is any of this very source
    except SyntaxError as error:
        error.__traceback__ = None
        raise
    finally:
        sys.dont_write_bytecode = False


def _own_frames(error: BaseException) -> Any:
    """The traceback without the frames of this module."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_globals is globals():
        frames = frames.tb_next
    return frames
