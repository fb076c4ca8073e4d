#!/bin/sh
# plan.sh: what a measurement will tell, before it is made. docs/planning.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [modes]
lgn plan --mode 3.2Hz,0.01 --mode 7Hz,0.02 --duration 6s --rate 40Hz --noise 5% --want "zeta<1%" --quiet

# [sensors]
lgn plan --mode 3.2Hz,1%,1,0.2,0.6 --mode 7Hz,2%,0.3,1,-0.8 --sensors y1 --noise 5% --figure "$out/plan.svg" --quiet

# [driven]
lgn generate mass-spring --masses 2 --damping 0.2 --input random --noise 5% --t1 60 --dt 0.2 -o "$out/short.csv"
lgn fit "$out/short.csv" --channels q1,q2 --states 4 --hold zoh --quiet -o "$out/short.json" >"$out/short.txt"
lgn plan "$out/short.json" --sensors q1 --want "zeta<1%" --quiet
