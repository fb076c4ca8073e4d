# From data to poles: as exact as the data allow.
. "$LGN_SOURCE/tests/cli/_check.sh"

# errors MODEL TRUTH: |Δλ|/|λ| of every pole, one a line.
errors() { lgn modes "$1" --truth "$2" | sed -n '3,${/^mean/q;p}' | awk '{ print $NF }'; }
worst() { errors "$@" | sort -g | tail -n 1; }

ladder="ladder --sections 3 --trajectories 5"
lgn generate $ladder --truth truth.json -o clean.csv
done_quietly lgn fit clean.csv -o clean.json
equal "$(errors clean.json truth.json | wc -l | tr -d ' ')" 3 "conjugate pairs of six states"
below "$(worst clean.json truth.json)" 1e-8 "the worst pole of clean data"

# With 5% noise and starts estimated, the Cramér–Rao bound is 2.2e-4 in the mean over the poles. Ten times as much
# for the worst of three poles is beyond any luck of the noise, and far below what a biased estimate would give.
for seed in 1 2 3; do
  lgn generate $ladder --noise 5% --seed $seed --truth truth.json -o noisy.csv
  done_quietly lgn fit noisy.csv -o noisy.json
  below "$(worst noisy.json truth.json)" 2.2e-3 "the worst pole with 5% noise, seed $seed"
  ! grep -q poor-fit noisy.json || fail "noise taken for a misfit"
  # σ is 5% of the standard deviation of all channels; 5 · 6 · 300 values determine it to 1/√18000, allow six times.
  sigma=$(awk -F, 'NR > 1 { for (c = 3; c <= NF; ++c) { s += $c; q += $c * $c; ++n } }
    END { printf "%.6g", 0.05 * sqrt(q / n - s * s / n / n) }' clean.csv)
  [ $seed != 1 ] || near "$(field noise_sigma noisy.json)" "$sigma" 0.045 "the noise"
done

# The unit of time changes the numbers, not the physics: milliseconds instead of seconds.
lgn generate $ladder --noise 5% -o seconds.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { $2 *= 1000 } { print }' seconds.csv >milliseconds.csv
done_quietly lgn fit seconds.csv -o seconds.json
done_quietly lgn fit milliseconds.csv --time-unit ms -o milliseconds.json
paste <(mode_fields natural_frequency seconds.json) <(mode_fields natural_frequency milliseconds.json) |
  awk '{ d = 1000 * $2 / $1 - 1; if (d < 0) d = -d; if (d > 1e-8) exit 1 } END { if (NR != 6) exit 1 }' ||
  fail "frequencies depend on the unit of time"

# So does the unit of the values.
awk -F, 'BEGIN { OFS = "," } NR > 1 { for (c = 3; c <= NF; ++c) $c = sprintf("%.17g", $c * 1048576) } { print }' \
  seconds.csv >scaled.csv
done_quietly lgn fit scaled.csv -o scaled.json
paste <(mode_fields natural_frequency seconds.json) <(mode_fields natural_frequency scaled.json) |
  awk '{ d = $2 / $1 - 1; if (d < 0) d = -d; if (d > 1e-8) exit 1 } END { if (NR != 6) exit 1 }' ||
  fail "frequencies depend on the unit of the values"

# A model that cannot be right says so.
lgn generate rlc --gamma 0.5 -o rlc.csv
done_quietly lgn fit rlc.csv --structure skew -o wrong.json
holds wrong.json '"code":"poor-fit"'
# And one that samples too slowly: 2.8 rad between samples, where only a law can tell a frequency from its alias, and
# 3.5 rad, where nothing can.
lgn generate oscillator --omega 2.8 --dt 1 --t1 60 -o slow.csv
done_quietly lgn fit slow.csv --structure parametric:oscillator --start omega=2.8 -o slow.json
holds slow.json '"warnings": []'
near "$(field omega slow.json)" 2.8 1e-9 "2.8 rad between samples"
done_quietly lgn fit slow.csv --structure full -o slow.json
holds slow.json '"code":"aliasing"'
lgn generate oscillator --omega 3.5 --dt 1 --t1 60 -o slow.csv
done_quietly lgn fit slow.csv --structure parametric:oscillator --start omega=3.5 -o slow.json
holds slow.json '"code":"aliasing"'

# The closed form needs no epochs on clean data, also where training cannot find the system; and says what it is not for.
lgn generate ladder --sections 20 --trajectories 3 -o clean20.csv --truth truth20.json
done_quietly lgn fit clean20.csv --method closed-form -o closed.json
holds closed.json '"method": "closed-form"' '"iterations":0' '"converged":true'
# Differences of order 12 leave 3.4e-13 of a derivative at ωh ≤ 0.2; 40 states add up some of it.
below "$(lgn modes closed.json --truth truth20.json | sed -n 's/.*‖A\*‖ //p')" 1e-10 "closed form"
done_quietly lgn fit clean20.csv --method closed-form --structure psd -o psd.json
holds psd.json '"structure": "psd"' '"method": "closed-form"' '"iterations":0'
below "$(lgn modes psd.json --truth truth20.json | sed -n 's/.*‖A\*‖ //p')" 1e-8 "closed form of psd"
refused 'closed form takes no initial guess' lgn fit rlc.csv --method closed-form --structure parametric:rlc --start gamma=1
refused 'does not know "guess"' lgn fit clean20.csv --method guess
