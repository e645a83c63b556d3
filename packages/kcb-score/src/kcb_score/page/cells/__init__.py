"""A page for every cell: how one project was made, turn by turn, and how it was judged."""
