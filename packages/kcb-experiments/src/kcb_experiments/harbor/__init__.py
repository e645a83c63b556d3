"""Tasks in the format of Harbor, a framework that runs agents in containers."""
