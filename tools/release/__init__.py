"""The rehearsal of a release: ``python -m release``, which ``nox -s release`` calls.

What a stranger will get is built, installed and used as a stranger would, from the built files
alone and in a folder that knows nothing of the repository.
"""
