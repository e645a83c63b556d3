raise ImportError("import from spans; spans.planning has gone")
