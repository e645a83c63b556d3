"""Patterns to files."""
import os
import re

def is_pattern(text):
    """True if ``text`` can stand for several files."""
    return None

def _part(part):
    """A regular expression for one part of a pattern."""
    return None

def compile_pattern(pattern):
    """A regular expression that the paths of ``pattern`` match whole."""
    return None

def all_files(folder):
    """The paths of all files below ``folder``, with `/`, without those of the cache."""
    return None

def find(folder, patterns):
    """The files that the patterns stand for, each once, in the order of their paths."""
    return None
