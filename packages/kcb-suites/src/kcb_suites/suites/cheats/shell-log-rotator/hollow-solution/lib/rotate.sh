# rotate: see docs/rotate.md. A dry run takes the same way, with steps that are only said, so the state
# of one log is kept in the two tables below and not looked up on the disk again.

LOCK=.logtend.lock
DRY=no
FORCE=no
ROTATED=0
FAILED=no

declare -A OLD      # number of an old log to its path as of now
declare -A CONTENT  # number of an old log to the path where its content was at the start
declare -A PACKED   # numbers of old logs that were compressed by this run
declare -A EMPTIED  # logs that this run has rotated, which another section may name again

cmd_rotate() {
    :
}

lock() {
    :
}

# act LINE COMMAND...: says the line, and unless this is a dry run, does it.
act() {
    :
}

rotate_section() {
    :
}

# is_due SECTION LOG
is_due() {
    :
}

rotate_log() {
    :
}

# numbers ORDER: the numbers of the old logs; ORDER is an option of sort.
numbers() {
    :
}

# find_numbers LOG: fills OLD and CONTENT; complains and fails if something is in the way.
find_numbers() {
    :
}

# remove_twins LOG: where both forms are there, the compressed one is not complete.
remove_twins() {
    :
}

# move_up LOG KEEP
move_up() {
    :
}

# move_log LOG KEEP
move_log() {
    :
}

create() {
    :
}

# copy_log LOG KEEP
copy_log() {
    :
}

# compress_old HOW
compress_old() {
    :
}

# limit_total MOST: removes the oldest until the rest has no more than MOST bytes.
limit_total() {
    :
}

# size_now NUMBER: the size of an old log, or in a dry run the size that it would have.
size_now() {
    :
}
