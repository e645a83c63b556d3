"""The entry point of kcb-experiments; it registers nothing yet."""
