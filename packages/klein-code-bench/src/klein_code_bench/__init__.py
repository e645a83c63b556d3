"""The default set of Klein-Code-Bench: ``python -m klein_code_bench`` is ``klein-bench``."""
