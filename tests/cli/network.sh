# A model's network: tables, graphs, drawings.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --truth none.json -o data.csv
for option in "" "--graph g.dot" "--netlist n.cir" "--draw n.svg"; do
  refused "none.json: the model has no network; find one with lgn fit --structure network" lgn network none.json $option
done

nodes='{"name":"q","kind":"voltage","state":0,"velocity":null},{"name":"p","kind":"current","state":1,"velocity":null}'
elements='{"type":"storage","from":"q","to":null,"value":2,"se":0.01,"evidence":null},
  {"type":"storage","from":"p","to":null,"value":0.5,"se":null,"evidence":null},
  {"type":"loss","from":"p","to":null,"value":0.25,"se":0.003,"evidence":61.25},
  {"type":"coupling","from":"q","to":"p","value":1,"se":0,"evidence":812.5}'
# model NODES ELEMENTS [RELATIVE]: model.json with that network.
model() {
  local text="{\"relative\":${3:-false},\"nodes\":[$1],\"elements\":[$2]}"
  awk -v text="$(echo "$text" | tr -d '\n')" '/^  "network"/ { $0 = "  \"network\": " text "," } 1' none.json >model.json
}

model "$nodes" "$elements"
done_quietly lgn network model.json
prints "network of 1 voltage and 1 current, 1 coupling, 1 loss" "C1 = 2.000 ± 0.010" "L1 = 0.5" "R1 = 0.2500 ± 0.0030" \
  61.2 "s_q-p" "q – p" "1 exactly" 812.5
! grep -q relative "$out" || fail "values are not relative here"
done_quietly lgn network - <model.json
prints "C1 = 2.000"
model "$nodes" "$elements" true
done_quietly lgn network model.json
prints "values are relative"
# The model keeps its network.
done_quietly lgn modes model.json --json
grep -q '^  "network": {"relative":true,"nodes":\[{"name":"q","kind":"voltage","state":0,' "$out" || fail "no network"
prints '"name":"C1","quantity":"capacitance","from":"q","to":null,"value":2.0,"se":0.01,"evidence":null}'

# Every output, alone and together; nothing else on standard output where one goes there.
model "$nodes" "$elements"
done_quietly lgn network model.json --graph g.dot --netlist n.cir --draw n.svg
prints "network of"
holds g.dot 'graph network {' '"q" -- "p"' 'value="1"' 'storage="2"' 'loss="0.25"'
holds n.cir 'C1 n1 0 2 ic=' '.tran ' 'wrdata n.txt'
holds n.svg '<svg xmlns' '</svg>' 'L1: inductance 0.5' 'R1: resistance 0.2500 ± 0.0030, evidence 61.2'
done_quietly lgn network model.json --graph g.graphml
holds g.graphml '<graphml' '<data key="edge_evidence">812.5</data>' '</graphml>'
done_quietly lgn network model.json --draw -
equal "$(head -c 4 "$out")$(tail -n 1 "$out" | tail -c 7)" "<svg</svg>" "only the drawing"
done_quietly lgn report model.json data.csv -o r.html --figures .
holds r.html '<h2>Network</h2>' 'C1 = 2.000 ± 0.010' 'R1: resistance'
equal "$(cat network.svg)" "$(cat n.svg)" "the report's figure"
rm -f ./*.svg r.html g.* n.cir

# Outputs that cannot be.
for name in g g.txt g.svg dot graphml -; do
  refused "$name: a graph cannot be written as this; end the name in .dot or .graphml" \
    lgn network model.json --graph $name
done
refused "replace an input" lgn network model.json --draw model.json
refused "two outputs" lgn network model.json --draw n.svg --netlist ./n.svg
refused "none/n.svg: cannot write" lgn network model.json --graph g.dot --draw none/n.svg
refused "is required" lgn network
refused "cannot be read" lgn network absent.json

# A network that is no circuit has tables and drawings, but no netlist; nothing is written then.
model "$nodes" "${elements/\"value\":1,/\"value\":0.9,}"
done_quietly lgn network model.json --draw n.svg
rm n.svg
refused "s_q-p is 0.9, not 1 or -1" lgn network model.json --netlist n.cir --graph g.dot --draw n.svg

# Files that hold no network. bad TEXT: model.json is refused with TEXT.
bad() {
  refused "model.json: " lgn network model.json
  grep -qF -e "$1" "$err" || fail "standard error lacks: $1"
}
for text in '[]' 3 '"x"' '{}' '{"relative":1}' '{"relative":true}' '{"relative":true,"nodes":3,"elements":[]}' \
  '{"relative":true,"nodes":[],"elements":[]}' '{"relative":true,"nodes":[3],"elements":[]}'; do
  awk -v text="$text" '/^  "network"/ { $0 = "  \"network\": " text "," } 1' none.json >model.json
  bad network
done
for field in name kind state velocity; do
  model "$(echo "$nodes" | sed -E "s/\"$field\":(\"[^\"]*\"|[^,}]*),?//; s/,}/}/")" "$elements"
  bad "\"network.nodes.$field\""
done
for field in type from to value se evidence; do
  model "$nodes" "$(echo "$elements" | sed -E "1s/\"$field\":(\"[^\"]*\"|[^,}]*),?//; 1s/,}/}/")"
  bad "\"network.elements.$field\""
done
# edit SED TEXT: of the nodes and elements.
edit() {
  model "$(echo "$nodes" | sed -E "$1")" "$(echo "$elements" | sed -E "$1")"
  bad "$2"
}
edit 's/"voltage"/"pressure"/' 'no kind "pressure"'
edit 's/"state":1/"state":2/' 'state 2'
edit 's/"state":1/"state":-1/' 'network.nodes.state'
edit 's/"state":1/"state":0/' 'two nodes of "network" have channel 0'
edit 's/"name":"p"/"name":"q"/' 'two nodes of "network" are called "q"'
edit 's/("state":1,"velocity":)null/\11/' 'have channel 1'
edit 's/"type":"loss"/"type":"leak"/' 'no type "leak"'
edit 's/"type":"loss"/"type":"spring"/' 'no masses'
edit 's/"from":"q","to":"p"/"from":"q","to":"r"/' 'joins "r", which is no node'
edit 's/"from":"q","to":"p"/"from":"q","to":"q"/' 'a node with itself'
edit 's/"from":"q","to":"p"/"from":"q","to":null/' 'has no second node'
edit 's/("type":"loss","from":"p","to":)null/\1"q"/' 'goes to a second node'
edit 's/"value":2,/"value":0,/' 'is not positive'
edit 's/"value":0.25/"value":-0.25/' 'is negative'
edit 's/"value":0.25/"value":null/' 'has no value'
edit 's/"value":0.25/"value":"big"/' 'network.elements.value'
edit 's/"se":0.003/"se":-1/' 'negative standard error'
edit 's/"type":"loss","from":"p"/"type":"storage","from":"p"/' 'is there twice'
