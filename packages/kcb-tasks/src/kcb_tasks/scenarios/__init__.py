"""What solutions are judged by: scripts that are played against the oracle and recorded."""
