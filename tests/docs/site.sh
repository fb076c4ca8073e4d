#!/bin/sh
# site.sh ROOT LGN TUTORIAL FOLDER: the site builds without a warning, and its links lead somewhere.
set -eu
for tool in doxygen sphinx-build; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed" && exit 77; }
done
[ -d /usr/share/javascript/mathjax ] || { echo "skipped: libjs-mathjax is not installed" && exit 77; }
/usr/bin/python3 -c 'import breathe, furo, myst_parser' || { echo "skipped: not all packages of group docs are there" && exit 77; }
# A version that was released before, as scripts/docs-versions would have put it there.
mkdir -p "$4/extra/versions/0.0.9"
echo '<!doctype html><title>lgn 0.0.9</title><p>lgn 0.0.9</p>' >"$4/extra/versions/0.0.9/index.html"
# What pages show is for blocks.sh to check.
OUTPUTS=no LGN=$2 LGN_TUTORIAL=$3 "$1/scripts/docs" "$4"

site=$4/site
for page in index tutorial tasks gallery report structures sensors preparing troubleshooting coming-from glossary limitations \
  theory commands architecture versions search gallery/cart gallery/warned api/flow api/identify api/design; do
  [ -s "$site/$page.html" ] || { echo "there is no page $page" >&2 && exit 1; }
done
grep -q 'theory.html#eq-15' "$site/api/flow.html" || { echo "the API does not lead to the theory" >&2 && exit 1; }
grep -q 'MathJax.js' "$site/theory.html" || { echo "nothing draws the equations" >&2 && exit 1; }
grep -q 'optimized Taylor' "$site/theory.html" || { echo "the references are missing" >&2 && exit 1; }
grep -q 'versions/0.0.9/index.html' "$site/versions.html" || { echo "other versions are not listed" >&2 && exit 1; }
for command in inspect fit-many predict response design plan; do
  grep -q "lgn $command" "$site/commands.html" || { echo "the page of commands lacks $command" >&2 && exit 1; }
done
size=$(du -sm "$site" | cut -f 1)
[ "$size" -lt 30 ] || { echo "the site takes $size MB" >&2 && exit 1; }
