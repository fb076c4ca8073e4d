# Inputs: from files to B and D, held or linear, late, simulated and evaluated; experiments that show nothing are refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate mass-spring --masses 2 --input steps --noise 1% --t1 100 --dt 0.2 -o all.csv --truth truth.json
holds truth.json '"inputs": ["u"]' '"record": "driven"' '"hold": "zoh"'
cut -d, -f1,2,6 all.csv >one.csv # t, q1 and u
equal "$(head -n 1 one.csv)" t,q1,u "the columns"

# One position and the force: four hidden states.
done_quietly lgn fit one.csv -o one.json
prints "4 states" "input u: held between samples (zoh), no feedthrough"
holds one.json '"inputs": ["u"]' '"record": "driven"' '"hold": "zoh"' '"D": null' '"delay": 0.0'
done_quietly lgn modes one.json
done_quietly lgn evaluate one.json one.csv --json
below "$(field nrmse "$out")" 0.02 "the model explains its data"
holds "$out" fit_percent
done_quietly lgn evaluate one.json one.csv --x0-samples 100
prints "fit" "channel q1"
refused "at least 2" lgn evaluate one.json one.csv --x0-samples 1

# What the inputs of a file do is what the data show.
expect 0 lgn simulate one.json --input one.csv -o again.csv
equal "$(wc -l <again.csv)" "$(wc -l <one.csv)" "a sample for each of the input"
worst=$(paste -d, one.csv again.csv | awk -F, 'NR > 1 { e = $2 - $5; s += e * e; y += $2 * $2 } END { print sqrt(s / y) }')
below "$worst" 0.02 "the simulation beside the data"
refused "has its own times" lgn simulate one.json --input one.csv --dt 0.1
refused "q1" lgn simulate one.json --input again.csv
done_quietly lgn simulate one.json --t1 10 --dt 1 -o free.csv

# The report, and the model beside other data.
done_quietly lgn report one.json one.csv -o one.html
done_quietly lgn export one.json -o one.py
holds one.py 'inputs = ["u"]' 'hold = "zoh"' 'def simulate(times, x0=None, u=None):'
if python3 -c 'import numpy' 2>/dev/null; then
  # What the script prints is what lgn simulate printed: to rounding of 500 steps, far below 1e-9.
  done_quietly python3 one.py --t1 1000 --input one.csv
  worst=$(paste -d, again.csv "$out" | awk -F, 'NR > 1 { e = $2 - $4; if (e < 0) e = -e; if (e > w) w = e } END { print w }')
  below "$worst" 1e-9 "the script beside lgn simulate"
fi

# Every state measured: structures by name, the law's constants.
done_quietly lgn fit all.csv --structure metric -o metric.json
holds metric.json '"C": null' '"B_se"'
lgn generate rlc --gamma 0.3 --input multisine --hold foh --noise 1% --t1 60 -o rlc.csv
done_quietly lgn fit rlc.csv --structure parametric:rlc --hold foh -o rlc.json
prints "linear between samples"
near "$(field gamma rlc.json)" 0.3 0.01 "the damping"
done_quietly lgn fit rlc.csv --channels q --structure parametric:rlc --hold foh -o part.json
near "$(field gamma part.json)" 0.3 0.02 "the damping from one state"

# An input that is recorded late, which is said; none is estimated where there is none.
lgn generate rlc --gamma 0.3 --input steps --noise 1% --t1 60 -o prompt.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { u[NR] = $4; $4 = NR > 8 ? u[NR - 6] : 0 } { print }' prompt.csv >late.csv
expect 0 lgn fit late.csv --channels q --states 2 --hold zoh -o late.json
prints "late-input"
expect 0 lgn fit prompt.csv --channels q --states 2 --hold zoh --delay auto -o prompt.json
equal "$(field delay prompt.json)" 0.0 "no delay where there is none"

# What grows is named where hidden states cannot.
awk 'BEGIN { print "t,x"; for (k = 0; k < 150; ++k) print k / 10 "," exp(0.015 * k) * cos(0.2 * k) }' >growing.csv
expect 0 lgn fit growing.csv --states 2 -o growing.json
prints "warning [growing]" "the data grow"
holds growing.json '"stable":true'

# Experiments that show nothing: status 1 and the reason.
awk -F, 'BEGIN { OFS = "," } NR > 1 { $3 = 2 } { print }' one.csv >constant.csv
not_identified "is constant" lgn fit constant.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { $3 = $2 } { print }' one.csv >same.csv
not_identified "hold the same values" lgn fit same.csv
awk -F, -v last="$(wc -l <one.csv)" 'BEGIN { OFS = "," } NR > 1 { $3 = NR == last } { print }' one.csv >step.csv
not_identified "last sample only" lgn fit step.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { $3 = "nan" } { print }' one.csv >nan.csv
refused u lgn fit nan.csv
refused "free motion has none" lgn fit one.csv --record free
refused "needs an input" lgn fit one.csv --record driven --inputs none --channels q1
awk -F, 'BEGIN { OFS = "," } NR > 1 { y = $2; $3 = NR > 2 ? last : 0; last = y } { print }' one.csv >repeats.csv
not_identified "repeats the channel" lgn fit repeats.csv
refused "maximum likelihood" lgn fit all.csv --structure network --method closed-form

# What can be said of an experiment before anything is fitted.
done_quietly lgn inspect repeats.csv
prints "repeats the channel"
done_quietly lgn inspect constant.csv --json
holds "$out" '"experiment"' 'is constant'
done_quietly lgn inspect one.csv --json
holds "$out" '"experiment": []'

# A network with a port: which mass the force acts on.
done_quietly lgn fit all.csv --structure mechanical --hold zoh --feedthrough no -o ports.json
prints "u drives v1"
holds ports.json '"ports": [{"input":"u","state":"v1"'
done_quietly lgn evaluate ports.json all.csv --json
below "$(field nrmse "$out")" 0.02 "the network explains its data"
done_quietly lgn simulate ports.json --input all.csv -o again.csv

# A generator that varies in time, and an input.
lgn generate ltv-oscillator --input steps --noise 1% --t1 30 --dt 0.1 --x0 1,0 -o varying.csv
done_quietly lgn fit varying.csv --structure parametric:ltv-oscillator --hold zoh --feedthrough no -o varying.json
holds varying.json '"inputs": ["u"]' '"record": "driven"'
done_quietly lgn evaluate varying.json varying.csv --json
below "$(field nrmse "$out")" 0.02 "the law explains its data"
done_quietly lgn simulate varying.json --input varying.csv -o again.csv
worst=$(paste -d, varying.csv again.csv | awk -F, 'NR > 1 { e = $2 - $6; s += e * e; y += $2 * $2 } END { print sqrt(s / y) }')
below "$worst" 0.02 "the simulation beside the data"
refused "must not be negative" lgn fit one.csv --delay -1
refused "does not know" lgn fit one.csv --hold never
