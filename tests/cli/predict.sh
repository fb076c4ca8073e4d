# Predictions so many samples ahead, with standard errors, for every kind of model; noise that is not white.
. "$LGN_SOURCE/tests/cli/_check.sh"

# Driven, white noise: predictions are a simulation whose state becomes known.
lgn generate mass-spring --masses 2 --input steps --noise 1% --t1 60 --dt 0.2 -o all.csv
cut -d, -f1,2,6 all.csv >one.csv # t, q1 and u
done_quietly lgn fit one.csv --states 4 --hold zoh --feedthrough no -o one.json
holds one.json '"K": null'
expect 0 lgn predict one.json one.csv
equal "$(head -n 1 "$out")" t,q1,q1_se "the columns"
equal "$(wc -l <"$out")" "$(wc -l <one.csv)" "a row for each sample"
holds "$err" "NRMSE of 1-step predictions: q1"
expect 0 lgn predict one.json one.csv --horizon 5 -o five.csv
prints "NRMSE of 5-step predictions: q1"
expect 0 lgn predict one.json one.csv --quiet
[ ! -s "$err" ] || fail "--quiet says something"

# The same beside the simulation.
done_quietly lgn evaluate one.json one.csv --horizon 1,10
prints "1 step ahead" "10 steps ahead"
done_quietly lgn evaluate one.json one.csv --horizon 1 --json
holds "$out" '"predictions"' '"horizon": 1'

# Forces that nobody measured: a random walk through a leaky filter on top of the response.
awk -F, 'BEGIN { OFS = ","; srand(3) } NR > 1 { n = 0.9 * n; for (i = 0; i < 12; ++i) n += 0.05 * (rand() - 0.5); $2 += n } { print }' one.csv >red.csv
done_quietly lgn fit red.csv --states 5 --hold zoh --feedthrough no -o red.json
prints "innovations form"
holds red.json '"K": [[' '"K_se": [[' '"innovation_covariance": [[' '"K_step": '
lgn fit red.csv --states 5 --hold zoh --feedthrough no --noise-model output -o white.json >ignored.txt
holds white.json '"K": null'
lgn evaluate red.json red.csv --horizon 1 --json >red.txt
lgn evaluate white.json red.csv --horizon 1 --json >white.txt
sed -n '/"predictions"/,$p' red.txt >red_ahead.txt
sed -n '/"predictions"/,$p' white.txt >white_ahead.txt
below "$(field nrmse red_ahead.txt)" "$(field nrmse white_ahead.txt)" "the next sample is foreseen better"
expect 0 lgn modes red.json

# Free motion, at uneven times and with a generator that varies.
lgn generate ladder --sections 2 --noise 1% --t1 20 -o free.csv
done_quietly lgn fit free.csv --structure sd -o free.json
awk -F, 'NR == 1 || NR % 7 != 3' free.csv >uneven.csv
expect 0 lgn predict free.json uneven.csv --horizon 3 -o free3.csv
prints "v1" "i2" "all"

# Random vibration: nothing to simulate, but the next samples can be foreseen.
lgn generate tower --floors 2 --t1 200 --noise 5% --seed 3 -o tower.csv
expect 0 lgn fit tower.csv --record ambient --states 4 -o tower.json
expect 0 lgn predict tower.json tower.csv --horizon 2 -o tower2.csv
prints "NRMSE of 2-step predictions"
expect 0 lgn evaluate tower.json tower.csv
prints "1 step ahead"
expect 0 lgn evaluate tower.json tower.csv --horizon 1,20 --json
holds "$out" '"nrmse": null' '"horizon": 20'

# What cannot be.
refused "at least 1" lgn predict one.json one.csv --horizon 0
refused "whole numbers" lgn evaluate one.json one.csv --horizon 1.5
refused "shorter than the horizon" lgn predict one.json one.csv --horizon 5000
awk -F, 'NR == 1 || NR % 2 == 0' red.csv >slow.csv
refused "belongs to" lgn predict red.json slow.csv
awk -F, 'BEGIN { OFS = "," } NR == 20 { $1 += 0.03 } { print }' one.csv >moved.csv
refused "even times" lgn fit moved.csv --states 4 --noise-model innovation
refused "does not know" lgn fit one.csv --noise-model pink
refused "with inputs" lgn fit free.csv --noise-model innovation
refused "replace an input" lgn predict one.json one.csv -o one.csv
