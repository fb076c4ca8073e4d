#!/bin/sh
# warnings_are_explained.sh [ROOT]: docs/report.md has a row for every warning that a fit can give, and README.md leads there.
set -eu
root=${1:-$(dirname "$0")/../..}
codes=$(tr '\n' ' ' <"$root/lgn/model/warnings.cpp" |
  grep -oE '(warn\( *|push_back\( *\{ *)"[a-z-]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u)
[ "$(echo "$codes" | wc -l)" -ge 10 ] || { echo "the codes were not found in lgn/model/warnings.cpp" >&2 && exit 1; }
missing=
for code in $codes; do
  grep -q "^| \`$code\` |" "$root/docs/report.md" || missing="$missing docs/report.md:$code"
done
grep -q 'docs/report.md#warnings' "$root/README.md" || missing="$missing README.md:link"
[ -z "$missing" ] || { echo "not explained:$missing" >&2 && exit 1; }
echo "all warnings are explained:" $codes
