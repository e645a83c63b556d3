# Removing snapshots that no rule keeps.

declare -A KEPT

cmd_prune() {
    local dry=no stamp
    if [[ ${1-} == --dry-run ]]; then
        dry=yes
        shift
    fi
    [[ $# -eq 0 ]] || die 2 "unexpected argument: $1"
    local -a all=()
    mapfile -t all < <(snapshots)
    choose_kept "${all[@]}"
    for stamp in "${all[@]}"; do
        [[ -n ${KEPT[$stamp]-} ]] && continue
        if [[ $dry == yes ]]; then
            say "would prune $stamp"
        else
            rm -rf -- "${STORE:?}/$stamp"
            say "pruned $stamp"
        fi
    done
    say "kept ${#KEPT[@]}"
}

# choose_kept STAMP...: fills KEPT, by the rules of the configuration.
choose_kept() {
    local -a newest_first=()
    local stamp
    KEPT=()
    [[ $# -gt 0 ]] || return 0
    if ((KEEP_LAST + KEEP_DAILY + KEEP_MONTHLY == 0)); then
        for stamp in "$@"; do KEPT[$stamp]=all; done
        return
    fi
    mapfile -t newest_first < <(printf '%s\n' "$@" | sort -r)
    for stamp in "${newest_first[@]:0:KEEP_LAST}"; do
        KEPT[$stamp]=last
    done
    keep_newest_of "T*" "$KEEP_DAILY" "${newest_first[@]}"
    keep_newest_of "-*" "$KEEP_MONTHLY" "${newest_first[@]}"
}

# keep_newest_of CUT COUNT STAMP..., newest first: one snapshot for each of the newest COUNT
# days or months; a stamp without the shortest end of the pattern CUT is its day or month.
keep_newest_of() {
    local cut=$1 count=$2 stamp period last=
    shift 2
    for stamp in "$@"; do
        # shellcheck disable=SC2295
        period=${stamp%$cut}
        [[ $period == "$last" ]] && continue
        ((count > 0)) || return 0
        KEPT[$stamp]=$period
        count=$((count - 1))
        last=$period
    done
}
