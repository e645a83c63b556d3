"""What tests of suites are made of: a tree that is small and whole."""
