#!/bin/sh
# An oscillator whose damping is modulated, its law found from the first 20 s, and its prediction of the next 80.
# Run from the top of the repository: sh examples/varying.sh
set -eu
lgn=${LGN:-build/lgn}
folder=build/demo
mkdir -p $folder

run() {
  printf '$ lgn %s\n' "$*"
  "$lgn" "$@"
  echo
}

run generate ltv-oscillator --t1 20 --noise 1% -o $folder/modulated.csv
"$lgn" generate ltv-oscillator --t1 100 -o $folder/later.csv
run fit $folder/modulated.csv -o $folder/modulated.json --report $folder/modulated.html
run evaluate $folder/modulated.json $folder/later.csv --x0 measured
