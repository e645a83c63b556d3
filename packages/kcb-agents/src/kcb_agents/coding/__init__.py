"""The agent that works with tools: it reads, writes and searches files, and runs commands."""
