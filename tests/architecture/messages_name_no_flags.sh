#!/bin/sh
# messages_name_no_flags.sh [ROOT]: messages of the library name no flag of the program.
#
# No string in the rooms below holds a flag such as --structure: who uses the library from C++ or Python would read it.
# A setting is named by setting("structure", "network") of lgn/core/setting.h, and whoever shows a message writes it as
# its reader types it. Comments may name flags. The check first proves on planted trees that it can fail.
set -eu
ROOMS="core data dynamics flow identify physics model report"

# Prints one line per violation; succeeds when there is none.
check() {
  for room in $ROOMS; do
    find "$1/lgn/$room" -type f \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null
  done | sort | xargs -r awk -v root="$1/" '
    # What the line holds inside of strings; `ending` is what ends a raw one that is open, else empty.
    function strings_of(line,   found) {
      found = ""
      while (line != "") {
        if (ending != "") {
          at = index(line, ending)
          found = found " " (at ? substr(line, 1, at - 1) : line)
          line = at ? substr(line, at + length(ending)) : ""
          if (at) ending = ""
        } else if (!match(line, /R"[A-Za-z]*\(|"|\/\//)) {
          line = ""
        } else if (substr(line, RSTART, 1) == "R") {
          ending = ")" substr(line, RSTART + 2, RLENGTH - 3) "\""
          line = substr(line, RSTART + RLENGTH)
        } else if (substr(line, RSTART, 1) == "/") {
          line = ""
        } else {
          line = substr(line, RSTART + 1)
          match(line, /^(\\.|[^"\\])*/)
          found = found " " substr(line, 1, RLENGTH)
          line = substr(line, RLENGTH + 2)
        }
      }
      return found
    }
    FNR == 1 { ending = "" }
    strings_of($0) ~ /(^|[^-A-Za-z0-9])--[a-z{]/ {
      printf "%s:%d: a message names a flag: %s\n", substr(FILENAME, length(root) + 1), FNR, $0
      ++violations
    }
    END { exit violations > 0 }'
}

trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT

# plant allowed|forbidden FILE LINES: the check must say so about a tree that holds this one file.
plant() {
  rm -rf "$trial/lgn"
  mkdir -p "$trial/$(dirname "$2")"
  printf '%b\n' "$3" >"$trial/$2"
  if check "$trial" >"$trial/log"; then found=allowed; else found=forbidden; fi
  if [ "$found" != "$1" ]; then
    echo "the check itself is broken: '$3' in $2 came out $found, not $1" >&2
    exit 1
  fi
}

plant forbidden lgn/data/a.cpp       'throw Error("no time", "name it with --time");'
plant forbidden lgn/data/csv/a.cpp   'throw Error("no time", "name it with --time");'
plant forbidden lgn/core/a.h         'std::string from = "--channels";'
plant forbidden lgn/flow/a.cpp       'throw Error(fmt::format("--{} is too long", name));'
plant forbidden lgn/model/a.cpp      'warn("x",\n     "allow more with --max-seconds");'
plant forbidden lgn/physics/a.cpp    'const char* text = "say \\\\"yes\\\\" with --errors";'
plant forbidden lgn/report/page/a.cpp 'const char* text = R"(\nlgn report --figures\n)";'
plant allowed   lgn/data/a.cpp       'throw Error("no time", "name it with " + setting("time"));'
plant allowed   lgn/data/a.cpp       '/// As `--time "t"` has it.'
plant allowed   lgn/data/a.cpp       '--count; text = "a -- b"; --count;'
plant allowed   lgn/report/page/a.cpp 'text = R"(<!-- one -->)"; --count;\n--count;'
plant allowed   lgn/data/a.cpp       'separators = "\\\\"; --count;'

root=${1:-$(dirname "$0")/../..}
if ! check "$root"; then
  echo "a message of the library names a setting by setting(), lgn/core/setting.h" >&2
  exit 1
fi
echo "messages name no flags"
