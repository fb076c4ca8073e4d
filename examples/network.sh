#!/bin/sh
# network.sh: from noisy waveforms to the circuit that made them: its topology and every element. docs/wiring.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
#
# The first command says what is true: four sections with these capacitors, inductors and resistors. The second is told
# nothing but the waveforms.
set -eu
cd "$(dirname "$0")/.."
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/demo}
mkdir -p "$out"

# [circuit]
lgn generate ladder --sections 4 --C 1,0.5,2,0.8 --L 1.2,0.6,3,0.4 --R 0.1,0.05,0.3,0.2 --trajectories 3 --noise 5% -o "$out/circuit.csv"
lgn fit "$out/circuit.csv" --structure network -o "$out/circuit.json" --quiet
lgn network "$out/circuit.json" --draw "$out/network.svg" --netlist "$out/circuit.cir"
