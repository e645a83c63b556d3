# The store: a directory that holds one directory a snapshot. Names that start with a dot are
# keepsake's own: the lock, and snapshots that are not finished.

# snapshots: the stamps of all finished snapshots, oldest first.
snapshots() {
    :
}

newest_snapshot() {
    :
}

# need_snapshot STAMP: ends the program if there is none.
need_snapshot() {
    :
}

lock_store() {
    :
}

# leave_store: what a run must not leave behind, however it ends.
leave_store() {
    :
}

cmd_list() {
    :
}
