"""The commands that kcb-core brings, one module each."""
