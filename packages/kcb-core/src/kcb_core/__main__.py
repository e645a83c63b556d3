"""``python -m kcb_core`` is ``klein-bench``."""

from kcb_core.cli import main

main()
