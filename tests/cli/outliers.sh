# Samples that are plainly wrong: --loss huber gives them little weight.
. "$LGN_SOURCE/tests/cli/_check.sh"

error_of() { lgn modes "$1" --truth truth.json | sed -n 's/^mean |Δλ| \([^;]*\);.*/\1/p'; }
lgn generate rlc --gamma 0.2 --noise 0.5% --trajectories 2 --x0 random --truth truth.json -o clean.csv
# One value in twenty is off by three to eight times the amplitude.
awk -F, 'BEGIN { OFS = ","; srand(3) }
  NR > 1 { for (c = 3; c <= 4; ++c) if (rand() < 0.05) $c += (rand() < 0.5 ? -1 : 1) * (3 + 5 * rand()) } { print }' \
  clean.csv >spikes.csv
for structure in parametric:rlc psd auto; do
  for loss in squares huber; do
    done_quietly lgn fit spikes.csv --structure $structure --loss $loss -o $loss.json
    ! grep -qiE '(^|[^a-z])nan([^a-z]|$)' "$out" || fail "nan in a table"
  done
  below "$(error_of huber.json)" "$(awk -v e="$(error_of squares.json)" 'BEGIN { print e / 10 }')" \
    "mean |Δλ| with huber, a tenth of that with squares, structure $structure"
  holds huber.json '"converged":true'
done
# Most samples are good, and the model explains those: no channel is idle, and the errors are those of good samples.
! grep -q idle-channel huber.json || fail "a channel with spikes taken for noise"
done_quietly lgn fit spikes.csv --structure parametric:rlc --loss huber -o huber.json
done_quietly lgn fit clean.csv --structure parametric:rlc -o clean.json
below "$(se_fields re huber.json | head -n 1)" "$(se_fields re clean.json | awk 'NR == 1 { print 10 * $1 }')" \
  "the standard error with spikes, ten times that without"

# Where nobody chose, the robust loss is taken, and said to be.
done_quietly lgn fit spikes.csv --structure parametric:rlc -o chosen.json
prints "warning [outliers]" "of q" "--loss squares"
equal "$(mode_fields natural_frequency chosen.json)" "$(mode_fields natural_frequency huber.json)" "the loss that is chosen"
done_quietly lgn fit clean.csv --structure parametric:rlc -o clean.json
! grep -q '"outliers"' clean.json || fail "outliers in clean data"
# One channel, whose states are hidden.
lgn generate ladder --sections 2 --noise 1% --t1 40 --dt 0.1 -o ladder.csv
awk -F, 'BEGIN { OFS = ","; srand(4) } NR > 1 && rand() < 0.03 { $2 += 4 * (rand() < 0.5 ? -1 : 1) } { print $1, $2 }' ladder.csv >one.csv
done_quietly lgn fit one.csv -o one.json
prints "4 states" "warning [outliers]"

# Without outliers it costs little.
done_quietly lgn fit clean.csv --structure parametric:rlc --loss huber -o huber.json
below "$(error_of huber.json)" "$(awk -v e="$(error_of clean.json)" 'BEGIN { print 3 * e + 1e-4 }')" "huber on clean data"
near "$(se_fields re huber.json | head -n 1)" "$(se_fields re clean.json | head -n 1)" 0.2 "its standard error"
