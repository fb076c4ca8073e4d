#!/bin/sh
# sensors.sh: what one sensor tells of three masses between walls, and where it tells too little. docs/sensors.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [data]
lgn generate mass-spring --masses 3 --damping 0.05 --noise 1% --t1 120 --dt 0.2 -o "$out/masses.csv" --truth "$out/masses.json"
head -n 1 "$out/masses.csv"

# [one]
lgn fit "$out/masses.csv" --channels q1 --quiet -o "$out/one.json"
lgn modes "$out/one.json" --truth "$out/masses.json"

# [middle]
lgn fit "$out/masses.csv" --channels q2

# [velocity]
lgn fit "$out/masses.csv" --channels v1 --quiet -o "$out/velocity.json"
lgn modes "$out/velocity.json" --truth "$out/masses.json"

# [strain]
awk -F, 'NR == 1 { print "t,stretch"; next } { print $1 "," $3 - $2 }' "$out/masses.csv" >"$out/strain.csv"
lgn fit "$out/strain.csv" --quiet -o "$out/strain.json"
lgn modes "$out/strain.json" --truth "$out/masses.json"

# [shapes]
lgn fit "$out/masses.csv" --channels q1,q2,q3 --quiet -o "$out/three.json"
lgn modes "$out/three.json" --shapes

# [all]
lgn fit "$out/masses.csv" --structure mechanical
