"""Batteries of drills: a tool in a situation that goes wrong, an agent at it, and what came of it.

From left to right: declarations (``drill``, ``drill_checks``, ``distractors``, ``trajectory``,
``battery``), the place in which one is played (``provisioning``, ``bundling``), what crossed the
boundary of a process there (``evidence``), the engine that judges it (``check_engine``), and the
three levels at which a battery runs.
"""
