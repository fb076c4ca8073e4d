#!/bin/sh
# equations_are_cited.sh [ROOT]: comments cite the theory, and what they cite is there.
#
# Equations of docs/theory.md carry \tag{1}, \tag{2}, … in order, each once. A header, a source or a page cites one as
# "theory, Eq. 12"; theory.md itself as "Eq. 12". Each of the rooms below cites at least one. The check first proves on
# planted trees that it can fail.
set -eu
ROOMS="dynamics flow identify physics"

# Prints one line per violation; succeeds when there is none.
check() {
  tags=$(sed -n 's/.*\\tag{\([^}]*\)}.*/\1/p' "$1/docs/theory.md")
  count=$(echo "$tags" | grep -c .)
  violations=0
  violation() {
    echo "$1"
    violations=$((violations + 1))
  }
  if [ "$tags" != "$(seq "$count")" ]; then
    violation "docs/theory.md: tags are not 1, 2, … $count, each once and in order: $(echo "$tags" | tr '\n' ' ')"
  fi
  # A comment may break the line between any two words of a citation.
  cited=$(find "$1/lgn" "$1/docs" -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.md' \) | sort |
    while read -r file; do
      sed 's|^ *///* *||' "$file" | tr '\n' ' ' | grep -oE 'theory, +Eq\. +[^ ]*' |
        sed "s|^theory, *Eq\. *\([0-9]*\).*|${file#"$1/"} \1|" || true
    done
    tr '\n' ' ' <"$1/docs/theory.md" | grep -oE '\(?Eq\. +[0-9]+' | sed 's|.*Eq\. *|docs/theory.md |' || true)
  while read -r file number; do
    [ -n "$file" ] || continue
    if [ -z "$number" ] || [ "$number" -lt 1 ] || [ "$number" -gt "$count" ]; then
      violation "$file: there is no Eq. $number in docs/theory.md, which has $count"
    fi
  done <<LIST
$cited
LIST
  for room in $ROOMS; do
    echo "$cited" | grep -q "^lgn/$room/.*\.h " || violation "lgn/$room: no header cites the theory"
  done
  [ "$violations" = 0 ]
}

trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT

# plant allowed|forbidden THEORY COMMENT: the check must say so about a tree of these texts.
plant() {
  rm -rf "$trial/lgn" "$trial/docs"
  mkdir -p "$trial/docs"
  printf '%b\n' "$2" >"$trial/docs/theory.md"
  for room in $ROOMS; do
    mkdir -p "$trial/lgn/$room"
    echo '/// (theory, Eq. 1)' >"$trial/lgn/$room/a.h"
  done
  printf '%b\n' "$3" >"$trial/lgn/flow/a.h"
  if check "$trial" >"$trial/log"; then found=allowed; else found=forbidden; fi
  if [ "$found" != "$1" ]; then
    echo "the check itself is broken: theory '$2' with the comment '$3' came out $found, not $1" >&2
    exit 1
  fi
}

two='$$ a \\tag{1} $$\n$$ b \\tag{2} $$'
plant allowed   "$two"                              '/// exp (theory, Eq. 2).'
plant allowed   "$two\nsee Eq. 1"                   '/// exp (theory,\n/// Eq. 2).'
plant forbidden "$two"                              '/// exp (theory, Eq. 3).'
plant forbidden "$two"                              '/// exp (theory,\n  /// Eq. 3).'
plant forbidden "$two"                              '/// exp (theory, Eq. two).'
plant forbidden "$two"                              '/// exp.'
plant forbidden "$two\nsee Eq. 3"                   '/// exp (theory, Eq. 2).'
plant forbidden '$$ a \\tag{1} $$\n$$ b \\tag{1} $$' '/// exp (theory, Eq. 1).'
plant forbidden '$$ a \\tag{1} $$\n$$ b \\tag{3} $$' '/// exp (theory, Eq. 1).'
plant forbidden '$$ a \\tag{2} $$\n$$ b \\tag{1} $$' '/// exp (theory, Eq. 1).'

root=${1:-$(dirname "$0")/../..}
if ! check "$root"; then
  echo "equations are cited by numbers that docs/theory.md has" >&2
  exit 1
fi
echo "equations are cited"
