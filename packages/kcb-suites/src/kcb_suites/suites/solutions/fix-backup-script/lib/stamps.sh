# Stamps name snapshots: YYYY-MM-DDTHHMM. They sort by time when they are sorted as text.

STAMP_PATTERN='^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2})([0-9]{2})$'

now_stamp() {
    date +%Y-%m-%dT%H%M
}

# valid_stamp STAMP: true if it is of the right form and its parts are in range.
valid_stamp() {
    [[ $1 =~ $STAMP_PATTERN ]] || return 1
    local month=10#${BASH_REMATCH[2]} day=10#${BASH_REMATCH[3]}
    local hour=10#${BASH_REMATCH[4]} minute=10#${BASH_REMATCH[5]}
    ((month >= 1 && month <= 12)) || return 1
    ((day >= 1 && day <= 31)) || return 1
    ((hour <= 23 && minute <= 59))
}
