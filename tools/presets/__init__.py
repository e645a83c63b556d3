"""Real external programs by their presets: driven by a script, compared, and counted."""
