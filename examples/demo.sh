#!/bin/sh
# demo.sh: from a file of noisy measurements to the physics of the system that made them.
# $LGN is the program; build/lgn where it is not set.
set -eu
cd "$(dirname "$0")/.."
lgn=${LGN:-build/lgn}
mkdir -p build/demo

echo "\$ lgn fit examples/ringdown.csv -o build/demo/model.json"
"$lgn" fit examples/ringdown.csv -o build/demo/model.json
echo
echo "\$ lgn modes build/demo/model.json"
"$lgn" modes build/demo/model.json
