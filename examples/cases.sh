#!/bin/sh
# cases.sh: five systems as engineers meet them, each simulated, and the structure that fits. docs/structures.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [cantilever]
awk -f examples/linear.awk A="0 75.4 0 0 0 0; -75.4 -1.2 0 0 0 0; 0 0 0 472.5 0 0; 0 0 -472.5 -5.7 0 0; 0 0 0 0 0 1323; 0 0 0 0 -1323 -18.5" \
  x0="1 0 0.6 0 0.4 0" C="1 0 1 0 1 0; 0.34 0 -0.71 0 0.2 0" t1=0.75 dt=0.001 names="tip middle" noise=0.01 /dev/null >"$out/cantilever.csv"
lgn fit "$out/cantilever.csv"

# [board]
lgn generate ladder --sections 3 --C 1e-6,4.7e-7,2.2e-6 --L 1e-5,2.2e-5,1e-5 --R 0.05,0.2,0.1 --x0 e1 --t1 2e-4 --dt 2e-7 --noise 1% -o "$out/board.csv"
lgn fit "$out/board.csv" --structure network

# [thermal]
awk -f examples/linear.awk A="-0.04 0.04 0; 0.01 -0.0175 0.0075; 0 0.0125 -0.0191667" x0="40 10 0" offset="20 20 20" \
  t1=1200 dt=2 names="T1 T2 T3" noise=0.05 /dev/null >"$out/cooling.csv"
lgn fit "$out/cooling.csv" --structure network

# [rotor]
awk -f examples/linear.awk A="0 1; -4 -0.08" vary="2 1 0.2 1.4" x0="1 0" t1=30 dt=0.05 names="q v" noise=0.005 /dev/null >"$out/rotor.csv"
lgn fit "$out/rotor.csv" --structure ltv-full

# [swing]
awk -f examples/linear.awk A="0 0 0 1 0 0; 0 0 0 0 1 0; 0 0 0 0 0 1; -4.66667 3.33333 1.33333 -0.1 0 0; 5 -8.75 3.75 0 -0.1 0; 4 7.5 -11.5 0 0 -0.15" \
  x0="0.1 -0.05 0.2 0 0 0" t1=20 dt=0.02 names="d1 d2 d3 w1 w2 w3" noise=0.001 /dev/null >"$out/swing.csv"
lgn fit "$out/swing.csv" --structure mechanical --kinds position,position,position,velocity,velocity,velocity
