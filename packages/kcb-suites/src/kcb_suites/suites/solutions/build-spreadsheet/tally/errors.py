"""What stops a command."""


class TallyError(Exception):
    """Something is wrong with the command line or with a file."""
