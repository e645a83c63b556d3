# Removing snapshots that no rule keeps.

declare -A KEPT

cmd_prune() {
    :
}

# choose_kept STAMP...: fills KEPT, by the rules of the configuration.
choose_kept() {
    :
}

# keep_newest_of CUT COUNT STAMP..., newest first: one snapshot for each of the newest COUNT
# days or months; a stamp without the shortest end of the pattern CUT is its day or month.
keep_newest_of() {
    :
}
