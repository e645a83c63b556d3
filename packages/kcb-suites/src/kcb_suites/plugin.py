"""The entry point of kcb-suites; it registers nothing yet."""
