# Taking snapshots.
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh"

test_a_snapshot_holds_the_tree() {
    configure
    write data/letter.txt "Dear all"
    write data/plans/garden.txt "beans"
    keepsake run --at 2024-03-05T0100 >/dev/null
    equal "$?" 0 "exit status"
    equal "$(cat "$BOX/store/2024-03-05T0100/data/plans/garden.txt")" beans "a file in a directory"
    equal "$(wc -l <"$BOX/store/2024-03-05T0100/manifest")" 2 "lines of the manifest"
}

test_unchanged_files_are_shared() {
    configure
    write data/letter.txt "Dear all"
    keepsake run --at 2024-03-05T0100 >/dev/null
    keepsake run --at 2024-03-06T0100 >/dev/null
    equal "$(stat -c %h "$BOX/store/2024-03-06T0100/data/letter.txt")" 2 "links of the file"
}

test_excluded_files_are_left_out() {
    configure "exclude = *.tmp" "exclude = cache/"
    write data/letter.txt "Dear all"
    write data/letter.tmp "Dear"
    write data/cache/picture "0101"
    keepsake run --at 2024-03-05T0100 >/dev/null
    equal "$(find "$BOX/store/2024-03-05T0100/data" -mindepth 1 -printf '%P\n')" letter.txt "the tree"
}

test_a_stamp_of_another_form_is_refused() {
    configure
    write data/letter.txt "Dear all"
    keepsake run --at 2024-13-05T0100 2>/dev/null
    equal "$?" 2 "exit status"
}

run_tests
