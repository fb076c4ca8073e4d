#!/bin/sh
# tutorial.sh: from a file of measurements to a table for a paper. docs/tutorial.md walks through it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [look]
head -n 3 examples/ringdown.csv

# [try]
lgn fit examples/ringdown.csv --holdout 0.2 -o "$out/trial.json"

# [fit]
lgn fit examples/ringdown.csv --structure sd --bootstrap 500 -o "$out/model.json" --report "$out/report.html"

# [check]
lgn evaluate "$out/model.json" examples/ringdown.csv

# [predict]
lgn simulate "$out/model.json" --t1 150 --dt 0.5 -o "$out/prediction.csv"
tail -n 1 "$out/prediction.csv"

# [table]
lgn modes "$out/model.json" --format latex
lgn modes "$out/model.json" --format csv >"$out/modes.csv"
