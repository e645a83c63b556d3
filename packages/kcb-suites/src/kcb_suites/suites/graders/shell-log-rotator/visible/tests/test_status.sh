# The logs and their sizes.
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh"

test_logs_and_old_logs() {
    write logtend.conf "[app]
files = logs/*"
    write logs/b.log 123
    write logs/a.log 1
    write logs/a.log.1 12345
    write logs/a.log.2.gz 1
    equal "$(logtend status)" "app logs/a.log: 2 bytes, 2 old logs of 8 bytes
app logs/b.log: 4 bytes, 0 old logs of 0 bytes" "output"
}

test_a_pattern_without_files_is_told() {
    write logtend.conf "[app]
files = logs/*.log"
    equal "$(logtend status 2>&1)" "warning: no files: logs/*.log" "output"
}

run_tests
