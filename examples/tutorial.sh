#!/bin/sh
# tutorial.sh: from a file of measurements to a table for a paper. docs/tutorial.md walks through it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [look]
cart=examples/air-track/real_linear_h_1.txt
head -n 4 $cart
lgn inspect $cart --columns trial,t,x,v

# [both]
lgn fit $cart --columns trial,t,x,v

# [computed]
awk '2 <= NR && NR <= 6 { if (t) printf "%.9f\n", ($4 - v) / ($2 - t); t = $2; v = $4 }' $cart

# [try]
lgn fit $cart --columns trial,t,x,- --holdout 0.2 -o "$out/trial.json"

# [fit]
lgn fit $cart --columns trial,t,x,- --states 2 -o "$out/model.json" --report "$out/report.html"

# [check]
lgn evaluate "$out/model.json" $cart --columns trial,t,x,- --x0-samples 300

# [predict]
lgn simulate "$out/model.json" --t1 60 --dt 0.5 -o "$out/prediction.csv"
tail -n 1 "$out/prediction.csv"

# [table]
lgn modes "$out/model.json" --format latex
lgn modes "$out/model.json" --format csv >"$out/modes.csv"
