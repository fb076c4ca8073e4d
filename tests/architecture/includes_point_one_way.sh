#!/bin/sh
# includes_point_one_way.sh [ROOT]: the architecture, checked.
#
# Rooms stand in the order in which data flow. A file in a room includes its own room and earlier ones; files
# directly in lgn/ include any room; cli/ includes lgn/ and itself; cli/experiments/, a program of its own that the rest of
# cli/ does not know, also reproduction/ and comparison/ of experiments/, which have commands; python/ includes lgn/ and
# itself; petsc/, which nothing knows, lgn/, cli/ and itself; CLI11 is seen by one file; nothing in lgn/ knows who uses it, and nothing in experiments/ does; what needs libtorch stays in experiments/neural/.
# The check first proves on planted trees that it can fail.
set -eu
# Of a room that has rooms of its own: their order. They also use what stands in the room itself, which uses all of them.
SUBROOMS="data/csv data/arrays
  identify/realisation identify/regression identify/likelihood identify/training identify/wiring identify/sparse identify/nonlinear identify/variation identify/hidden identify/driven identify/ambient
  report/text report/plot report/network report/page report/export"
ROOMS="core data dynamics flow identify physics model design report"

# Prints one line per violation; succeeds when there is none.
check() {
  find "$1/lgn" "$1/cli" "$1/petsc" "$1/experiments" "$1/python" -type f \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null | sort |
    xargs awk -v root="$1/" -v rooms="$ROOMS" -v subrooms="$(echo $SUBROOMS)" '
    BEGIN { n = split(rooms, names, " "); for (i = 1; i <= n; ++i) rank[names[i]] = i
      n = split(subrooms, names, " "); for (i = 1; i <= n; ++i) place[names[i]] = i }
    function violation(why) {
      printf "%s:%d: includes %s: %s\n", here, FNR, target, why
      ++violations
    }
    FNR == 1 {
      here = substr(FILENAME, length(root) + 1)
      depth = split(here, at, "/")
      room = at[1] == "lgn" && depth > 2 ? at[2] : ""
      subroom = at[1] == "lgn" && depth > 3 ? at[2] "/" at[3] : ""
    }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
      quoted = $0 ~ /include[ \t]*"/
      target = $0
      sub(/^[^"<]*["<]/, "", target)
      sub(/[">].*/, "", target)
      parts = split(target, to, "/")
      ours = to[1] ~ /^(lgn|cli|petsc|bench|tests|experiments|examples|python)$/ && parts > 1
      if (room != "" && !(room in rank)) violation(here " is in no known room")
      else if (depth > 4 && room != "" || subroom != "" && !(subroom in place)) violation(here " is in no known room")
      else if (target ~ /^CLI\// && here != "cli/command_line.cpp") violation("CLI11 stays behind cli/command_line.h")
      else if (quoted && !ours) violation("name our files by their full path, as in \"lgn/core/error.h\"")
      else if (!ours) next
      else if (target ~ /\.\./) violation("a path that climbs hides where it leads")
      else if (at[1] == "cli" && at[2] != "experiments" && (to[1] !~ /^(lgn|cli)$/ || target ~ /^cli\/experiments\//))
        violation("cli/ knows lgn/ and itself alone, without cli/experiments/")
      else if (at[1] == "cli" && to[1] !~ /^(lgn|cli)$/ && target !~ /^experiments\/(reproduction|comparison)\//)
        violation("cli/experiments/ knows lgn/, cli/, experiments/reproduction/ and experiments/comparison/ alone")
      else if (at[1] == "petsc" && to[1] !~ /^(lgn|cli|petsc)$/) violation("petsc/ knows lgn/, cli/ and itself alone")
      else if (at[1] == "python" && to[1] !~ /^(lgn|python)$/) violation("python/ knows lgn/ alone")
      else if (at[1] == "experiments" && to[1] !~ /^(lgn|experiments)$/)
        violation("experiments/ does not know who uses it")
      else if (target ~ /^experiments\/neural\// && here !~ /^experiments\/neural\//)
        violation("what needs libtorch is a program of its own")
      else if (at[1] == "lgn" && to[1] != "lgn") violation("lgn/ does not know who uses it")
      else if (to[1] == "lgn" && room != "") {
        if (target == "lgn/version.h") next
        if (parts == 2) violation("a room does not know the house")
        else if (!(to[2] in rank)) violation(to[2] " is no known room")
        else if (rank[to[2]] > rank[room]) violation(room " stands before " to[2])
        else if (parts > 4 || parts == 4 && !(to[2] "/" to[3] in place)) violation(target " is in no known room")
        else if (parts == 4 && subroom != "" && to[2] == room && place[to[2] "/" to[3]] > place[subroom])
          violation(subroom " stands before " to[2] "/" to[3])
      }
    }
    END { exit violations > 0 }'
}

trial=$(mktemp -d)
trap 'rm -rf "$trial"' EXIT

# plant allowed|forbidden FILE INCLUDE: the check must say so about a tree that holds this one file.
plant() {
  rm -rf "$trial/lgn" "$trial/cli" "$trial/petsc" "$trial/experiments" "$trial/python"
  mkdir -p "$trial/$(dirname "$2")"
  printf '// a comment\n%s\n' "$3" >"$trial/$2"
  if check "$trial" >"$trial/log"; then found=allowed; else found=forbidden; fi
  if [ "$found" != "$1" ]; then
    echo "the check itself is broken: '$3' in $2 came out $found, not $1" >&2
    exit 1
  fi
}

plant allowed   lgn/flow/a.cpp     '#include "lgn/flow/a.h"'
plant allowed   lgn/flow/a.cpp     '#include "lgn/core/error.h"'
plant allowed   petsc/a.cpp        '#include "cli/program.h"'
plant forbidden petsc/a.cpp        '#include "experiments/reproduction/laboratory.h"'
plant forbidden lgn/core/a.cpp     '#include "petsc/ranks.h"'
plant allowed   lgn/flow/a.cpp     '#include <Eigen/Dense>'
plant allowed   lgn/core/a.cpp     '#include "lgn/version.h"'
plant allowed   lgn/lgn.h          '#include "lgn/report/page.h"'
plant allowed   cli/fit.cpp        '#include "lgn/report/page.h"'
plant allowed   cli/fit.cpp        '#include "cli/commands.h"'
plant forbidden lgn/core/a.h       '#include "lgn/data/dataset.h"'
plant forbidden lgn/flow/a.cpp     '#include <lgn/identify/loss.h>'
plant forbidden lgn/flow/a.cpp     '  #  include "lgn/report/page.h"'
plant forbidden lgn/flow/in/a.cpp  '#include "lgn/report/page.h"'
plant forbidden lgn/flow/in/a.cpp  '#include "lgn/core/error.h"'
plant allowed   lgn/report/page/a.cpp '#include "lgn/report/text/tables.h"'
plant allowed   lgn/report/text/a.cpp '#include "lgn/report/figure.h"'
plant allowed   lgn/report/figure.cpp '#include "lgn/report/page/page.h"'
plant allowed   lgn/report/text/a.cpp '#include "lgn/data/arrays/npy.h"'
plant forbidden lgn/report/text/a.cpp '#include "lgn/report/page/page.h"'
plant forbidden lgn/report/attic/a.cpp '#include "lgn/core/error.h"'
plant forbidden lgn/report/text/a.cpp '#include "lgn/data/attic/npy.h"'
plant forbidden lgn/core/a.cpp     '#include "../flow/exponential.h"'
plant forbidden lgn/core/a.cpp     '#include "lgn/core/../flow/exponential.h"'
plant forbidden lgn/core/a.cpp     '#include "lgn/lgn.h"'
plant forbidden lgn/attic/a.cpp    '#include <vector>'
plant forbidden lgn/report/a.cpp   '#include "cli/commands.h"'
plant forbidden lgn/lgn.cpp        '#include "tests/support.h"'
plant forbidden cli/fit.cpp        '#include "bench/timer.h"'
plant forbidden cli/a.cpp          '#include "experiments/reproduction/results.h"'
plant forbidden cli/a.cpp          '#include "cli/experiments/commands.h"'
plant forbidden cli/a.cpp          '#include <CLI/CLI.hpp>'
plant allowed   cli/command_line.cpp '#include <CLI/CLI.hpp>'
plant allowed   cli/experiments/a.cpp '#include "cli/outputs.h"'
plant allowed   cli/experiments/a.cpp '#include "cli/experiments/commands.h"'
plant allowed   cli/experiments/a.cpp '#include "experiments/reproduction/results.h"'
plant allowed   cli/experiments/a.cpp '#include "experiments/comparison/comparison.h"'
plant forbidden cli/experiments/a.cpp '#include "experiments/varying/page.h"'
plant forbidden cli/experiments/a.cpp '#include "experiments/baselines/linear_id.h"'
plant allowed   python/bindings/a.h '#include "lgn/report/page.h"'
plant forbidden python/bindings/a.h '#include "cli/commands.h"'
plant allowed   experiments/a/a.h  '#include "lgn/report/page.h"'
plant forbidden experiments/a/a.h  '#include "cli/commands.h"'
plant allowed   experiments/neural/a.h '#include "experiments/neural/b.h"'
plant forbidden experiments/a/a.h  '#include "experiments/neural/b.h"'

root=${1:-$(dirname "$0")/../..}
if [ ! -d "$root/lgn" ]; then
  echo "no folder lgn/ in $root" >&2
  exit 1
fi
if ! check "$root"; then
  echo "includes must point one way: $ROOMS; a room uses the rooms before it, never one after" >&2
  exit 1
fi
echo "includes point one way"
