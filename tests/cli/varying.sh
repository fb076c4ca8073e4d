# Generators that vary in time: data, fits in every basis, what the model file knows, simulation, and what is refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

but_for_seconds() { sed -E 's/"seconds":[^,}]*//' "$1"; }
# of_variation NAME MODEL: the first value of that name in the model's variation.
of_variation() { grep '^  "variation"' "$2" | grep -oE "\"$1\":[^],}]*" | head -n 1 | sed 's/^[^:]*://'; }
nrmse() { lgn evaluate "$@" --x0 measured --json | grep -m 1 nrmse | grep -oE '[0-9][0-9.e+-]*'; }

# Experiment 2 of the paper: trained on t < 20, not told what varies nor how fast, tested on t < 100. The limit is the
# project's own for this experiment.
done_quietly lgn generate ltv-oscillator --t1 20 -o train.csv --truth truth.json
done_quietly lgn generate ltv-oscillator --t1 100 -o test.csv
done_quietly lgn fit train.csv --structure ltv-sd -o model.json --report report.html
prints "structure ltv-sd (guaranteed passive" "ω1 = 1 ± " "Floquet" "all states decay" "frozen-time poles" \
  "modes of the mean generator" "constant"
! grep -qE 'warning|nan' "$out" || fail "a warning or nan"
below "$(nrmse model.json test.csv)" 1e-6 "the NRMSE over t < 100"
holds model.json '"structure": "ltv-sd"' '"base":"sd"' '"name":"harmonics"' '"extrapolates":true' '"converged":true'
near "$(of_variation omega model.json)" 1 1e-6 "the frequency"
near "$(of_variation amplitude model.json)" 0.15 1e-6 "the amplitude"
holds report.html "Variation" "data-plot='moving-poles'"
done_quietly lgn modes model.json
prints "ω1 = 1 ± " "all states decay"
done_quietly lgn modes model.json --truth truth.json
prints "mean |Δλ|"
done_quietly lgn report model.json train.csv -o again.html --figures .
holds variation-1.svg "<svg"

# auto finds that the generator varies, and does not where it is constant.
done_quietly lgn fit train.csv -o auto.json
prints "→ chosen: the generator varies in time" "ltv-sd"
below "$(nrmse auto.json test.csv)" 1e-6 "the NRMSE of auto"
lgn generate rlc --noise 2% -o constant.csv
done_quietly lgn fit constant.csv -o constant.json
holds constant.json '"structure": "sd"' '"variation": null'

# The law, from the paper's start, at other steps and on uneven times.
for data in "--dt 0.1" "--dt 0.2"; do
  lgn generate ltv-oscillator --t1 20 $data -o law.csv
  awk -F, 'NR < 3 || (NR * 7919) % 5 > 1' law.csv >uneven.csv
  for file in law.csv uneven.csv; do
    for structure in parametric:ltv-oscillator ltv-parametric; do
      done_quietly lgn fit $file --structure $structure -o law.json
      near "$(field omega2 law.json)" 1 1e-6 "omega2 of $file"
      near "$(field gamma0 law.json)" 0.3 1e-6 "gamma0 of $file"
      near "$(field a law.json)" 0.5 1e-6 "a of $file"
      near "$(field omega_d law.json)" 1 1e-6 "omega_d of $file"
    done
  done
done
done_quietly lgn fit law.csv --structure parametric:ltv-oscillator --start omega2=0.8,a=0.3 -o law.json
near "$(field omega2 law.json)" 1 1e-6 "omega2 from another start"
for order in 4 4-simpson 4-commutator-free; do
  done_quietly lgn fit train.csv --structure parametric:ltv-oscillator --magnus $order -o law.json
  near "$(field a law.json)" 0.5 1e-6 "a by method $order"
  holds law.json "\"method\":\"$order\""
done

# Standard errors are those of the constants: 1% noise leaves each within four of them, and they repeat in the file.
lgn generate ltv-oscillator --t1 20 --noise 1% -o noisy.csv
done_quietly lgn fit noisy.csv --structure parametric:ltv-oscillator -o law.json
near "$(grep -oE '"name":"omega2","value":[^,]*,"se":[^}]*' law.json | sed 's/.*"se"://')" \
  "$(grep '^  "variation"' law.json | sed 's/.*"se":\[//' | cut -d , -f 1)" 1e-12 "the standard error of omega2"
# ω_n = √omega2 = 1, so that its standard error is half of that.
near "$(se_fields natural_frequency law.json | head -n 1)" \
  "$(grep -oE '"name":"omega2","value":[^,]*,"se":[^}]*' law.json | sed 's/.*"se"://' | awk '{ print $1 / 2 }')" 0.02 \
  "the standard error of the natural frequency"
# A frequency far from where the law starts.
lgn generate ltv-oscillator --t1 20 --omega-d 2.5 -o fast.csv
done_quietly lgn fit fast.csv --structure parametric:ltv-oscillator -o fast.json
near "$(field omega_d fast.json)" 2.5 1e-6 "a fast omega_d"

# A search that is stopped says so.
expect 0 lgn fit noisy.csv --structure ltv-sd --max-seconds 0.02 -o stopped.json
holds stopped.json '"converged":false'
done_quietly lgn modes stopped.json

