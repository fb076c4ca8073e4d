#!/bin/sh
# readme.sh: what README.md shows. Run from the top of the repository; $LGN is the program, build/lgn where it is not set.
set -eu
lgn() { "${LGN:-build/lgn}" "$@"; }
out=${TUTORIAL:-build/tutorial}
mkdir -p "$out"

# [fit]
lgn fit examples/air-track/real_linear_h_1.txt --columns trial,t,x,- -o "$out/cart.json" --report "$out/cart.html"

# [bell]
lgn generate bell --noise 1% -o "$out/bell.wav"
lgn fit "$out/bell.wav" -o "$out/bell.json" --quiet
lgn modes "$out/bell.json" | sed -n 5,10p
