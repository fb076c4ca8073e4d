# Rolling a model out: grids, given times, starts.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --gamma 0.2 --trajectories 2 --x0 random --truth model.json -o data.csv

done_quietly lgn simulate model.json --t1 1 --dt 0.25 --x0 1,0
equal "$(cut -d, -f1 "$out" | tr '\n' ' ')" "t 0 0.25 0.5 0.75 1 " "both ends belong to the grid"
equal "$(sed -n 1,2p "$out")" "t,q,p
0,1,0" "the start"
# x(t) = e^(−0.1t) (cos ωt + 0.1/ω sin ωt), ω = √0.99, at t = 1.
near "$(tail -n 1 "$out" | cut -d, -f2)" \
  "$(awk 'BEGIN { w = sqrt(.99); printf "%.15g", exp(-.1) * (cos(w) + .1 / w * sin(w)) }')" 1e-14 "x(1)"

done_quietly lgn simulate model.json --t1 3
equal "$(sed -n 3p "$out" | cut -d, -f1)" 0.1 "the data's step by default"
sed 's/"step":0.1/"step":0.09999999999999987/' model.json >dusty.json
done_quietly lgn simulate dusty.json --t1 1000
equal "$(tail -n 1 "$out" | cut -d, -f1)" 1000 "a step without the dust of differences"
done_quietly lgn simulate model.json --t1 3
equal "$(sed -n 2p "$out" | cut -d, -f2,3)" "$(grep '^1,0,' data.csv | cut -d, -f3,4)" "the first run's initial state"
done_quietly lgn simulate model.json --t1 1 --run 2
equal "$(sed -n 2p "$out" | cut -d, -f2,3)" "$(grep '^2,0,' data.csv | cut -d, -f3,4)" "the second run's initial state"

done_quietly lgn simulate model.json --t0 5 --t1 6 --dt 0.5 --x0 -1,2
equal "$(tr '\n' ' ' <"$out" | cut -c 1-13)" "t,q,p 5,-1,2 " "the start is at t0"

# Steps far smaller than the time itself.
done_quietly lgn simulate model.json --t0 1.7e9 --t1 1700000000.00002 --dt 2e-6 --x0 1,0
equal "$(rows "$out")" 12 "ten steps of 2 µs at a Unix time"

# Given times; the start is at the first, or at --t0.
printf 't,comment\n0.5,a\n1,b\n4,c\n' >times.csv
done_quietly lgn simulate model.json --times times.csv --x0 1,0
equal "$(cut -d, -f1 "$out" | tr '\n' ' ')" "t 0.5 1 4 " "the times of the file"
equal "$(sed -n 2p "$out")" 0.5,1,0 "the start is at the first time"
done_quietly lgn simulate model.json --times times.csv --x0 1,0 --t0 0 --t1 2 -o listed.csv
prints_nothing
equal "$(cut -d, -f1 listed.csv | tr '\n' ' ')" "t 0.5 1 " "times up to t1"
lgn simulate model.json --x0 1,0 --t1 1 --dt 0.5 >grid.csv
near "$(sed -n 2p listed.csv | cut -d, -f2)" "$(sed -n 3p grid.csv | cut -d, -f2)" 1e-14 "from t0 to the first time"

# A list may stand before the model, and the result is data.
done_quietly lgn simulate --x0 1,0 model.json --t1 20 -o rollout.csv
done_quietly lgn evaluate model.json rollout.csv --json
below "$(field nrmse "$out")" 1e-12 "a rollout agrees with its model"

refused "two times" lgn simulate model.json --times times.csv --t1 0.6
refused times.csv lgn simulate model.json --times times.csv --t0 0.7
refused "run 3" lgn simulate model.json --t1 1 --run 3
refused "run 0" lgn simulate model.json --t1 1 --run 0
refused "x0 has 3 values" lgn simulate model.json --t1 1 --x0 1,2,3
refused "finite" lgn simulate model.json --t1 1 --x0 nan,1
refused "no inputs" lgn simulate model.json --t1 1 --input u.csv
refused "end time" lgn simulate model.json
refused "not after" lgn simulate model.json --t1 1 --t0 1
refused "not after" lgn simulate model.json --t1 -1
refused "step" lgn simulate model.json --t1 1 --dt 0
refused "step" lgn simulate model.json --t1 1 --dt -1
refused "finite" lgn simulate model.json --t1 1 --dt nan
refused "finite" lgn simulate model.json --t1 inf
refused "longer" lgn simulate model.json --t1 1 --dt 2
refused "values" lgn simulate model.json --t1 1e9 --dt 1e-9
sed 's/"A": .*/"A": [[1.0,0.0],[0.0,1.0]],/' model.json >growing.json
refused "overflows" lgn simulate growing.json --t1 1e6 --dt 1
