# Finding a network: topology and values from data, rules about pairs, what is written, and what is refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

# elements MODEL [TYPE]: the elements of a model, a line each.
elements() { grep '^  "network"' "$1" | grep -oE "\"type\":\"${2:-}[^}]*"; }
# pairs MODEL: what couples, as --wiring writes it but for the order.
pairs() { elements "$1" | grep -v '"to":null' | sed -E 's/.*"from":"([^"]*)","to":"([^"]*)".*/\1 \2/' | ordered; }
ordered() { awk '$1 > $2 { print $2, $1; next } { print $1, $2 }' | sort -u; }
# wired MODEL EDGES: the wiring of the model is that of the file.
wired() { equal "$(pairs "$1")" "$(sed 1d "$2" | tr , ' ' | ordered)" "the wiring of $1"; }
# element NAME FIELD MODEL
element() { elements "$3" | grep -F "\"name\":\"$1\"" | grep -oE "\"$2\":[^,}]*" | sed 's/^[^:]*://'; }
# network SIZE TOPOLOGY [OPTION…]: TOPOLOGY.csv, .edges and .truth.
network() {
  local size=$1 topology=$2
  shift 2
  lgn generate network --topology "$topology" --size "$size" --spread 10 --noise 2% --trajectories 3 \
    -o "$topology.csv" --wiring "$topology.edges" --truth "$topology.truth" "$@"
}
but_for_seconds() { sed -E 's/"seconds":[^,}]*//; /^  "command":/d' "$1"; }

# A ladder: every C, L and R within four standard errors of the truth, with evidence where it could be absent.
network 5 ladder
done_quietly lgn fit ladder.csv --structure network -o model.json --graph g.dot --draw n.svg --netlist n.cir --report r.html
prints "structure network (guaranteed passive" "network of 5 voltages and 5 currents, 9 couplings, 5 losses" \
  "evidence: by how much" "coupling s of A – B" "v1 – i1" "-1 exactly" "C1 = " "L5 = " "R5 = " "pole [1/s]"
! grep -qE 'warning|relative|nan' "$out" || fail "a warning, relative values or nan"
wired model.json ladder.edges
holds model.json '"structure": "network"' '"relative":false' '"dissipative":true' '"converged":true'
equal "$(elements model.json storage | wc -l) $(elements model.json loss | wc -l)" "10 5" "storages and losses"
truth() { grep -oE "\"$1\":\[[^]]*" ladder.truth | sed 's/.*\[//' | cut -d , -f "$2"; }
for k in 1 2 3 4 5; do
  for name in C$k:storage:$((2 * k - 1)) L$k:storage:$((2 * k)) R$k:d:$((2 * k)); do
    IFS=: read -r name list place <<<"$name"
    value=$(element $name value model.json) se=$(element $name se model.json)
    below 0 "$se" "the standard error of $name"
    below "$(awk -v a="$value" -v b="$(truth $list $place)" -v s="$se" 'BEGIN { d = (a - b) / s; print d < 0 ? -d : d }')" \
      4 "the error of $name in standard errors"
  done
  below 100 "$(element R$k evidence model.json)" "the evidence for R$k"
  equal "$(element C$k evidence model.json)" null "a storage cannot be absent"
done
equal "$(elements model.json coupling | grep -c '"value":-1.0,"se":0.0,"evidence":[1-9]')" 9 "exact couplings with evidence"
holds g.dot 'graph network {' '"v1" -- "i1"'
equal "$(grep -c -e ' -- ' g.dot)" 9 "edges of the graph"
holds n.svg '<svg xmlns' '</svg>' 'L5: inductance'
holds n.cir 'C1 n1 0' 'R5 x5 0' '.tran 0.1 29.9 ' '.end'
holds r.html '<h2>Network</h2>' 'L5: inductance'
lgn fit ladder.csv --structure network | sed -n '/^network of/,/^$/p' >tables
done_quietly lgn network model.json --graph g.graphml
equal "$(sed -n '/^network of/,/^$/p' "$out")" "$(cat tables)" "the tables of fit and of network"
equal "$(grep -c '<edge ' g.graphml)" 9 "edges of the graph"

