#!/bin/sh
# design.sh: from noisy waveforms of a circuit to a better circuit, which ngspice confirms. docs/design.md shows it.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set. Needs ngspice and python3.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"
command -v ngspice >"$out/ngspice.txt" || { echo "design.sh: ngspice is not installed" >&2 && exit 0; }
# waveforms NETLIST NAME: what ngspice makes of it, as $out/NAME.csv.
waveforms() {
  (cd "$out" && ngspice -b "$1" >"$2.log" 2>&1)
  sed -E '1s/time/t/; s/^ +//; s/ +$//; s/ +/,/g' "$out/$2.txt" >"$out/$2.csv"
}
# noisy NAME: the same with noise of 3% of each column's size.
noisy() {
  /usr/bin/python3 - "$out/$1.csv" >"$out/$1-noisy.csv" <<'end'
import random, sys
head, *rows = [line.rstrip("\n").split(",") for line in open(sys.argv[1])]
normal = random.Random(1).gauss
sizes = [(sum(float(row[k]) ** 2 for row in rows) / len(rows)) ** 0.5 for k in range(len(head))]
print(",".join(head))
for row in rows:
    print(",".join([row[0]] + [f"{float(v) + 0.03 * s * normal(0, 1):.6e}" for v, s in zip(row[1:], sizes[1:])]))
end
}
# damping NAME: the damping ratios of a model.
damping() {
  /usr/bin/python3 - "$out/$1.json" <<'end'
import json, sys
print("damping ratios:", *(f"{m['damping_ratio']:.4f}" for m in json.load(open(sys.argv[1]))["modes"] if m["im"] > 0))
end
}
cat >"$out/filter.cir" <<'end'
* a filter that rings
C1 n1 0 1u ic=5
L1 n1 x1 1m ic=0
R1 x1 n2 2.2
C2 n2 0 1u ic=-2
L2 n2 x2 1m ic=50m
R2 x2 n3 2.2
C3 n3 0 1u ic=1
L3 n3 x3 1m ic=-20m
R3 x3 0 2.2
.options method=trap reltol=1e-6 abstol=1e-12 vntol=1e-9 chgtol=1e-18 trtol=1
.tran 1.25u 0.5m 0 0.25u uic
.control
set wr_singlescale
set wr_vecnames
set numdgt=12
run
linearize v(n1) v(n2) v(n3) i(L1) i(L2) i(L3)
wrdata filter.txt v(n1) v(n2) v(n3) i(L1) i(L2) i(L3)
quit
.endc
.end
end

# [waveforms]
waveforms filter.cir filter
noisy filter
lgn fit "$out/filter-noisy.csv" --structure network --quiet -o "$out/filter.json" >"$out/filter-modes.txt"
lgn network "$out/filter.json"

# [design]
lgn design "$out/filter.json" --free "R*" --bounds "R*=1:200" --target "zeta>=0.2" --minimise "sum(R*)" \
  --robust --series E24 -o "$out/better.json" --report "$out/better.html" --figures "$out/plots"

# [confirm]
lgn network "$out/better.json" --netlist "$out/better.cir" >"$out/better-network.txt"
waveforms better.cir better
lgn fit "$out/better.csv" --structure network --quiet -o "$out/confirmed.json"
damping confirmed
