"""What writes a project: agents that turn a Klein-Code-Bench prompt into a folder of files."""
