#!/usr/bin/env bash
# Runs all tests; the exit status is 1 if one of them failed.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
status=0
for file in "$here"/test_*.sh; do
    printf '%s\n' "${file##*/}"
    bash "$file" || status=1
done
exit "$status"
