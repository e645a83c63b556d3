"""The basket."""
