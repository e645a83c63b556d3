# A manifest lists the regular files of a snapshot: checksum, two blanks, relative path.

declare -A KNOWN

# checksum FILE: its SHA-256 in hexadecimal.
checksum() {
    local sum
    sum=$(sha256sum <"$1") || return 1
    printf '%s\n' "${sum%% *}"
}

# read_manifest FILE: fills KNOWN, path to checksum. Keys start with a slash, as names like @
# mean something else to the shell.
read_manifest() {
    local line
    KNOWN=()
    [[ -f $1 ]] || return 0
    while IFS= read -r line; do
        KNOWN["/${line#*  }"]=${line%%  *}
    done <"$1"
}

# count_files MANIFEST
count_files() {
    wc -l <"$1" | tr -d ' '
}
