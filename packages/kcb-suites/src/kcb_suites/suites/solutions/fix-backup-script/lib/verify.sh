# Comparing snapshots with their manifests.

cmd_verify() {
    local stamp status=0
    local -a stamps=("$@")
    if [[ $# -eq 0 ]]; then
        mapfile -t stamps < <(snapshots)
    fi
    for stamp in "${stamps[@]}"; do
        need_snapshot "$stamp"
    done
    for stamp in "${stamps[@]}"; do
        verify_snapshot "$stamp" || status=1
    done
    return "$status"
}

# verify_snapshot STAMP: says what is wrong, sorted by path, or "ok".
verify_snapshot() {
    local stamp=$1 problems line
    read_manifest "$STORE/$stamp/manifest"
    problems=$({
        listed_problems "$STORE/$stamp/data"
        extra_files "$STORE/$stamp/data"
    } | sort -k 2)
    if [[ -z $problems ]]; then
        say "$stamp ok"
        return 0
    fi
    while IFS= read -r line; do
        say "$stamp $line"
    done <<<"$problems"
    return 1
}

# listed_problems DATA: what the manifest lists, and is missing or changed.
listed_problems() {
    local key
    for key in "${!KNOWN[@]}"; do
        if [[ ! -f $1$key ]]; then
            printf 'missing %s\n' "${key#/}"
        elif [[ $(checksum "$1$key") != "${KNOWN[$key]}" ]]; then
            printf 'changed %s\n' "${key#/}"
        fi
    done
}

# extra_files DATA: what is there, and is not listed.
extra_files() {
    local path
    while IFS= read -r -d '' path; do
        [[ -n ${KNOWN["/$path"]-} ]] || printf 'extra %s\n' "$path"
    done < <(find "$1" -type f -printf '%P\0')
}
