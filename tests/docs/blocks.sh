#!/bin/sh
# blocks.sh ROOT LGN TUTORIAL PYTHON: pages show the code of the examples and what it prints, numbers in their prose come
# from there or from what a command wrote, and both checks can fail.
set -eu
root=$1 lgn=$2 tutorial=$3 python=$4
[ -x /usr/bin/python3 ] || { echo "skipped: no /usr/bin/python3" && exit 77; }
(cd / && PYTHONPATH=$python /usr/bin/python3 -c 'import lgn._lgn') 2>/dev/null || python=
export PYTHONDONTWRITEBYTECODE=1

check() { /usr/bin/python3 "$root/docs/site/blocks.py" --lgn "$lgn" --cpp "$tutorial" ${python:+--python "$python"} "$@"; }

trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT
# planted SED: a page that was changed so must be refused.
planted() {
  sed "$1" "$root/docs/tutorial.md" >"$trial/page.md"
  ! cmp -s "$root/docs/tutorial.md" "$trial/page.md" || { echo "nothing was planted by $1" >&2 && exit 1; }
  ! check "$trial/page.md" 2>"$trial/log" || { echo "the check itself is broken: it missed $1" >&2 && exit 1; }
}
planted 's/^\(lgn fit .*\)--holdout 0.2/\1--holdout 0.3/'
planted 's/validation error 0\.788%/validation error 0.988%/'
planted 's/→ chosen/→ taken/'

check "$root"/README.md "$root"/docs/*.md
echo "pages show what examples print"

# Numbers in prose: those of an output, of a linked page that a command wrote, or explained; and the check can fail.
numbers() { /usr/bin/python3 "$root/docs/site/numbers.py" "$1"; }
numbers "$root"
mkdir -p "$trial/tree/docs/site"
cp "$root"/docs/*.md "$root"/docs/*.json "$trial/tree/docs/"
cp "$root/docs/site/numbers.txt" "$trial/tree/docs/site/"
cp "$root/README.md" "$trial/tree/"
numbers "$trial/tree"
sed -i 's/94\.6 to 95\.8%/12.34 to 95.8%/' "$trial/tree/docs/report.md"
! numbers "$trial/tree" 2>"$trial/log" || { echo "the check of numbers missed one that was changed" >&2 && exit 1; }
grep -q 'report.md: where does 12.34 come from' "$trial/log"
echo "numbers on pages come from somewhere"

/usr/bin/python3 "$root/docs/site/check_pages.py" "$root"
sed -i 's/docs\/report.md#warnings/docs\/report.md#warned/' "$trial/tree/README.md"
! /usr/bin/python3 "$root/docs/site/check_pages.py" "$trial/tree" 2>"$trial/log" || { echo "the check of links missed one" >&2 && exit 1; }
grep -q 'README.md: there is no heading docs/report.md#warned' "$trial/log"
echo "links of pages lead somewhere"
