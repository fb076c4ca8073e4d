# Nonlinear laws under forces: fit, simulate, evaluate, exports; a bootstrap and checkpoints of laws.
. "$LGN_SOURCE/tests/cli/_check.sh"

done_quietly lgn generate duffing --input multisine --trajectories 2 --t1 20 --noise 1% -o data.csv --truth truth.json
holds truth.json '"inputs": ["u"]' '"function":"u"'
done_quietly lgn fit data.csv --structure nonlinear -o model.json
prints "q1^3" " u" "its energy grows by no more than the work of the inputs"
holds model.json '"record": "driven"' '"hold": "zoh"' '"function":"u"'

# The same force on a new run, from a state that is known.
done_quietly lgn generate duffing --input steps --seed 7 --t1 60 --x0 1.5,-0.5 -o new.csv
done_quietly lgn evaluate model.json new.csv --json
below "$(sed -n 's/.*"nrmse": *\([0-9.e-]*\).*/\1/p' "$out" | head -n 1)" 0.01 "the prediction"
cut -d, -f1,4 new.csv >force.csv
head -n 1 force.csv | grep -qx "t,u" || fail "the force is $(head -n 1 force.csv)"
done_quietly lgn simulate model.json --t1 59 --x0 1.5,-0.5 --input force.csv -o states.csv
done_quietly lgn simulate model.json --t1 59 --dt 0.1 --x0 1.5,-0.5 -o free.csv
tail -n 1 states.csv >with && tail -n 1 free.csv >without
cmp -s with without && fail "the force moves nothing"

# In other languages: six digits of the last state.
last() { tail -n 1 "$1" | awk -F, '{ printf "%.6f %.6f", $2, $3 }'; }
done_quietly lgn export model.json -o law.py
if /usr/bin/python3 -c 'import scipy.integrate' 2>/dev/null; then
  /usr/bin/python3 law.py --t1 59 --x0=1.5,-0.5 --input force.csv >python.csv || fail "law.py fails"
  equal "$(last python.csv)" "$(last states.csv)" "what Python computes"
fi
done_quietly lgn export model.json -o duffing_law.m
if command -v octave-cli >/dev/null; then
  octave-cli -q --eval 'f = csvread("force.csv", 1, 0); f = f(f(:, 1) <= 59, :);
    m = duffing_law(); x = m.simulate(f(:, 1), [1.5 -0.5], f(:, 2)); printf("%.6f %.6f", x(end, :));' >octave.txt
  equal "$(cat octave.txt)" "$(last states.csv)" "what Octave computes"
fi
done_quietly lgn export model.json -o law.mo
holds law.mo "input Real 'u'" '*u[1]'
done_quietly lgn export model.json -o law.tex
holds law.tex ' u'

# What the report draws, and what modes prints.
mkdir figures
done_quietly lgn report model.json data.csv -o page.html --figures figures
for name in portrait-1 backbone-frequency spring-1 damper-1; do
  holds "figures/$name.svg" "<svg"
done
done_quietly lgn modes model.json
prints "amplitude of q1"

# Straight lines between samples are seen to be such; a delay may be given, and is not estimated.
done_quietly lgn generate duffing --input multisine --hold foh --trajectories 2 --t1 20 --noise 1% -o straight.csv
done_quietly lgn fit straight.csv --structure nonlinear --json
prints '"hold": "foh"'
expect 2 lgn fit data.csv --structure nonlinear --delay auto
holds "$err" "--delay"
expect 2 lgn fit data.csv --structure nonlinear --method successive
holds "$err" "--inputs none"

# Standard errors by repeated fits; a search that goes on from a file gives the same model.
done_quietly lgn fit data.csv --structure nonlinear --bootstrap 30 --json
prints '"bootstrap":30'
done_quietly lgn fit data.csv --structure nonlinear --checkpoint state.bin -o first.json
done_quietly lgn fit data.csv --structure nonlinear --checkpoint state.bin -o second.json
grep -v '"seconds"\|"command"' first.json >first && grep -v '"seconds"\|"command"' second.json >second
cmp -s first second || fail "a search that went on ends elsewhere"
