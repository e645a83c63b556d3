"""The agent that acts by one command line a turn."""
