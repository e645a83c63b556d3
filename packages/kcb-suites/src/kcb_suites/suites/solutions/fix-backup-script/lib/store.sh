# The store: a directory that holds one directory a snapshot. Names that start with a dot are
# keepsake's own: the lock, and snapshots that are not finished.

# snapshots: the stamps of all finished snapshots, oldest first.
snapshots() {
    local entry name
    for entry in "$STORE"/*/; do
        name=${entry%/}
        name=${name##*/}
        valid_stamp "$name" && [[ -f $STORE/$name/manifest ]] && printf '%s\n' "$name"
    done | sort
}

newest_snapshot() {
    snapshots | tail -n 1
}

# need_snapshot STAMP: ends the program if there is none.
need_snapshot() {
    valid_stamp "$1" || die 2 "not a stamp: $1"
    [[ -f $STORE/$1/manifest ]] || die 1 "no such snapshot: $1"
}

lock_store() {
    mkdir -p -- "$STORE" || die 1 "cannot make the store: $STORE"
    mkdir -- "$STORE/.lock" 2>/dev/null || die 1 "the store is locked: $STORE/.lock"
    trap leave_store EXIT
}

# leave_store: what a run must not leave behind, however it ends.
leave_store() {
    [[ -z ${PARTIAL-} ]] || rm -rf -- "$PARTIAL"
    rmdir -- "$STORE/.lock"
}

cmd_list() {
    local stamp
    [[ $# -eq 0 ]] || die 2 "list takes no arguments"
    while IFS= read -r stamp; do
        say "$stamp $(count_files "$STORE/$stamp/manifest") files"
    done < <(snapshots)
}