# The same data, the same model; and the model reads back to itself.
done_quietly lgn fit ladder.csv --structure network -o again.json --quiet
equal "$(but_for_seconds again.json)" "$(but_for_seconds model.json)" "the same fit twice"
done_quietly lgn modes model.json --json
equal "$(cat "$out")" "$(cat model.json)" "the model read back"

# The program comes to it by itself, and says so.
done_quietly lgn fit ladder.csv -o auto.json
grep -qE '^network .*→ chosen' "$out" || fail "the arrow is not at network"
prints "not tried: a simpler one explains the data" "network of 5 voltages"
grep -qE '"structure":"network",[^}]*"chosen":true,"verdict":"chosen"' auto.json || fail "no verdict in the model"
wired auto.json ladder.edges

# Names that say nothing: a network of relative values, until --kinds says what they are.
sed '1s/.*/trajectory,t,a,b,c,d,e,f,g,h,k,l/' ladder.csv >plain.csv
sed 'y/vi/xx/; s/x1,x1/a,b/; s/x1,x2/b,c/; s/x2,x2/c,d/; s/x2,x3/d,e/; s/x3,x3/e,f/; s/x3,x4/f,g/; s/x4,x4/g,h/
  s/x4,x5/h,k/; s/x5,x5/k,l/' ladder.edges >plain.edges
done_quietly lgn fit plain.csv --structure network -o plain.json
prints "network of 10 states, 9 couplings, 5 losses" "values are relative" "m1 = 1 by choice" "s9-10"
! grep -q plain "$out" || fail "a column that says nothing"
wired plain.json plain.edges
done_quietly lgn fit plain.csv --structure network --kinds v,i,voltage,current,v,i,v,i,v,i -o kinds.json
prints "C1 = " "L5 = " "R5 = "
wired kinds.json plain.edges
equal "$(element R5 value kinds.json)" "$(element R5 value model.json)" "R5 by another name"

# Rings and trees of states, which share a unit: no storages.
for topology in ring tree; do
  network 8 $topology
  done_quietly lgn fit $topology.csv --structure network -o $topology.json --draw $topology.svg
  wired $topology.json $topology.edges
  equal "$(elements $topology.json storage)" "" "storages of a $topology"
  holds $topology.svg "</svg>"
done

# Masses and springs, asked for or seen by the names.
network 4 chain
done_quietly lgn fit chain.csv --structure mechanical -o chain.json
prints "structure mechanical" "network of 4 masses, 5 springs, 4 dampers" "values are relative" "m1 = 1 by choice" \
  "spring to ground" "damper to ground" "k1-2" stiffness
wired chain.json chain.edges
holds chain.json '"structure": "mechanical"' '"relative":true' '"kind":"position","state":0,"velocity":4'
done_quietly lgn fit chain.csv --structure network -o network.json --quiet
equal "$(but_for_seconds network.json)" "$(but_for_seconds chain.json)" "a network of positions and velocities"
refused '"q1" is neither a voltage nor a current' lgn fit chain.csv --structure mechanical --netlist chain.cir

# Too few samples to decide.
sed -n 1,30p ladder.csv >short.csv
not_identified "too few to decide which of 45 pairs couple; measure longer" \
  lgn fit short.csv --structure network -o none.json --graph none.dot

# With the wiring given they are enough for its values.
expect 0 lgn fit short.csv --edges ladder.edges -o short.json
wired short.json ladder.edges

# A pattern is the wiring.
sed '/^v3,i3/d' ladder.edges >gap.edges
expect 0 lgn fit ladder.csv --edges gap.edges -o gap.json
wired gap.json gap.edges
prints "structure network" "warning [poor-fit]"
done_quietly lgn fit ladder.csv --structure network --edges - -o given.json <ladder.edges
wired given.json ladder.edges
expect 0 lgn fit ladder.csv --structure network --require v1:v5,i1:i5 -o more.json
equal "$(pairs more.json | grep -cxE 'v1 v5|i1 i5')" 2 "required pairs"
expect 0 lgn fit ladder.csv --structure network --forbid i2:v3 -o less.json
! pairs less.json | grep -qx "i2 v3" || fail "a pair that is forbidden"
echo "v3,i2,forbid" >rules
expect 0 lgn fit ladder.csv --structure network --edges rules -o rules.json
equal "$(pairs rules.json)" "$(pairs less.json)" "a rule of the file and of the option"

