"""Plays the sessions of a task against a project and reports what happened."""
