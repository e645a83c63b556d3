"""Ways to start a candidate, one module each; none of them judges anything."""
