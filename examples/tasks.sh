#!/bin/sh
# tasks.sh: four tasks from the file to the answer. docs/tasks.md shows them.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [scope_data]
{ printf 'Model,Scope\r\nSample Interval,2.000000E-06,s\r\nVertical Units,V,V\r\n\r\nTIME,CH1,CH2\r\n'
  awk -f examples/linear.awk A="0 -1e5; 1e4 -1.2e4" x0="5 0" t1=1e-3 dt=2e-6 names="CH1 CH2" noise=0.02 /dev/null | sed 1d
} >"$out/scope.csv"
head -n 7 "$out/scope.csv"

# [scope_look]
lgn inspect "$out/scope.csv"

# [scope_fit]
lgn fit "$out/scope.csv" --scale CH2=1/10 --structure network --kinds voltage,current -o "$out/scope.json"

# [tower_data]
lgn generate tower --noise 5% -o "$out/tower.csv" --truth "$out/tower-truth.json"

# [tower_fit]
lgn inspect "$out/tower.csv"
lgn fit "$out/tower.csv" -o "$out/tower.json" --report "$out/tower.html" --quiet

# [tower_shapes]
lgn modes "$out/tower.json" --shapes

# [tower_truth]
lgn modes "$out/tower.json" --truth "$out/tower-truth.json"

# [circuit_data]
lgn generate ladder --sections 4 --C 1,0.5,2,0.8 --L 1.2,0.6,3,0.4 --R 0.1,0.05,0.3,0.2 --trajectories 3 --noise 5% -o "$out/circuit.csv"

# [circuit_fit]
lgn fit "$out/circuit.csv" --structure network -o "$out/circuit.json" --quiet
lgn network "$out/circuit.json"

# [circuit_design]
lgn design "$out/circuit.json" --free "R*" --bounds "R*=0.02:10" --target "zeta>=0.2" --minimise "sum(R*)" -o "$out/better.json"

# [circuit_netlist]
lgn network "$out/better.json" --netlist "$out/better.cir" >"$out/better.txt"
grep "^[CLR][0-9]" "$out/better.cir"

# [bell_data]
lgn generate bell --noise 1% -o "$out/bell.wav" --truth "$out/bell-truth.json"

# [bell_fit]
lgn fit "$out/bell.wav" -o "$out/bell.json"

# [bell_modes]
lgn modes "$out/bell.json" --truth "$out/bell-truth.json"
