"""The agent that asks nobody: it plays what a script holds, the same every time."""
