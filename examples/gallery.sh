#!/bin/sh
# gallery.sh: a report of each kind of record. docs/gallery.md shows them; scripts/docs puts them into the site.
# Run from the top of the repository; $LGN is the program, build/lgn where it is not set; reports go to $GALLERY (build/gallery).
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
gallery=${GALLERY:-build/gallery}
mkdir -p "$gallery"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# [cart]
lgn fit examples/air-track/real_linear_h_1.txt --columns trial,t,x,- --holdout 0.2 --quiet --report "$gallery/cart.html"

# [ringdown]
lgn fit examples/ringdown.csv --quiet --report "$gallery/ringdown.html"

# [hidden]
lgn generate mass-spring --masses 3 --noise 1% --t1 120 --dt 0.2 -o "$data/masses.csv"
lgn fit "$data/masses.csv" --channels q1,q2 --quiet --report "$gallery/hidden.html"

# [driven]
lgn generate mass-spring --masses 2 --damping 0.2 --input random --noise 5% --t1 200 --dt 0.2 -o "$data/push.csv"
lgn fit "$data/push.csv" --channels q1,q2 --states 4 --hold zoh --quiet --report "$gallery/driven.html"

# [ambient]
lgn generate tower --noise 5% --t1 500 -o "$data/tower.csv"
lgn fit "$data/tower.csv" --quiet --report "$gallery/ambient.html"

# [network]
lgn generate ladder --sections 4 --C 1,0.5,2,0.8 --L 1.2,0.6,3,0.4 --R 0.1,0.05,0.3,0.2 --trajectories 3 --noise 5% -o "$data/circuit.csv"
lgn fit "$data/circuit.csv" --structure network --quiet --report "$gallery/network.html"

# [varying]
lgn generate ltv-oscillator --t1 40 --noise 1% -o "$data/modulated.csv"
lgn fit "$data/modulated.csv" --quiet --report "$gallery/varying.html"

# [nonlinear]
lgn generate duffing --trajectories 2 --t1 20 --noise 1% -o "$data/duffing.csv"
lgn fit "$data/duffing.csv" --structure nonlinear --quiet --report "$gallery/nonlinear.html"

# [design]
lgn generate mass-spring --masses 2 --damping 0.05 --input chirp --noise 2% --t1 100 -o "$data/shaken.csv"
lgn fit "$data/shaken.csv" --structure mechanical --quiet -o "$data/shaken.json"
lgn design "$data/shaken.json" --free k2,c2,m2 --bounds "k2=0.05:2,c2=0.01:1,m2=0.1:0.5" --minimise "peak(q1/u)" --quiet \
  --report "$gallery/design.html"

# [warned]
lgn generate ladder --sections 3 --t1 8 --dt 2 --noise 20% -o "$data/coarse.csv"
lgn fit "$data/coarse.csv" --structure full --quiet --report "$gallery/warned.html"
