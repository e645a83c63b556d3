# Rotating: the first examples.
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh"

sample() {
    write logtend.conf "[app]
files = logs/*.log
keep = 2"
    write logs/app.log today
    write logs/app.log.1 yesterday
    write logs/app.log.2 "long ago"
}

test_old_logs_move_up() {
    sample
    equal "$(logtend rotate)" "remove logs/app.log.2
move logs/app.log.1 -> logs/app.log.2
move logs/app.log -> logs/app.log.1
create logs/app.log
rotated 1 logs" "output"
    equal "$(cat "$BOX"/logs/app.log.{1,2})" "today
yesterday" "the old logs"
    equal "$(stat -c %s "$BOX/logs/app.log")" 0 "the size of the log"
}

test_a_dry_run_changes_nothing() {
    sample
    equal "$(logtend rotate --dry-run | tail -n 2)" "create logs/app.log
would rotate 1 logs" "output"
    equal "$(cat "$BOX/logs/app.log")" today "the log"
}

run_tests
