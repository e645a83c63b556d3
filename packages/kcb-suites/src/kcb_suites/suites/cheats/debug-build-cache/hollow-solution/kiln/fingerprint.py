"""What a target is made from, and the key of that."""
import hashlib
import json
import stat
from kiln.errors import TargetError
from kiln.globs import find, is_pattern

def file_print(path):
    """``[digest, executable]`` of a file; None if there is none."""
    return None

def input_paths(folder, target):
    """The inputs of a target. Raises TargetError if one that is named is not there."""
    return None

def output_prints(folder, target):
    """Path to print of the outputs, as they lie there."""
    return None

def made_from(project, target, environ):
    """All that a target is made from, as JSON."""
    return None

def key_of(parts):
    """The key of what a target is made from."""
    return None

def differences(before, now):
    """What changed, a line each."""
    return None
