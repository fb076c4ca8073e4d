# Hidden states: every command and export knows C.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 3 --t1 30 --dt 0.1 --noise 1% --x0 e1 --trajectories 2 | awk -F, -v OFS=, '
  NR == 1 { for (k = 1; k <= NF; ++k) { if ($k == "v1") a = k; if ($k == "v3") b = k } } NR > 1 { $a += 5; $b -= 2 } 1' >all.csv
done_quietly lgn fit all.csv --channels v1,v3 --states 6 -o model.json --report fit.html --figures fitted --quiet
holds model.json '"C": [[' '"stabilisation": {"singular_values":' '"states": ["x1","x2","x3","x4","x5","x6"]' '"offset": [' '"shape":[[' '"spurious":null'
done_quietly lgn modes model.json
prints "v3, v1" "offset: v1 5 ±"
done_quietly lgn modes model.json --json
command="cmp"
cmp -s "$out" model.json || fail "the model does not read back to itself"

# The report, from the fit and again.
done_quietly lgn report model.json all.csv --channels v1,v3 -o again.html --figures again
equal "$(ls again)" "$(ls fitted)" "fit and report draw the same plots"
for name in stabilisation hankel assurance complexity-1 complexity-3 spectrum-1 spectrum-2; do
  holds "again/$name.svg" '<svg' '</svg>'
  cmp -s "again/$name.svg" "fitted/$name.svg" || fail "fit and report draw $name differently"
done
holds again.html "data-plot='stabilisation'" "data-plot='hankel'" "data-plot='assurance'" "data-plot='spectrum-2'"

# Two channels out, from six states in.
done_quietly lgn evaluate model.json all.csv --channels v1,v3 --json
below "$(sed -n '2s/.*: \(.*\),/\1/p' "$out")" 0.02 "what 1% noise leaves"
refused 'hidden states cannot be read' lgn evaluate model.json all.csv --channels v1,v3 --x0 measured
done_quietly lgn simulate model.json --t1 30 --dt 0.1 -o found.csv
equal "$(head -n 1 found.csv)" "t,v1,v3" "channels, not states"
done_quietly lgn simulate model.json --t1 1 --dt 0.5 --x0 0,0,0,0,0,0
equal "$(sed -n '2p;4p' "$out" | cut -d, -f2- | uniq | wc -l)" 1 "at rest channels show their offset"
refused '6 states' lgn simulate model.json --t1 1 --x0 1,2

# Exports agree with lgn simulate to 1e-12 (tests/report/export_runs_test.cpp has more of them).
done_quietly lgn export model.json -o model.py
done_quietly lgn export model.json -o hidden.m
done_quietly lgn export model.json -o model.mo
done_quietly lgn export model.json -o model.mat
holds model.py 'C = np.array' 'y = C x + offset'
holds hidden.m 'model.C = ['
holds model.mo 'Real y[2] = C*x + offset' "output Real 'v3' = y[2]" 'der(x) = A*x;'
python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy, scipy.io' 2>/dev/null && python=$candidate && break
done
# worst: the largest difference of a table on standard input from found.csv, beside its largest value.
worst() {
  paste -d, <(tail -n +2 found.csv) - | awk -F, '
    { for (k = 2; k <= 3; ++k) { d = $k - $(k + 3); if (d < 0) d = -d; if (d > w) w = d; if ($k > s) s = $k } }
    END { if (NR != 301) print "rows"; else print w / s }'
}
if [ -n "$python" ]; then
  done_quietly "$python" model.py --t1 30 --dt 0.1
  equal "$(head -n 1 "$out")" "t,v1,v3" "channels of the script"
  below "$(tail -n +2 "$out" | worst)" 1e-12 "the script in Python"
  done_quietly "$python" -c "
import numpy as np, scipy.io, scipy.linalg
m = scipy.io.loadmat('model.mat')
for k in range(301):
    y = m['C'] @ scipy.linalg.expm(0.1 * k * m['A']) @ m['x0'] + m['offset']
    print('%.17g,%.17g,%.17g' % (0.1 * k, *y.ravel()))"
  below "$(worst <"$out")" 1e-12 "the arrays of the MAT file"
else
  skip "no Python with NumPy and SciPy is installed"
fi
if command -v octave-cli >octave.path; then
  echo "m = hidden(); t = (0:0.1:30).'; printf('%.17g,%.17g,%.17g\n', [t, m.simulate(t)].');" >run_hidden.m
  expect 0 octave-cli -q run_hidden.m
  below "$(worst <"$out")" 1e-12 "the script in Octave"
else
  skip "Octave is not installed"
fi

# A tone of a stronger one is marked: twice the frequency, a fiftieth as large.
awk 'BEGIN { srand(1); print "t,y"; for (k = 0; k < 600; ++k) { t = k / 20
  printf "%.2f,%.9f\n", t, exp(-t / 20) * cos(6.4 * t) + 0.02 * exp(-t / 10) * cos(12.8 * t + 1) + 2e-4 * (rand() - 0.5) } }' >tone.csv
done_quietly lgn fit tone.csv --states 4 -o tone.json
prints 'spurious? harmonic or combination tone: 2.037 = 2 × 1.019' 'warning [spurious-modes]'
done_quietly lgn modes tone.json --format csv
prints identifiable,spurious '"harmonic or combination tone: 2.037 = 2 × 1.019"'
