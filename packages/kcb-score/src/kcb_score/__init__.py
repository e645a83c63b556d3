"""Turns report files into scores; it reads reports and nothing else of a run."""
