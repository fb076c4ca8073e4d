#!/bin/sh
# response.sh: two masses pushed by a known force, and what the model found says about the next push. docs/responses.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [data]
lgn generate mass-spring --masses 2 --damping 0.2 --input random --noise 5% --t1 200 --dt 0.2 -o "$out/push.csv"
head -n 2 "$out/push.csv"

# [fit]
lgn fit "$out/push.csv" --channels q1 --states 4 --hold zoh --quiet -o "$out/push.json" >"$out/push.txt"
lgn response "$out/push.json"

# [files]
lgn response "$out/push.json" "$out/push.csv" --bode "$out/bode.svg" --step "$out/step.svg"
lgn response "$out/push.json" "$out/push.csv" --bode "$out/bode.csv" --step "$out/step.csv"
head -n 2 "$out/bode.csv"
