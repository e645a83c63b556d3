# Listing and pruning.
. "$(dirname "${BASH_SOURCE[0]}")/harness.sh"

sample() {
    local day
    write data/letter.txt "Dear all"
    for day in 01 02 03 04; do
        keepsake run --at "2024-03-${day}T0100" >/dev/null
    done
}

test_list_names_snapshots() {
    configure
    sample
    equal "$(keepsake list | head -n 1)" "2024-03-01T0100 1 files" "the first line"
    equal "$(keepsake list | wc -l)" 4 "lines"
}

test_the_last_are_kept() {
    configure "keep_last = 2"
    sample
    equal "$(keepsake prune --dry-run | head -n 1)" "would prune 2024-03-01T0100" "dry run"
    equal "$(keepsake prune | tail -n 1)" "kept 2" "output"
    equal "$(keepsake list | head -n 1)" "2024-03-03T0100 1 files" "what is left"
}

test_without_rules_all_are_kept() {
    configure
    sample
    equal "$(keepsake prune)" "kept 4" "output"
}

run_tests