# Every state coupled with every other: no network, and the dense structure instead.
lgn generate random --states 20 --trajectories 3 --noise 2% -o dense.csv
done_quietly lgn fit dense.csv --structure network -o dense.json
prints "structure sd" "warning [not-sparse]" "of all pairs couple"
grep -qE '^sd .*→ chosen' "$out" || fail "the arrow is not at sd"
holds dense.json '"code":"not-sparse"' '"network": null'
refused "dense.json: the model has no network: 98% of all pairs couple" lgn network dense.json
done_quietly lgn fit dense.csv -o auto.json
grep -qE '^network .*not sparse: 9[0-9]% of all pairs couple' "$out" || fail "no verdict on the network"
grep -qE '^sd .*→ chosen' "$out" || fail "the arrow is not at sd"
! grep -q 'warning' "$out" || fail "a warning about a network that nobody asked for"
holds auto.json '"verdict":"not sparse: '
refused "auto.json: the model has no network: not sparse: " lgn network auto.json --draw none.svg

# What is refused leaves nothing behind.
fit="lgn fit ladder.csv -o none.json --report none.html --draw none.svg --structure"
edges() { printf "$1" >bad.edges; }
edges 'v1,i1\ni1,v2\nv2,j2\n'
refused 'bad.edges:3:4: no channel "j2"; did you mean "v2" or "i2"?' $fit network --edges bad.edges
edges 'v1,i1\nv1,v1\n'
refused 'bad.edges:2:4: "v1" with itself is no pair' $fit network --edges bad.edges
edges 'v1,i1\ni1,v1,forbid\n'
refused 'bad.edges:2:1: the pair "i1", "v1" stands on line 1, as edge' $fit network --edges bad.edges
edges ''
refused 'bad.edges' $fit network --edges bad.edges
refused 'absent: cannot read it' $fit network --edges absent
channels="v1 i1 v2 i2 v3 i3 v4 i4 v5 i5"
for a in $channels; do for b in $channels; do [[ $a < $b ]] && echo "$a $b forbid"; done; done >every.edges
refused "every pair is forbidden" $fit network --edges every.edges
refused 'the structure "sd" has no pairs' lgn fit ladder.csv --structure sd --edges ladder.edges -o none.json
refused 'the structure "sd" has no pairs' lgn fit ladder.csv --structure sd --require v1:i1 -o none.json
refused "required and forbidden" $fit network --require v1:i1 --forbid i1:v1
refused '--forbid "v1:i9": no channel "i9"; did you mean' $fit network --forbid v1:i9
refused '--require does not understand "v1"; write two channels as NAME:NAME' $fit network --require v1
refused "9 kinds for 10 channels" $fit network --kinds v,i,v,i,v,i,v,i,v
refused 'unknown kind of channel "z"; kinds are voltage' $fit network --kinds v,i,v,i,v,i,v,i,v,z
refused "needs as many velocities as positions; 0 of 10 channels are positions" $fit mechanical
refused "needs as many velocities as positions; 3 of 8 channels are positions" \
  lgn fit ring.csv --structure mechanical --kinds q,q,q,v,v,v,v,v
refused "none.png: a graph cannot be written as this; end the name in .dot or .graphml" $fit network --graph none.png
refused '"x1" is neither a voltage nor a current' lgn fit ring.csv --structure network -o none.json --netlist none.cir
refused 'the structure "sd" is no network to write or draw' $fit sd
refused "two outputs" $fit network --graph ./none.dot --netlist none.dot
refused "replace an input" $fit network --edges ladder.edges --netlist ladder.edges
refused "replace an input" $fit network --edges rules --netlist ./rules
