"""The four kinds of program: oracle services in cumulative layers over any family."""
