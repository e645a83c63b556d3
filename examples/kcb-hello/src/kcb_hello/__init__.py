"""A family of Klein-Code-Bench, written by a stranger."""
