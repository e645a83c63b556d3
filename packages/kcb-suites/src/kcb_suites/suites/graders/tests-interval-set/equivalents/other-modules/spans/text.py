raise ImportError("import from spans; spans.text has gone")
