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
    local section
    while [[ ${1-} == -* ]]; do
        case $1 in
            --dry-run) DRY=yes ;;
            --force) FORCE=yes ;;
            *) die 2 "unknown option: $1" ;;
        esac
        shift
    done
    need_sections "$@"
    [[ $DRY == yes ]] || lock
    for section in "${SECTIONS[@]}"; do
        is_wanted "$section" "$@" && rotate_section "$section"
    done
    if [[ $DRY == yes ]]; then
        say "would rotate $ROTATED logs"
    else
        say "rotated $ROTATED logs"
    fi
    [[ $FAILED == no ]]
}

lock() {
    mkdir -- "$LOCK" 2>/dev/null || die 1 "locked: $LOCK"
    trap 'rmdir -- "$LOCK"' EXIT
}

# act LINE COMMAND...: says the line, and unless this is a dry run, does it.
act() {
    local line=$1
    shift
    say "$line"
    if [[ $DRY == no ]] && ! "$@"; then
        complain "failed: $line"
        FAILED=yes
    fi
}

rotate_section() {
    local section=$1 log before=$ROTATED status=0
    find_logs "$section"
    for log in "${LOGS[@]}"; do
        is_due "$section" "$log" && rotate_log "$section" "$log"
    done
    local command=${OPTION[$section.after]}
    [[ -n $command && $ROTATED -gt $before ]] || return 0
    say "run $command"
    [[ $DRY == no ]] || return 0
    bash -c "$command" >&2 || status=$?
    if [[ $status -ne 0 ]]; then
        complain "after $section: exit status $status"
        FAILED=yes
    fi
}

# is_due SECTION LOG
is_due() {
    local size
    [[ -z ${EMPTIED["/$2"]-} ]] || return 1
    size=$(size_of "$2")
    ((size > 0)) || return 1
    [[ $FORCE == yes ]] || ((size >= $(in_bytes "${OPTION[$1.min_size]}")))
}

rotate_log() {
    local section=$1 log=$2
    local keep=${OPTION[$section.keep]} compress=${OPTION[$section.compress]}
    local mode=${OPTION[$section.mode]} most=${OPTION[$section.max_total]}
    if ! find_numbers "$log"; then
        FAILED=yes
        return
    fi
    remove_twins "$log"
    move_up "$log" "$keep"
    "${mode}_log" "$log" "$keep"
    compress_old "$compress"
    [[ -z $most ]] || limit_total "$(in_bytes "$most")"
    EMPTIED["/$log"]=yes
    ROTATED=$((ROTATED + 1))
}

# numbers ORDER: the numbers of the old logs; ORDER is an option of sort.
numbers() {
    [[ ${#OLD[@]} -eq 0 ]] || printf '%s\n' "${!OLD[@]}" | sort "$1"
}

# find_numbers LOG: fills OLD and CONTENT; complains and fails if something is in the way.
find_numbers() {
    local log=$1 path number
    OLD=() CONTENT=() PACKED=()
    for path in "$log".*; do
        [[ ${path#"$log"} =~ ^$OLD_ENDING && (-e $path || -L $path) ]] || continue
        number=${path#"$log".}
        OLD[${number%.gz}]=$path
    done
    for number in $(numbers -n); do
        for path in "$log.$number" "$log.$number.gz"; do
            [[ -e $path || -L $path ]] || continue
            if [[ -L $path || ! -f $path ]]; then
                complain "in the way: $path"
                return 1
            fi
        done
    done
}

# remove_twins LOG: where both forms are there, the compressed one is not complete.
remove_twins() {
    local number
    for number in $(numbers -n); do
        if [[ -e $1.$number && -e $1.$number.gz ]]; then
            act "remove $1.$number.gz" rm -f -- "$1.$number.gz"
            OLD[$number]=$1.$number
        fi
        CONTENT[$number]=${OLD[$number]}
    done
}

# move_up LOG KEEP
move_up() {
    local number path target
    for number in $(numbers -nr); do
        path=${OLD[$number]}
        if ((number >= $2)); then
            act "remove $path" rm -f -- "$path"
        else
            target=$1.$((number + 1))
            [[ $path != *.gz ]] || target+=.gz
            act "move $path -> $target" mv -- "$path" "$target"
            OLD[$((number + 1))]=$target
            CONTENT[$((number + 1))]=${CONTENT[$number]}
        fi
        unset "OLD[$number]"
    done
}

# move_log LOG KEEP
move_log() {
    local log=$1 mode
    mode=$(stat -c %a -- "$log")
    if [[ $2 -eq 0 ]]; then
        act "remove $log" rm -f -- "$log"
    else
        act "move $log -> $log.1" mv -- "$log" "$log.1"
        OLD[1]=$log.1 CONTENT[1]=$log
    fi
    act "create $log" create "$log" "$mode"
}

create() {
    : >"$1" && chmod "$2" -- "$1"
}

# copy_log LOG KEEP
copy_log() {
    local log=$1
    if [[ $2 -gt 0 ]]; then
        act "copy $log -> $log.1" cp -p -- "$log" "$log.1"
        OLD[1]=$log.1 CONTENT[1]=$log
    fi
    act "empty $log" truncate -s 0 -- "$log"
}

# compress_old HOW
compress_old() {
    local number path
    [[ $1 != no ]] || return 0
    for number in $(numbers -n); do
        path=${OLD[$number]}
        [[ $path == *.gz || ($1 == late && $number -eq 1) ]] && continue
        act "gzip $path" gzip -n -- "$path"
        OLD[$number]=$path.gz
        PACKED[$number]=yes
    done
}

# limit_total MOST: removes the oldest until the rest has no more than MOST bytes.
limit_total() {
    local number total=0
    local -A size=()
    for number in $(numbers -n); do
        size[$number]=$(size_now "$number")
        total=$((total + size[$number]))
    done
    for number in $(numbers -nr); do
        ((total > $1 && number > 1)) || return 0
        act "remove ${OLD[$number]}" rm -f -- "${OLD[$number]}"
        total=$((total - size[$number]))
        unset "OLD[$number]"
    done
}

# size_now NUMBER: the size of an old log, or in a dry run the size that it would have.
size_now() {
    if [[ $DRY == no ]]; then
        size_of "${OLD[$1]}"
    elif [[ -n ${PACKED[$1]-} ]]; then
        gzip -nc -- "${CONTENT[$1]}" | wc -c
    else
        size_of "${CONTENT[$1]}"
    fi
}
