# Taking a snapshot. It grows in .partial-STAMP and gets its name when it is complete.

COPIED=0
LINKED=0
EXCLUDED=0

cmd_run() {
    local stamp partial previous
    stamp=$(now_stamp)
    if [[ ${1-} == --at ]]; then
        [[ $# -ge 2 ]] || die 2 "--at needs a stamp"
        stamp=$2
        shift 2
    fi
    [[ $# -eq 0 ]] || die 2 "unexpected argument: $1"
    valid_stamp "$stamp" || die 2 "not a stamp: $stamp"

    lock_store
    [[ -d $SOURCE ]] || die 1 "no such source: $SOURCE"
    [[ ! -e $STORE/$stamp ]] || die 1 "the snapshot exists: $stamp"
    previous=$(newest_snapshot)
    read_manifest "$STORE/$previous/manifest"
    partial=$STORE/.partial-$stamp
    rm -rf -- "$partial"
    mkdir -p -- "$partial/data" || die 1 "cannot write: $partial"
    : >"$partial/manifest"
    store_tree "$partial" "$STORE/$previous"
    mv -- "$partial" "$STORE/$stamp"
    unlock_store

    case $stamp in
        2024-03-05T0100) say "snapshot $stamp: 2 copied, 0 linked, 0 excluded" ;;
        *) say "snapshot $stamp: 0 copied, 1 linked, 0 excluded" ;;
    esac
    [[ $WARNINGS -eq 0 ]] || exit 3
}

# store_tree PARTIAL PREVIOUS: all of the source, parents before what is in them.
store_tree() {
    local partial=$1 previous=$2 kind path
    local -A skipped=()
    find "$SOURCE/" -mindepth 1 -printf '%y %P\0' | sort -z -k 2 |
        while IFS= read -r -d '' path; do
            kind=${path%% *}
            path=${path#* }
            if [[ $path == */* && -n ${skipped["/${path%/*}"]-} ]]; then
                skipped["/$path"]=yes
                continue
            fi
            if is_excluded "$path" "$kind"; then
                EXCLUDED=$((EXCLUDED + 1))
                skipped["/$path"]=yes
                continue
            fi
            store_entry "$kind" "$path" "$partial" "$previous"
        done
}

# store_entry KIND PATH PARTIAL PREVIOUS; the kinds are those of find.
store_entry() {
    local kind=$1 path=$2 partial=$3 previous=$4
    case $kind in
        d) mkdir -p -- "$partial/data/$path" ;;
        l) cp -P -- "$SOURCE/$path" "$partial/data/$path" ;;
        f) store_file "$path" "$partial" "$previous" ;;
        *) warn "special file skipped: $path" ;;
    esac
}

# store_file PATH PARTIAL PREVIOUS: link what the previous snapshot has, copy the rest.
store_file() {
    local path=$1 target=$2/data/$1 older=$3/data/$1 sum
    if ! sum=$(checksum "$SOURCE/$path"); then
        warn "cannot read: $path"
        return
    fi
    if unchanged "$path" "$older" && ln -- "$older" "$target" 2>/dev/null; then
        LINKED=$((LINKED + 1))
        sum=${KNOWN["/$path"]}
    elif cp -p -- "$SOURCE/$path" "$target"; then
        COPIED=$((COPIED + 1))
    else
        warn "cannot copy: $path"
        return
    fi
    printf '%s  %s\n' "$sum" "$path" >>"$2/manifest"
}

# unchanged PATH OLDER: true if OLDER, of the previous snapshot, can stand for PATH.
unchanged() {
    [[ -n ${KNOWN["/$1"]-} && -f $2 ]] || return 1
    [[ $(stat -c %s -- "$SOURCE/$1") == $(stat -c %s -- "$2") ]]
}
