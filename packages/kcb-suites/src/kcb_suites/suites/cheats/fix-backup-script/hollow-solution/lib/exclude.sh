# Exclude patterns: shell patterns, compared with names or with whole paths.

# is_excluded PATH KIND: PATH is relative to the source, KIND is d for directories.
is_excluded() {
    :
}
