# Comparing snapshots with their manifests.

cmd_verify() {
    :
}

# verify_snapshot STAMP: says what is wrong, sorted by path, or "ok".
verify_snapshot() {
    :
}

# listed_problems DATA: what the manifest lists, and is missing or changed.
listed_problems() {
    :
}

# extra_files DATA: what is there, and is not listed.
extra_files() {
    :
}
