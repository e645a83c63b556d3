# What the tests share. Each test is a function test_*, run in a subshell with a sandbox of its own.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

logtend() {
    bash "$ROOT/bin/logtend" -c "$BOX/logtend.conf" "$@"
}

# write FILE TEXT: a file in the sandbox, of one line or more.
write() {
    mkdir -p "$(dirname "$BOX/$1")"
    printf '%s\n' "$2" >"$BOX/$1"
}

# equal ACTUAL EXPECTED ABOUT
equal() {
    if [[ $1 != "$2" ]]; then
        printf '    %s\n      expected: %q\n      received: %q\n' "$3" "$2" "$1"
        exit 1
    fi
}

run_tests() {
    local name failed=0
    for name in $(compgen -A function test_); do
        if (
            BOX=$(mktemp -d)
            trap 'rm -rf "$BOX"' EXIT
            "$name"
        ); then
            printf 'ok   %s\n' "$name"
        else
            printf 'FAIL %s\n' "$name"
            failed=1
        fi
    done
    return "$failed"
}
