#!/bin/sh
# trouble.sh: symptoms and what they come from. docs/troubleshooting.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [short]
awk -f examples/linear.awk A="0 10; -10 -0.1" x0="1 0" C="1 0" t1=2 dt=0.02 names="x" noise=0.05 /dev/null >"$out/short.csv"
lgn fit "$out/short.csv" --states 2 | grep "^-"
lgn plan --mode 1.5915Hz,0.005 --duration 2s --rate 50Hz --noise 7% --want "zeta<5%" --quiet | sed -n '/wanted/,$p'

# [beating]
awk -f examples/linear.awk A="0 10 0 0; -10 -0.04 0 0; 0 0 0 10.3; 0 0 -10.3 -0.04" x0="1 0 1 0" C="1 0 1 0" t1=60 dt=0.05 names="x" noise=0.02 /dev/null >"$out/beating.csv"
lgn fit "$out/beating.csv" | grep "^-"

# [drift]
awk -f examples/linear.awk A="0 10; -10 -0.04" vary="2 1 0.03 0.05" x0="1 0" t1=30 dt=0.05 names="x v" noise=0.01 /dev/null >"$out/drift.csv"
lgn fit "$out/drift.csv" --structure metric | grep -e warning -e "fit error [0-9]"
lgn fit "$out/drift.csv" --structure ltv-full --basis spline | grep -e warning -e "fit error [0-9]"
