# Getting files back.

cmd_restore() {
    local force=no stamp path dest
    if [[ ${1-} == --force ]]; then
        force=yes
        shift
    fi
    [[ $# -eq 3 ]] || die 2 "restore needs STAMP PATH DEST"
    stamp=$1 path=${2%/} dest=$3
    need_snapshot "$stamp"
    local data=$STORE/$stamp/data
    [[ -e $data/$path || -L $data/$path ]] || die 1 "not in snapshot $stamp: $path"
    local -a wanted=()
    mapfile -t wanted < <(wanted_files "$data" "$path")
    [[ $force == yes ]] || refuse_existing "$dest" "${wanted[@]}"
    mkdir -p -- "$dest" || die 1 "cannot write: $dest"
    restore_directories "$data" "$path" "$dest"
    restore_files "$data" "$dest" "${wanted[@]}"
    say "restored ${#wanted[@]} files"
}

# wanted_files DATA PATH: the files and links at or under PATH, one a line, sorted.
wanted_files() {
    (cd "$1" && find "./$2" ! -type d) | relative | sort
}

# relative: takes the ./ from the start of each line.
relative() {
    sed -e 's:^\(\./\)*::'
}

# restore_directories DATA PATH DEST: those at or under PATH, whether or not files are in them.
restore_directories() {
    local path
    while IFS= read -r path; do
        mkdir -p -- "$3/$path" || die 1 "cannot write: $3/$path"
    done < <(cd "$1" && find "./$2" -type d | relative)
}

# refuse_existing DEST PATH...: end with an error if one of them is there already.
refuse_existing() {
    local dest=$1 path found=no
    shift
    for path in "$@"; do
        if [[ -e $dest/$path || -L $dest/$path ]]; then
            printf 'error: exists: %s\n' "$path" >&2
            found=yes
        fi
    done
    [[ $found == no ]] || exit 1
}

# restore_files DATA DEST PATH...
restore_files() {
    local data=$1 dest=$2 path
    shift 2
    for path in "$@"; do
        mkdir -p -- "$(dirname -- "$dest/$path")"
        cp -a --remove-destination -- "$data/$path" "$dest/$path" || die 1 "cannot restore: $path"
    done
}
