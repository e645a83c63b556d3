# Getting files back, and checking them.
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh"

sample() {
    configure
    write data/letter.txt "Dear all"
    write data/plans/garden.txt "beans"
    keepsake run --at 2024-03-05T0100 >/dev/null
}

test_a_file_comes_back() {
    sample
    equal "$(keepsake restore 2024-03-05T0100 plans/garden.txt "$BOX/out")" "restored 1 files" "output"
    equal "$(cat "$BOX/out/plans/garden.txt")" beans "the file"
}

test_the_whole_tree_comes_back() {
    sample
    equal "$(keepsake restore 2024-03-05T0100 . "$BOX/out")" "restored 2 files" "output"
    equal "$(cat "$BOX/out/letter.txt")" "Dear all" "the file"
}

test_existing_files_are_not_overwritten() {
    sample
    write out/letter.txt "Mine"
    equal "$(keepsake restore 2024-03-05T0100 letter.txt "$BOX/out" 2>&1)" \
        "error: exists: letter.txt" "output"
    equal "$(cat "$BOX/out/letter.txt")" Mine "the file"
}

test_verify_finds_a_changed_file() {
    sample
    equal "$(keepsake verify)" "2024-03-05T0100 ok" "before"
    write store/2024-03-05T0100/data/letter.txt "Dear none"
    equal "$(keepsake verify)" "2024-03-05T0100 changed letter.txt" "after"
}

run_tests
