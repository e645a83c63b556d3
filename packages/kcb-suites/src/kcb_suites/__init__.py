"""Tasks that start from a fixture and end at a hidden grader, for Klein-Code-Bench."""
