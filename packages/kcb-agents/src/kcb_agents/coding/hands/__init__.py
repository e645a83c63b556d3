"""The hands of the coding agent: what its tools do to files.

These modules run inside the sandbox, under an interpreter that knows nothing of this project: they
import the standard library and one another, and nothing else. So a file tool can reach what a
command can, and no more.
"""
