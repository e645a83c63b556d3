"""Makes a forked process look like an interpreter that was just started, and runs a program.

What cannot be made to look the same is listed on the page about launchers.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from importlib.machinery import SourceFileLoader


def become(argv: list[str], environment: dict[str, str], own: set[str]) -> None:
    """Run the program that a command line names, in this process.

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
    for name in own:
        sys.modules.pop(name, None)
    library = os.path.dirname(os.__file__)
    for name in [name for name in sys.path_importer_cache if not name.startswith(library)]:
        del sys.path_importer_cache[name]
    os.environ.clear()
    os.environ.update(environment)
    # It is still that of the supervisor, and there is no public way to tell it.
    getattr(threading.main_thread(), "_set_native_id", int)()
    gc.unfreeze()
    main = sys.modules["__main__"].__dict__
    builtins = main["__builtins__"]
    with open(path, "rb") as file:
        source = file.read()
    main.clear()
    main.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=SourceFileLoader("__main__", path),
        __spec__=None,
        __annotations__={},
        __builtins__=builtins,
        __file__=path,
        __cached__=None,
    )
    exec(compile(source, path, "exec", dont_inherit=True), main)
