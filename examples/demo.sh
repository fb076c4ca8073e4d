#!/bin/sh
# demo.sh: from a file of noisy samples, simulated, to the physics of the circuit that made them.
# $LGN is the program; build/lgn where it is not set.
#
# examples/ringdown.csv was made by the first command below: the voltages and currents of a three-section RLC
# ladder after its first capacitor was charged, with 5% noise.
set -eu
cd "$(dirname "$0")/.."
lgn=${LGN:-build/lgn}
out=build/demo
mkdir -p "$out"

show() {
  printf '\n$ lgn %s\n' "$*"
  "$lgn" "$@"
}

show generate ladder --sections 3 --t1 60 --dt 0.2 --noise 5% --x0 e1 --seed 1 \
  -o "$out/ringdown.csv" --truth "$out/truth.json"
show fit examples/ringdown.csv -o "$out/model.json" --report "$out/report.html"
printf '\nThe same modes beside those of the circuit:\n'
show modes "$out/model.json" --truth "$out/truth.json"
printf '\nThe report is at %s\n' "$out/report.html"
