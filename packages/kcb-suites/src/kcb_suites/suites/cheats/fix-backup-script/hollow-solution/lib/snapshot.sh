# Taking a snapshot. It grows in .partial-STAMP and gets its name when it is complete.

COPIED=0
LINKED=0
EXCLUDED=0

cmd_run() {
    :
}

# store_tree PARTIAL PREVIOUS: all of the source, parents before what is in them.
store_tree() {
    :
}

# store_entry KIND PATH PARTIAL PREVIOUS; the kinds are those of find.
store_entry() {
    :
}

# store_file PATH PARTIAL PREVIOUS: link what the previous snapshot has, copy the rest.
store_file() {
    :
}

# unchanged PATH OLDER SUM: true if OLDER, of the previous snapshot, can stand for PATH.
unchanged() {
    :
}
