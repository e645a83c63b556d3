"""What a target is made from, and the key of that."""

import hashlib
import json
import stat

from kiln.errors import TargetError
from kiln.globs import find, is_pattern


def file_print(path):
    """``[digest, executable]`` of a file; None if there is none."""
    if not path.is_file():
        return None
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return [digest, bool(path.stat().st_mode & stat.S_IXUSR)]


def input_paths(folder, target):
    """The inputs of a target. Raises TargetError if one that is named is not there."""
    for name in target.inputs:
        if not is_pattern(name) and not (folder / name).is_file():
            raise TargetError(f"no input {name}")
    return [path for path in find(folder, target.inputs) if path not in target.outputs]


def output_prints(folder, target):
    """Path to print of the outputs, as they lie there."""
    return {name: file_print(folder / name) for name in target.outputs}


def made_from(project, target, environ):
    """All that a target is made from, as JSON."""
    folder = project.folder
    return {
        "steps": list(target.steps),
        "outputs": list(target.outputs),
        "inputs": {path: file_print(folder / path) for path in input_paths(folder, target)},
        "env": {name: environ.get(name) for name in target.env},
        "needs": {name: output_prints(folder, project.targets[name]) for name in target.needs},
    }


def key_of(parts):
    """The key of what a target is made from."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def differences(before, now):
    """What changed, a line each."""
    lines = [f"{kind} changed" for kind in ("steps", "outputs") if before[kind] != now[kind]]
    old, new = before["inputs"], now["inputs"]
    for path in sorted({*old, *new}):
        if path not in old:
            lines.append(f"input added: {path}")
        elif path not in new:
            lines.append(f"input removed: {path}")
        elif old[path] != new[path]:
            lines.append(f"input changed: {path}")
    for kind, word in (("env", "variable"), ("needs", "need")):
        old, new = before[kind], now[kind]
        for name in sorted({*old, *new}):
            if (name in old) != (name in new) or old[name] != new[name]:
                lines.append(f"{word} changed: {name}")
    return lines
