# A manifest lists the regular files of a snapshot: checksum, two blanks, relative path.

declare -A KNOWN

# checksum FILE: its SHA-256 in hexadecimal.
checksum() {
    :
}

# read_manifest FILE: fills KNOWN, path to checksum. Keys start with a slash, as names like @
# mean something else to the shell.
read_manifest() {
    :
}

# count_files MANIFEST
count_files() {
    :
}
