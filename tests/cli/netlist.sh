# A netlist in ngspice gives the waveforms that the model gives.
. "$LGN_SOURCE/tests/cli/_check.sh"

if ! command -v ngspice >/dev/null; then
  [ "${PACKAGES:-yes}" = no ] || fail "ngspice is not installed; run scripts/install-packages test"
  skip "ngspice is not installed"
  exit 0
fi

# node NAME KIND STATE; element TYPE FROM TO VALUE: pieces of a network.
node() { printf '{"name":"%s","kind":"%s","state":%d,"velocity":null}' "$@"; }
element() {
  local to=null
  [ "$3" = ground ] || to="\"$3\""
  printf '{"type":"%s","from":"%s","to":%s,"value":%s,"se":0.01,"evidence":null}' "$1" "$2" "$to" "$4"
}
# network MODEL NODES ELEMENTS: puts a network into a model.
network() { sed -i "s|^  \"network\": null|  \"network\": {\"relative\":false,\"nodes\":[$2],\"elements\":[$3]}|" "$1"; }
joined() { local IFS=,; echo "$*"; }

# waveforms_agree MODEL NAME: ngspice's table is that of lgn simulate, both as long as the data. The netlist keeps the
# phase to 1e-6 of a radian; states are of order one.
waveforms_agree() {
  done_quietly lgn network "$1" --netlist "$2.cir"
  prints "network of"
  expect 0 ngspice -b "$2.cir"
  [ -s "$2.txt" ] || fail "ngspice wrote no $2.txt"
  done_quietly lgn simulate "$1" --t0 0 --t1 29.9 --dt 0.1 -o "$2.csv"
  equal "$(rows "$2.txt")" "$(rows "$2.csv")" "rows of both tables"
  tr , ' ' <"$2.csv" | paste -d ' ' "$2.txt" - | awk '
    NR > 1 { for (k = 1; k <= NF / 2; ++k) { d = $k - $(k + NF / 2); if (d < 0) d = -d; if (d > worst) worst = d } }
    END { print worst; exit !(NR == 301) }' >worst || fail "the tables do not match"
  below "$(cat worst)" 5e-6 "the largest difference of $2"
}

# A ladder with every kind of element: v1 at an open end, i3 to the ground, conductances at v2 and between v1 and v3.
lgn generate ladder --sections 3 --R 0.1,0.2,0.05 --L 0.5,2,1 --C 1,0.8,1.5 --seed 4 --truth ladder.json -o ladder.csv
nodes=$(joined "$(node v1 voltage 0)" "$(node i1 current 1)" "$(node v2 voltage 2)" "$(node i2 current 3)" \
  "$(node v3 voltage 4)" "$(node i3 current 5)")
elements=$(joined "$(element storage v1 ground 1)" "$(element storage i1 ground 0.5)" "$(element loss i1 ground 0.1)" \
  "$(element storage v2 ground 0.8)" "$(element storage i2 ground 2)" "$(element loss i2 ground 0.2)" \
  "$(element storage v3 ground 1.5)" "$(element storage i3 ground 1)" "$(element loss i3 ground 0.05)" \
  "$(element coupling i1 v1 1)" "$(element coupling v2 i1 1)" "$(element coupling i2 v2 1)" \
  "$(element coupling i2 v3 -1)" "$(element coupling v3 i3 -1)")
cp ladder.json model.json
network model.json "$nodes" "$elements"
waveforms_agree model.json ladder

# The same with conductances: the rows of v1, v2 and v3 change.
cp ladder.json leaky.json
sed -i -E 's|^  "A": .*|  "A": [[-0.3,-1,0,0,0.3,0],[2,-0.2,-2,0,0,0],[0,1.25,-0.5,-1.25,0,0],[0,0,0.5,-0.1,-0.5,0],[0.2,0,0,0.6666666666666666,-0.2,-0.6666666666666666],[0,0,0,0,1,-0.05]],|' leaky.json
network leaky.json "$nodes" "$(joined "$elements" "$(element loss v2 ground 0.4)" "$(element exchange v3 v1 0.3)")"
waveforms_agree leaky.json leaky

# A name that ngspice would misread.
done_quietly lgn network model.json --netlist 'an odd;name.cir'
expect 0 ngspice -b 'an odd;name.cir'
[ -s an_odd_name.txt ] || fail "ngspice wrote no an_odd_name.txt"
