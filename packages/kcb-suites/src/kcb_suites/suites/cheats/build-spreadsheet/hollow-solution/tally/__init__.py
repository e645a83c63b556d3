"""tally: a spreadsheet for the command line. See SPEC.md."""
