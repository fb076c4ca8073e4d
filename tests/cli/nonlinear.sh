# Nonlinear laws: generate, fit, simulate, evaluate; refusals.
. "$LGN_SOURCE/tests/cli/_check.sh"

done_quietly lgn generate duffing --trajectories 2 --t1 20 --noise 1% -o data.csv --truth truth.json
holds truth.json '"structure": "nonlinear-mechanical"' '"nonlinear": {' '"function":"q1^3"'
done_quietly lgn fit data.csv --structure nonlinear -o model.json
prints "dq1/dt = v1" "q1^3" "its energy does not grow"
holds model.json '"structure": "nonlinear-mechanical"' '"dissipative":true' '"formula":['

# From a new state, five times as long as the data.
lgn generate duffing --t1 100 --x0 1.5,-0.5 -o new.csv
done_quietly lgn evaluate model.json new.csv --json
below "$(sed -n 's/.*"nrmse": *\([0-9.e-]*\).*/\1/p' "$out" | head -n 1)" 0.004 "the prediction"
done_quietly lgn simulate model.json --t1 100 --dt 10 --x0 1.5,-0.5
equal "$(rows "$out")" 12 "eleven times and a header"

# What gains energy is refused, with a reason.
lgn generate van-der-pol --t1 30 --trajectories 2 --noise 1% -o cycle.csv
expect 1 lgn fit cycle.csv --structure nonlinear
holds "$err" "contradict" "--structure polynomial"
done_quietly lgn fit cycle.csv --structure polynomial
prints "nothing is promised"

# An offset that is estimated; what a law has not.
done_quietly lgn fit data.csv --structure nonlinear-mechanical --offset estimate --json
prints '"offset": ['
expect 2 lgn fit data.csv --structure sd --method successive
holds "$err" "--structure nonlinear"

# The law in other languages.
done_quietly lgn export model.json -o law.tex
holds law.tex '\dot{v_{1}} &= -' 'q_{1}^3'
done_quietly lgn export model.json -o law.mo
holds law.mo 'der(x) = {' 'x[1]*x[1]*x[1]'
expect 2 lgn export model.json -o model.mat
holds "$err" "linearisation"
# x after ten seconds, the last line of a table, to eight digits.
last() { tail -n 1 "$1" | awk -F, '{ printf "%.8f %.8f", $2, $3 }'; }
lgn simulate model.json --t1 10 --dt 1 --x0 1.5,-0.5 -o states.csv
lgn export model.json -o law.py
if /usr/bin/python3 -c 'import scipy.integrate' 2>/dev/null; then
  /usr/bin/python3 law.py --t0 0 --t1 10 --dt 1 --x0=1.5,-0.5 >python.csv
  equal "$(last python.csv)" "$(last states.csv)" "what Python computes"
fi
lgn export model.json -o duffing_law.m
if command -v octave-cli >/dev/null; then
  octave-cli -q --eval 'm = duffing_law(); x = m.simulate(0:10, [1.5 -0.5]); printf("%.8f %.8f", x(end, :));' >octave.txt
  equal "$(cat octave.txt)" "$(last states.csv)" "what Octave computes"
fi

# Positions alone: the velocity is a state that nobody measured.
cut -d, -f1,2,3 data.csv >position.csv
head -n 1 position.csv | grep -q q1 || fail "the first columns are $(head -n 1 position.csv)"
done_quietly lgn fit position.csv --structure nonlinear -o position.json
prints "dq1/dt = v1" "q1^3" "its energy does not grow"
done_quietly lgn simulate position.json --t1 10 --dt 1 --x0 1.5,-0.5
done_quietly lgn evaluate position.json position.csv
done_quietly lgn export position.json -o position.py
holds position.py 'channels = ["q1", "v1"]'
mkdir position
done_quietly lgn report position.json position.csv -o position.html --figures position
holds position/portrait-1.svg "<svg"
expect 2 lgn fit position.csv --structure nonlinear --states 3
holds "$err" "--states 2"

# Frequency and damping against amplitude, and what the report draws of a law.
done_quietly lgn modes model.json
prints "amplitude of q1" "dv1/dt = -"
mkdir figures
done_quietly lgn report model.json data.csv -o page.html --figures figures
holds page.html "<h2>Law</h2>" "data-plot='portrait-1'" "data-plot='backbone-frequency'"
for name in portrait-1 backbone-frequency backbone-damping potential-1 spring-1 damper-1 energy; do
  holds "figures/$name.svg" "<svg"
done
# A pendulum that hardly decays: frequency over that of small swings is AGM(1, cos(a/2)), a the amplitude.
lgn generate pendulum --gamma 1e-6 --t1 20 --x0 2,0 -o swing.csv --truth swing.json
lgn fit swing.csv --structure nonlinear-mechanical -o swing.json
done_quietly lgn modes swing.json
# To four digits, of the five that the table has.
awk '/^amplitude of/ { table = 1; next }
     table && NF >= 3 && $1 + 0 > 0 {
       x = 1; y = cos($1 / 2)
       for (k = 0; k < 6; ++k) { mean = (x + y) / 2; y = sqrt(x * y); x = mean }
       ratio = $2 * 2 * 3.14159265358979 / x; ++rows
       if (ratio < 0.9999 || ratio > 1.0001) { print "at", $1, "ratio", ratio; wrong = 1 }
     }
     END { exit wrong || rows < 5 }' "$out" >backbone.txt || fail "the backbone of a pendulum: $(cat backbone.txt)"

# Linear data stay linear.
lgn generate rlc --noise 1% -o linear.csv
done_quietly lgn fit linear.csv --json
prints '"nonlinear": null'
