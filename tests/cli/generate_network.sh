# `lgn generate network`: every topology, its sizes, and its wiring.
. "$LGN_SOURCE/tests/cli/_check.sh"

for topology in ladder chain ring grid tree rlc-grid; do
  done_quietly lgn generate network --topology $topology --spread 10 --trajectories 2 -o $topology.csv \
    --truth $topology.json --wiring $topology.edges
  prints_nothing
  equal "$(rows $topology.csv)" 601 "header and two runs of 30 / 0.1 samples of a $topology"
  equal "$(head -n 1 $topology.edges)" from,to "the header of a wiring"
  done_quietly lgn modes $topology.json
done
equal "$(head -n 1 ladder.csv)" trajectory,t,v1,i1,v2,i2,v3,i3,v4,i4 "a ladder's channels"
equal "$(head -n 1 chain.csv)" trajectory,t,q1,q2,q3,q4,v1,v2,v3,v4 "a chain's channels"
equal "$(head -n 1 ring.csv)" trajectory,t,x1,x2,x3,x4 "a ring's channels"
equal "$(head -n 1 tree.csv)" trajectory,t,x1,x2,x3,x4 "a tree's channels"
equal "$(head -n 1 grid.csv | cut -d, -f18,34)" q16,v16 "a grid's channels"
equal "$(head -n 1 rlc-grid.csv | cut -d, -f3,18,19,42)" v1,v16,i1,i24 "channels of a grid of capacitors and inductors"
equal "$(rows rlc-grid.edges)" 49 "header and both ends of its 24 inductors"
for topology in ladder ring tree rlc-grid; do holds $topology.json '"structure": "network"' '"S":' '"d":' '"storage":'; done
for topology in chain grid; do holds $topology.json '"structure": "mechanical"' '"K":' '"C":' '"M":'; done
equal "$(tail -n +2 ladder.edges | tr '\n' ' ')" "v1,i1 i1,v2 v2,i2 i2,v3 v3,i3 i3,v4 v4,i4 " "a ladder's wiring"
equal "$(tail -n +2 chain.edges | tr '\n' ' ')" "q1,q2 q2,q3 q3,q4 " "a chain's wiring"
equal "$(tail -n +2 ring.edges | tr '\n' ' ')" "x1,x2 x1,x4 x2,x3 x3,x4 " "a ring's wiring"
equal "$(rows tree.edges)" 4 "header and n − 1 pairs of a tree"
equal "$(rows grid.edges)" 25 "header and 2 · 4 · 3 springs of a grid"

# Equal elements: what the other systems are. Starts and noise have a stream of their own.
lgn generate network --noise 5% >ladder-a.csv
lgn generate ladder --sections 4 --noise 5% >ladder-b.csv
lgn generate network --topology chain --size 3 --loss 0.05 --noise 5% >chain-a.csv
lgn generate mass-spring --noise 5% >chain-b.csv
command="cmp"
for system in ladder chain; do cmp -s $system-a.csv $system-b.csv || fail "the network is another $system"; done

lgn generate network --topology grid --size 2x3 --wiring rectangle.edges >rectangle.csv
equal "$(head -n 1 rectangle.csv | cut -d, -f7,13)" q6,v6 "rows times columns"
equal "$(tail -n +2 rectangle.edges | tr '\n' ' ')" "q1,q2 q1,q4 q2,q3 q2,q5 q3,q6 q4,q5 q5,q6 " "row by row"
lgn generate network --topology tree --size 9 --spread 10 --seed 2 --wiring one.edges >one.csv
lgn generate network --topology tree --size 9 --spread 10 --seed 2 --wiring two.edges >two.csv
lgn generate network --topology tree --size 9 --spread 10 --seed 3 --wiring three.edges >three.csv
command="cmp"
cmp -s one.csv two.csv && cmp -s one.edges two.edges || fail "a seed gives two trees"
! cmp -s one.csv three.csv || fail "another seed gives the same tree"

done_quietly lgn generate --help
prints --topology --size --spread --loss --edges --wiring

refused '"star"; topologies are ladder' lgn generate network --topology star
for topology in ladder chain ring grid tree rlc-grid; do
  for size in 0 -1 x 3x 1.5 '' 1000001 99999999999 2x3x4; do
    refused "--size" lgn generate network --topology $topology --size "$size"
  done
  for number in 0 0.5 -1 nan inf x 1e7; do
    refused "spread" lgn generate network --topology $topology --spread "$number"
  done
  for number in -1 nan inf x 1e7; do refused "loss" lgn generate network --topology $topology --loss "$number"; done
done
# Networks beyond dense matrices: the same by the other path where both can go, and quick.
for topology in ladder tree chain; do
  done_quietly within 10 "$program" generate network --topology $topology --size 6000 --spread 3 --t1 0.5 --edges big.edges -o big.npz
  [ "$(rows big.edges)" -ge 6000 ] || fail "the topology of a large $topology"
done
refused "--truth" lgn generate network --size 6000 --truth truth.json -o big.npz

refused "is for a grid" lgn generate network --size 2x3
refused "rows times columns" lgn generate network --topology grid --size 1001x1000
refused "rows times columns" lgn generate network --topology rlc-grid --size 60000x60000
refused "three states" lgn generate network --topology ring --size 2
refused "two states" lgn generate network --topology tree --size 1
refused "--edges" lgn generate ladder --wiring edges.csv
refused "--edges" lgn generate ladder --edges edges.csv
refused "two outputs" lgn generate network -o same.csv --wiring same.csv
refused "no-folder" lgn generate network -o data.csv --wiring no-folder/edges.csv
