# Reading the configuration.
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh"

test_defaults_hold_for_later_sections() {
    write logtend.conf "[defaults]
keep = 9
[a]
files = a.log
[b]
files = b c.log
keep = 0
after = echo a = b"
    equal "$(logtend check)" "[a]
files = a.log
min_size = 1
keep = 9
compress = no
mode = move
[b]
files = b c.log
min_size = 1
keep = 0
compress = no
mode = move
after = echo a = b" "output"
}

test_wrong_values_are_refused() {
    local line
    for line in "keep = many" "keep = 1000" "compress = maybe" "min_size = 1g" "colour = red"; do
        write logtend.conf "[a]
files = a.log
$line"
        logtend check 2>/dev/null
        equal "$?" 2 "exit status with $line"
    done
}

run_tests
