"""The network of external programs that are allowed one: a filter, and a proxy that judges."""