# Where nothing varies, the model says so and can be read again.
lgn generate rlc --noise 1% -o still.csv
done_quietly lgn fit still.csv --structure ltv-sd --basis harmonics -o still.json
prints "no parameter of the generator varies"
done_quietly lgn modes still.json

# Simulation: any grid, from any time; a model goes on where the data did.
done_quietly lgn simulate model.json --t0 3 --t1 4 --dt 0.25 --x0 1,0 -o part.csv
equal "$(rows part.csv)" 6 "lines of part.csv"
done_quietly lgn simulate model.json --t1 20 --dt 0.1 -o all.csv
at() { grep "^$1," all.csv | cut -d , -f 2,3; }
done_quietly lgn simulate model.json --t0 3 --t1 4 --dt 0.5 --x0 "$(at 3)" -o from3.csv
near "$(tail -n 1 from3.csv | cut -d , -f 2)" "$(at 4 | cut -d , -f 1)" 1e-9 "q(4) from t = 3"

# Runs that start at other times: each goes on from its own.
awk -F, -v OFS=, 'NR == 1 { print "trajectory", $0; next } $1 >= 5 { print "late", $0 }' train.csv >runs.csv
awk -F, -v OFS=, 'NR > 1 { print "early", $0 }' train.csv >>runs.csv
done_quietly lgn fit runs.csv --structure ltv-sd --basis harmonics -o runs.json
for run in 1:5 2:0; do
  done_quietly lgn simulate runs.json --run ${run%:*} --t1 8 --dt 1 -o run.csv
  equal "$(sed -n 2p run.csv | cut -d , -f 1)" "${run#*:}" "when run ${run%:*} starts"
  near "$(tail -n 1 run.csv | cut -d , -f 2)" "$(at 8 | cut -d , -f 1)" 1e-6 "q(8) of run ${run%:*}"
done

# A drift: splines, which say where they end.
done_quietly lgn fit train.csv --structure ltv-sd --basis spline -o spline.json
prints "A(t) drifts" "cubic splines" "smallest"
below "$(field nrmse_train spline.json)" 1e-3 "the error of splines"
holds spline.json '"name":"spline"' '"extrapolates":false'
expect 0 lgn simulate spline.json --t1 30
grep -q 'warning \[extrapolation\]' "$err" || fail "no word about extrapolation"
done_quietly lgn simulate spline.json --t1 19
expect 0 lgn evaluate spline.json test.csv
grep -q 'warning \[extrapolation\]' "$err" || fail "no word about extrapolation"
done_quietly lgn fit train.csv --structure ltv-full -o full.json
prints "structure ltv-full (no guarantee)"
below "$(nrmse full.json test.csv)" 1e-6 "the NRMSE of ltv-full"

# The paper's training: 153 parameters, the same for a seed.
for file in adam same; do
  done_quietly lgn fit train.csv --structure ltv-sd --basis fourier --method adam --epochs 200 --x0 measured -o $file.json
done
equal "$(but_for_seconds adam.json)" "$(but_for_seconds same.json)" "the same training twice"
equal "$(grep '^  "parameters"' adam.json | grep -oE '"[^"]*":' | wc -l)" 154 "its parameters, and their heading"
holds adam.json '"method": "adam"' '"link":"softplus"' '"name":"fourier"'

# A chain whose middle spring drifts, by its law.
lgn generate ltv-chain --masses 3 --trajectories 2 --noise 1% -o chain.csv --truth chain.truth
done_quietly lgn fit chain.csv --structure parametric:ltv-chain -o chain.json
near "$(field drift chain.json)" 0.3 0.1 "the drift"
done_quietly lgn evaluate chain.truth chain.csv
done_quietly lgn generate ltv-oscillator --modulation 0.2 --omega-d 2 --gamma 0.1 --omega 3

# What is refused.
refused 'basis does not know "wavelet"' lgn fit train.csv --structure ltv-sd --basis wavelet
refused 'unknown Magnus method "5"' lgn fit train.csv --structure ltv-sd --magnus 5
refused 'unknown structure "ltv-network"' lgn fit train.csv --structure ltv-network
refused 'unknown law "ltv-swing"' lgn fit train.csv --structure parametric:ltv-swing
refused 'does not vary in time' lgn fit train.csv --structure sd --basis spline
refused 'has no closed form' lgn fit train.csv --structure ltv-sd --method closed-form
refused 'a law has no basis' lgn fit train.csv --structure parametric:ltv-oscillator --basis spline
refused 'adam does not look for frequencies' lgn fit train.csv --structure ltv-sd --basis harmonics --method adam
refused 'cannot vary' lgn fit train.csv --channels q --structure ltv-skew
refused 'has no parameter "mass"' lgn fit train.csv --structure parametric:ltv-oscillator --start mass=1
refused 'a cannot have the initial guess 2' lgn fit train.csv --structure parametric:ltv-oscillator --start a=2
refused 'only a law has parameters to guess' lgn fit train.csv --structure ltv-sd --start a=0.1
refused 'two states' lgn fit chain.csv --structure parametric:ltv-oscillator
refused 'below one' lgn generate ltv-oscillator --modulation 1.5
refused 'must be positive' lgn generate ltv-oscillator --omega-d 0
