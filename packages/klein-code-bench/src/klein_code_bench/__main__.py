"""``python -m klein_code_bench``: the same command line as ``klein-bench``."""

from kcb_core.cli import main

if __name__ == "__main__":
    main()
