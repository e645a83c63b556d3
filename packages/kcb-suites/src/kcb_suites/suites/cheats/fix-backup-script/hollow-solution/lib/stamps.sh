# Stamps name snapshots: YYYY-MM-DDTHHMM. They sort by time when they are sorted as text.

STAMP_PATTERN='^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2})([0-9]{2})$'

now_stamp() {
    :
}

# valid_stamp STAMP: true if it is of the right form and its parts are in range.
valid_stamp() {
    :
}
