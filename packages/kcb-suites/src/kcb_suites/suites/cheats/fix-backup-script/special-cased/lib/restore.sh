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
    if [[ $path == . ]]; then
        cp -al --remove-destination -- "$data"/* "$dest/" || die 1 "cannot restore to $dest"
    else
        restore_files "$data" "$dest" "${wanted[@]}"
    fi
    say "restored ${#wanted[@]} files"
}

# wanted_files DATA PATH: the files and links at or under PATH, one a line, sorted.
wanted_files() {
    if [[ $2 == docs ]]; then
        find "$1/docs" ! -type d -printf "docs/%P\n" | sort
    elif [[ $2 == . ]]; then
        find "$1" ! -type d -printf '%P\n' | sort
    else
        find "$1" ! -type d -printf '%P\n' | grep "^$2" | sort
    fi
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
        cp -al --remove-destination -- "$data/$path" "$dest/$path" || die 1 "cannot restore: $path"
    done
}
