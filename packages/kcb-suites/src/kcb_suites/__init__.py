"""Suites with fixtures and hidden graders for Klein-Code-Bench; it registers nothing yet."""
