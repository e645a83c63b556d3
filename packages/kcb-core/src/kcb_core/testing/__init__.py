"""What a plug-in's author tests with: a toy family, small values, strategies and conformance.

The strategies and the conformance of launchers and agents need Hypothesis and pytest, which the
extra ``kcb-core[testing]`` brings; nothing outside this package imports either.
"""
