# Getting files back.

cmd_restore() {
    :
}

# wanted_files DATA PATH: the files and links at or under PATH, one a line, sorted.
wanted_files() {
    :
}

# relative: takes the ./ from the start of each line.
relative() {
    :
}

# restore_directories DATA PATH DEST: those at or under PATH, whether or not files are in them.
restore_directories() {
    :
}

# refuse_existing DEST PATH...: end with an error if one of them is there already.
refuse_existing() {
    :
}

# restore_files DATA DEST PATH...
restore_files() {
    :
}
