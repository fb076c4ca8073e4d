# A model against data: per run, per channel, as text and as JSON.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --trajectories 2 --truth truth.json -o clean.csv
lgn generate ladder --trajectories 2 --noise 10% -o noisy.csv

done_quietly lgn evaluate truth.json clean.csv
prints NRMSE "energy grows" "run 1" "run 2" "channel v1" "channel i3" all
equal "$(rows "$out")" 11 "two runs, six channels, all, two lines of header"

done_quietly lgn evaluate truth.json clean.csv --json
prints '"nrmse"' '"energy_violations"' '"runs"' '"channels"' '"name": "v1"'
below "$(field nrmse "$out")" 1e-12 "the truth on clean data"
equal "$(field energy_violations "$out")" 0.0 "a passive circuit never gains energy"
equal "$(fields nrmse "$out" | wc -l | tr -d ' ')" 9 "all, two runs, six channels"

# Noise of 10% of the standard deviation is an error of about 10% of the RMS: the signals' mean is near zero.
done_quietly lgn evaluate truth.json noisy.csv --json
near "$(field nrmse "$out")" 0.1 0.1 "noise seen as error"
done_quietly lgn evaluate truth.json noisy.csv --x0 measured --json
below 0.1 "$(field nrmse "$out")" "a noisy start is worse than an estimated one"

# Files may order their columns as they like, hold more of them, and call them differently.
awk -F, 'BEGIN { OFS = "," } { print $8, $7, $6, $5, $4, $3, $2, $1, "x" NR }' clean.csv >turned.csv
done_quietly lgn evaluate truth.json turned.csv --json
below "$(field nrmse "$out")" 1e-12 "columns are found by name"
sed '1s/.*/trajectory,t,a,b,c,d,e,f/' clean.csv >renamed.csv
done_quietly lgn evaluate truth.json renamed.csv --channels a,b,c,d,e,f --json
below "$(field nrmse "$out")" 1e-12 "columns named with --channels"
done_quietly lgn evaluate truth.json clean.csv noisy.csv
prints "run clean.csv:1" "run noisy.csv:2"

# A model without an energy.
lgn fit clean.csv --structure full --quiet -o full.json
done_quietly lgn evaluate full.json clean.csv --json
equal "$(field energy_violations "$out")" null "no energy is known"

refused renamed.csv lgn evaluate truth.json renamed.csv
refused "--channels names 2" lgn evaluate truth.json clean.csv --channels v1,i1
refused "--x0" lgn evaluate truth.json clean.csv --x0 guess
