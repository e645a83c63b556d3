# Exclude patterns: shell patterns, compared with names or with whole paths.

# is_excluded PATH KIND: PATH is relative to the source, KIND is d for directories.
is_excluded() {
    local path=$1 kind=$2 pattern subject
    for pattern in "${EXCLUDES[@]}"; do
        if [[ $pattern == */ ]]; then
            [[ $kind == d ]] || continue
            pattern=${pattern%/}
        fi
        subject=${path##*/}
        [[ $pattern == */* ]] && subject=$path
        # The pattern is meant as a pattern, so it is not quoted.
        # shellcheck disable=SC2053
        [[ $subject == $pattern ]] && return 0
    done
    return 1
}
