# Standard errors and intervals: there, consistent, and confirmed by repeated fits.
. "$LGN_SOURCE/tests/cli/_check.sh"

without_seconds() { sed 's/"seconds":[^,}]*/"seconds":0/' "$1"; }
intervals() { grep '^  "modes"' "$2" | grep -oE "\"$1\":\[[^]]*\]" | grep -oE '[^[]*\]$' | tr -d ']' | tr , ' '; }

lgn generate ladder --trajectories 2 --t1 10 --noise 2% --truth truth.json -o data.csv
fit="fit data.csv --structure sd"
done_quietly lgn $fit -o model.json
prints "± one standard error" "95% confidence interval: ±1.9"
for key in re im frequency_hz damping_ratio; do
  equal "$(se_fields $key model.json | awk '$1 > 0' | wc -l | tr -d ' ')" 6 "standard errors of $key"
done
# The table as `lgn fit` printed it, and as it comes out of the file: 0.44225(12) is ± 0.00012.
cp "$out" table.txt
done_quietly lgn modes model.json
prints "± one standard error" "ω_n [rad/s]"
equal "$(grep -cE '^-0\.0[0-9]*\([0-9]{2}\) ± [0-9.]*\([0-9]{2}\)i +[0-9.]+ ± 0\.0[0-9]* ' "$out")" 3 "rows with ±"
equal "$(tail -n 6 "$out")" "$(tail -n 6 table.txt)" "the table from the file"

# The truth is where they say: six standard errors are beyond luck.
paste <(mode_fields re model.json) <(se_fields re model.json) <(mode_fields re truth.json) |
  awk '{ d = ($1 - $3) / $2; if (d > 6 || d < -6) exit 1 } END { if (NR != 6) exit 1 }' || fail "Re λ and its errors"

# width P FACTOR: intervals of that confidence are so many standard errors wide to each side; Student's factor.
width() {
  done_quietly lgn $fit --confidence $1 -o $1.json
  prints "$(awk "BEGIN { print 100 * $1 }")% confidence interval"
  holds $1.json "\"confidence\":$1"
  near "$(field interval_factor $1.json)" $2 0.005 "the factor of $1"
  local key
  for key in re im frequency_hz damping_ratio; do
    equal "$(se_fields $key $1.json)" "$(se_fields $key model.json)" "standard errors whatever the confidence"
    paste -d' ' <(intervals $key $1.json) <(mode_fields $key $1.json) <(se_fields $key $1.json) |
      awk -v f="$(field interval_factor $1.json)" '
        function off(a, b) { return a - b > 1e-6 * $4 || b - a > 1e-6 * $4 }
        off($1, $3 - f * $4) || off($2, $3 + f * $4) { exit 1 } END { if (NR != 6) exit 1 }' ||
      fail "intervals of $key with $1"
  done
}
width 0.5 0.6745
width 0.95 1.96
width 0.99 2.576

# Repeated fits to artificial data agree; 200 of them know a standard error to 5%.
done_quietly lgn $fit --bootstrap 200 -o bootstrap.json
prints "by 200 bootstrap samples"
holds bootstrap.json '"bootstrap":200'
equal "$(grep '"A"' bootstrap.json)" "$(grep '"A"' model.json)" "the fit with and without a bootstrap"
! grep -q errors-disagree bootstrap.json || fail "bootstrap and information matrix disagree"
for key in re im frequency_hz damping_ratio; do
  paste <(se_fields $key model.json) <(se_fields $key bootstrap.json) |
    awk '$1 / $2 > 1.3 || $2 / $1 > 1.3 { exit 1 } END { if (NR != 6) exit 1 }' || fail "errors of $key by bootstrap"
done
done_quietly lgn modes bootstrap.json
prints "by 200 bootstrap samples"
! cmp -s <(se_fields re model.json) <(se_fields re bootstrap.json) || fail "the bootstrap's errors are not shown"
# The result does not depend on the threads, but on the seed.
lgn generate rlc --noise 2% -o rlc.csv
for threads in 1 2; do
  done_quietly lgn fit rlc.csv --bootstrap 200 --threads $threads --quiet -o $threads.json
  without_seconds $threads.json >$threads.txt
done
command="cmp"
cmp -s 1.txt 2.txt || fail "two threads give another model"
done_quietly lgn $fit --bootstrap 200 --threads 2 -o threads.json
paste <(se_fields re bootstrap.json) <(se_fields re threads.json) |
  awk '{ d = $1 / $2 - 1; if (d > 1e-3 || d < -1e-3) exit 1 } END { if (NR != 6) exit 1 }' ||
  fail "another number of threads gives other errors"
done_quietly lgn fit rlc.csv --bootstrap 200 --seed 2 --quiet -o seed.json
! cmp -s <(se_fields re seed.json) <(se_fields re 1.json) || fail "the seed does not matter"

# More data, smaller errors: four times as many runs, half.
lgn generate rlc --trajectories 4 --x0 1,0 --noise 2% -o four.csv
done_quietly lgn fit rlc.csv --structure sd --quiet -o one.json
done_quietly lgn fit four.csv --structure sd --quiet -o four.json
near "$(se_fields re four.json | head -n 1)" "$(se_fields re one.json | awk 'NR == 1 { print $1 / 2 }')" 0.2 "four runs"

# None, unless asked for.
done_quietly lgn $fit --errors never -o never.json
! grep -q "standard error" "$out" || fail "a note about errors that are not there"
equal "$(se_fields re never.json | sort -u)" null "no errors"
holds never.json '"interval":null'
equal "$(mode_fields re never.json)" "$(mode_fields re model.json)" "the poles without errors"
done_quietly lgn modes never.json
! grep -q "standard error" "$out" || fail "a note about errors that are not there"
done_quietly lgn $fit --errors always -o always.json
equal "$(se_fields re always.json)" "$(se_fields re model.json)" "errors always and by default"
lgn generate random --states 42 --trajectories 3 --t1 10 --noise 1% -o large.csv
done_quietly lgn fit large.csv --structure sd -o large.json
holds large.json '"code":"errors-skipped"'
prints "--errors always"
equal "$(se_fields re large.json | sort -u)" null "no errors of a large model"

for number in 0 1 2 -0.5; do refused "between 0 and 1" lgn $fit --confidence $number -o none.json; done
for number in nan inf x; do refused "--confidence" lgn $fit --confidence $number; done
for number in -1 1.5 x 2147483647 99999999999; do refused "--bootstrap" lgn $fit --bootstrap $number -o none.json; done
for number in 1 5 19; do refused "use --bootstrap 1000" lgn $fit --bootstrap $number -o none.json; done
refused "it takes auto, huber, squares" lgn $fit --loss l1
refused "it takes always, auto, never" lgn $fit --errors maybe
