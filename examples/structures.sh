#!/bin/sh
# structures.sh: what --structure auto makes of systems of five kinds, and methods side by side. docs/structures.md
# shows it. Run from the top of the repository; $LGN is the program; build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }

# [conserves]
lgn generate oscillator --noise 1% | lgn fit - | head -n 1

# [units]
lgn generate ladder --L 2,1,0.5 --C 1,3,1 --trajectories 3 --noise 1% | lgn fit - | head -n 1

# [position]
lgn generate rlc --omega 3 --gamma 0.2 --noise 1% | lgn fit - | head -n 1

# [topology]
lgn generate mass-spring --masses 4 --trajectories 3 --noise 1% | lgn fit - | head -n 1

# [varies]
lgn generate ltv-oscillator --t1 20 --noise 1% | lgn fit - | head -n 1

# [compare]
lgn compare examples/ringdown.csv --methods skew,sd,metric,full,linear-id --format markdown | sed 's/[^|]*|$//'

# [law]
lgn generate rlc --omega 3 --gamma 0.2 --noise 1% | lgn fit - --structure parametric:rlc | sed -n '3,4p'
