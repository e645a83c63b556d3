raise ImportError("import from spans; spans.intervals has gone")
