# Every system that `lgn generate` knows, and its options.
. "$LGN_SOURCE/tests/cli/_check.sh"

for system in oscillator rlc ladder mass-spring random truss beam; do
  done_quietly lgn generate $system -o $system.csv --truth $system.json
  prints_nothing
  equal "$(rows $system.csv)" 301 "header and 30 / 0.1 samples of $system"
  holds $system.json '"schema": "lgn-model/1"' '"method": "generate"'
  done_quietly lgn modes $system.json
done
equal "$(head -n 2 oscillator.csv)" "t,q,p
0,1,0" "pairs start from the first unit vector"
equal "$(head -n 1 ladder.csv)" t,v1,i1,v2,i2,v3,i3 "a ladder's channels"
equal "$(head -n 1 mass-spring.csv)" t,q1,q2,q3,v1,v2,v3 "a chain's channels"
equal "$(head -n 1 random.csv)" t,x1,x2,x3,x4,x5,x6 "a random system's channels"
holds oscillator.json '"parameters": {"omega":1.0}' '"conservative":true'
near "$(field damping_ratio rlc.json)" 0.05 1e-12 "the damping ratio of ω = 1, γ = 0.1 is γ/2ω"

done_quietly lgn generate ladder --sections 2 --R 0.1,0.2 --L 2 --C 1,3 --truth two.json --t1 1 --dt 0.25
equal "$(rows "$out")" 5 "header and samples at 0, 0.25, 0.5, 0.75"
holds two.json '"R1":0.1,"R2":0.2,"L1":2.0,"L2":2.0,"C1":1.0,"C2":3.0'
done_quietly lgn generate mass-spring --masses 1 --mass 2 --stiffness 4 --damping 0.8 --truth chain.json
near "$(field natural_frequency chain.json)" 2 1e-12 "ω_n = √(2κ/m)"
near "$(field damping_ratio chain.json)" 0.1 1e-12 "ζ = c/(2 m ω_n)"
done_quietly lgn generate rlc --omega 3 --gamma 0 --x0 0.5,-2 --t1 0.3
equal "$(sed -n 2p "$out")" 0,0.5,-2 "a given start"
equal "$(cut -d, -f1 "$out" | tr '\n' ' ')" "t 0 0.1 0.2 " "times without dust, before t1"
done_quietly lgn generate random --states 2 --x0 e1
equal "$(sed -n 2p "$out")" 0,1,0 "the first unit vector"

done_quietly lgn generate ladder --trajectories 3 --t1 2 --dt 0.5
equal "$(head -n 1 "$out" | cut -d, -f1,2)" trajectory,t "several runs are labelled"
equal "$(tail -n +2 "$out" | cut -d, -f1 | uniq -c | tr -s ' \n' ' ')" " 4 1 4 2 4 3 " "three runs of four samples"

# Noise: 5% and 0.05 are the same, the seed decides, and the truth stays clean.
lgn generate ladder --noise 5% --seed 7 --truth noisy.json >a.csv
lgn generate ladder --noise 0.05 --seed 7 >b.csv
lgn generate ladder --noise 0.05 --seed 8 >c.csv
lgn generate ladder --seed 7 --truth clean.json >d.csv
command="cmp"
cmp -s a.csv b.csv || fail "5% is not 0.05"
! cmp -s b.csv c.csv || fail "another seed gives the same noise"
cmp -s noisy.json clean.json || fail "noise changed the truth"
