#!/bin/sh
# site.sh ROOT LGN TUTORIAL FOLDER: the site builds without a warning, and its links lead somewhere.
set -eu
for tool in doxygen sphinx-build; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done
[ -d /usr/share/javascript/mathjax ] || { echo "skipped: libjs-mathjax is not installed" && exit 77; }
/usr/bin/python3 -c 'import breathe, furo, myst_parser' || { echo "skipped: not all packages of group docs are there" && exit 77; }
LGN=$2 LGN_TUTORIAL=$3 "$1/scripts/docs" "$4"

site=$4/site
for page in index tutorial report structures theory commands architecture api/flow api/identify; do
  [ -s "$site/$page.html" ] || { echo "there is no page $page" >&2 && exit 1; }
done
grep -q 'theory.html#eq-15' "$site/api/flow.html" || { echo "the API does not lead to the theory" >&2 && exit 1; }
grep -q 'MathJax.js' "$site/theory.html" || { echo "nothing draws the equations" >&2 && exit 1; }
grep -q 'optimized Taylor' "$site/theory.html" || { echo "the references are missing" >&2 && exit 1; }
size=$(du -sm "$site" | cut -f 1)
[ "$size" -lt 30 ] || { echo "the site takes $size MB" >&2 && exit 1; }
