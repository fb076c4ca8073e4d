#!/bin/sh
# preparing.sh: what cutting, detrending, windows and filters do to a damping ratio. docs/preparing.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [data]
awk -f examples/linear.awk A="0 1 0 0; -100 -0.2 0 0; 0 0 0 1; 0 0 -784 -0.9" x0="1 0 0.5 0" C="1 0 1 0" t1=30 dt=0.02 \
  names="x" noise=0.01 /dev/null >"$out/clean.csv"
lgn fit "$out/clean.csv" | grep "^-"

# [trigger]
awk -F, 'NR == 1 { print; for (k = 0; k < 300; k++) print k * 0.02 "," 0.01 * sin(37 * k * k); next } { print $1 + 6 "," $2 }' "$out/clean.csv" >"$out/late.csv"
lgn fit "$out/late.csv" --states 4 --begin all | grep -e warning -e "^-"
lgn fit "$out/late.csv" --states 4 | grep "^-"

# [offset]
awk -F, 'NR == 1 { print; next } { print $1 "," $2 + 3 }' "$out/clean.csv" >"$out/offset.csv"
lgn fit "$out/offset.csv" | grep -e "^offset" -e "^-"

# [window]
awk -F, 'NR == 1 { print; next } { print $1 "," $2 * exp(-$1 / 2) }' "$out/clean.csv" | lgn fit - --states 4 | grep "^-"

# [narrow]
awk -F, 'NR == 1 { print; next } { y = 1.946 * a - 0.9866 * b + 0.04 * $2; b = a; a = y; print $1 "," y }' "$out/clean.csv" >"$out/narrow.csv"
lgn fit "$out/narrow.csv" --states 4 | grep -e warning -e "^-"
lgn fit "$out/narrow.csv" --states 6 | grep -e warning -e "^-"

# [runs]
lgn generate rlc --omega 10 --gamma 0.2 --noise 5% --t1 3 --dt 0.02 --seed 1 -o "$out/tap1.csv"
lgn generate rlc --omega 10 --gamma 0.2 --noise 5% --t1 3 --dt 0.02 --seed 2 -o "$out/tap2.csv"
lgn generate rlc --omega 10 --gamma 0.2 --noise 5% --t1 3 --dt 0.02 --seed 3 -o "$out/tap3.csv"
lgn fit "$out/tap1.csv" | grep "^-"
lgn fit "$out/tap1.csv" "$out/tap2.csv" "$out/tap3.csv" | grep "^-"
