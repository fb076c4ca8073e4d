# Random vibration: recognised, identified with errors, kept in the model file, refused where there is none.
. "$LGN_SOURCE/tests/cli/_check.sh"

done_quietly lgn generate tower --floors 3 --t1 300 --noise 5% --seed 3 -o tower.csv --truth truth.json
expect 0 lgn inspect tower.csv --json
prints '"record": "ambient"'
done_quietly lgn fit tower.csv -o model.json --report report.html
prints "random vibration" "data: linear trends removed" "chosen"
equal "$(field dimension model.json)" 6 "three modes"
holds model.json '"record": "ambient"' '"ambient": {"G"'
expect 0 lgn modes model.json --truth truth.json
done_quietly lgn report model.json tower.csv -o again.html
done_quietly lgn fit tower.csv --record ambient --states 6 -o six.json
equal "$(field dimension six.json)" 6 "as many as told"
refused "use --structure modal" lgn fit tower.csv --record ambient --structure sd

# A constant is no vibration.
awk 'BEGIN { print "t,y"; for (k = 0; k < 600; ++k) printf "%.2f,3.1\n", k / 20 }' >constant.csv
expect 1 lgn fit constant.csv --record ambient
grep -q "nothing moves" "$err" || fail "a constant is said to move"

# A trend and another unit change nothing.
awk -F, 'NR == 1 { print; next } { printf "%s", $1; for (i = 2; i <= NF; i++) printf ",%.9g", 1e6 * $i + 3 + 1e3 * $1; print "" }' tower.csv >trend.csv
done_quietly lgn fit trend.csv -o trend.json
holds trend.json '"record": "ambient"' 'linear trends removed'
equal "$(field dimension trend.json)" 6 "three modes beside a trend"
