# The configuration: lines "key = value", comments, empty lines.

SOURCE=
STORE=
EXCLUDES=()
KEEP_LAST=0
KEEP_DAILY=0
KEEP_MONTHLY=0

# trim NAME: takes the blanks around the value of the variable NAME away.
trim() {
    local -n text=$1
    text=${text#"${text%%[![:space:]]*}"}
    text=${text%"${text##*[![:space:]]}"}
}

# absolute PATH FOLDER: PATH as seen from FOLDER.
absolute() {
    case $1 in
        /*) printf '%s\n' "$1" ;;
        *) printf '%s\n' "$2/$1" ;;
    esac
}

whole_number() {
    [[ $2 =~ ^[0-9]+$ ]] || die 2 "$1: not a whole number: $2"
    printf '%s\n' "$((10#$2))"
}

load_config() {
    local file=$1 folder line key value number=0
    [[ -f $file ]] || die 2 "no such configuration: $file"
    folder=$(cd "$(dirname "$file")" && pwd)
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        trim line
        [[ -z $line || $line == '#'* ]] && continue
        [[ $line == *=* ]] || die 2 "$file:$number: no key = value: $line"
        key=${line%%=*}
        value=${line#*=}
        trim key
        trim value
        set_option "$file:$number" "$key" "$value" "$folder" || exit
    done <"$file"
    [[ -n $SOURCE ]] || die 2 "$file: no source"
    [[ -n $STORE ]] || die 2 "$file: no store"
}

# set_option PLACE KEY VALUE FOLDER
set_option() {
    local place=$1 key=$2 value=$3 folder=$4
    case $key in
        source) SOURCE=$(absolute "$value" "$folder") ;;
        store) STORE=$(absolute "$value" "$folder") ;;
        exclude) EXCLUDES+=("$value") ;;
        keep_last) KEEP_LAST=$(whole_number "$place" "$value") ;;
        keep_daily) KEEP_DAILY=$(whole_number "$place" "$value") ;;
        keep_monthly) KEEP_MONTHLY=$(whole_number "$place" "$value") ;;
        *) die 2 "$place: unknown key: $key" ;;
    esac
}
