#!/bin/sh
# varying.sh: an oscillator whose damping is modulated, its law found from the first 20 s, and how it predicts the next 80.
# docs/time-varying.md shows it. Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/demo}
mkdir -p "$out"

# [fit]
lgn generate ltv-oscillator --t1 20 --noise 1% -o "$out/modulated.csv"
lgn fit "$out/modulated.csv" -o "$out/modulated.json" --report "$out/modulated.html"

# [beyond]
lgn generate ltv-oscillator --t1 100 -o "$out/truth.csv"
for seed in 1 2 3 4 5; do
  lgn generate ltv-oscillator --t1 20 --noise 1% --seed $seed | lgn fit - --quiet -o "$out/seed.json"
  lgn simulate "$out/seed.json" --times "$out/truth.csv" -o "$out/prediction.csv"
  paste -d , "$out/truth.csv" "$out/prediction.csv" | awk -F, -v seed=$seed '20 <= $1 && NR > 1 {
      error += ($2 - $5) ^ 2 + ($3 - $6) ^ 2; size += $2 ^ 2 + $3 ^ 2
    } END { printf "seed %d: NRMSE %.1e over 20 <= t < 100\n", seed, sqrt(error / size) }'
done
