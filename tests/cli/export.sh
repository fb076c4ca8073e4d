# Exported models, run without lgn, give what `lgn simulate` gives.
. "$LGN_SOURCE/tests/cli/_check.sh"

# A CSV cell may hold anything but line breaks.
lgn generate oscillator --truth model.json -o data.csv
sed -i 's/"channels": \["q","p"\]/"channels": ["q, \\"m\\"","Δp"]/; s/"time_unit": "s"/"time_unit": "µs"/' model.json

# By the ending, and by name to standard output.
done_quietly lgn export model.json -o model.py
done_quietly lgn export model.json -o circuit.m
done_quietly lgn export model.json -o model.mo
done_quietly lgn export model.json -o model.mat
prints_nothing
holds model.py 'def simulate(times, x0=None):' 'channels = ["q, \"m\"", "Δp"]'
holds circuit.m 'function model = circuit()' "model.channels = {'q, \"m\"', native2unicode(uint8([206 148 112])"
holds model.mo "output Real 'q, \\\"m\\\"' = x[1]" 'der(x) = A*x;' 'experiment(StartTime = 0.0, StopTime = 29.9,' \
  'parameter Real A[2, 2] = {{0.0, 1.0},' '{-1.0, 0.0}}'
equal "$(head -c 20 model.mat)" "MATLAB 5.0 MAT-file," "the header of a MAT file"
done_quietly lgn export model.json --format python
cmp "$out" model.py || fail "standard output differs from the file"
done_quietly lgn export - --format octave <model.json
prints 'function model = model()'
done_quietly lgn export model.json --format matlab
prints 'function model = model()'
done_quietly lgn export model.json --format modelica
prints 'end Model;'
done_quietly lgn export model.json --format mat
cmp "$out" model.mat || fail "standard output differs from the file"

# What cannot be.
refused '.py, .m, .mat, .mo, .cir or .tex' lgn export model.json -o model.txt
refused '.py, .m, .mat, .mo, .cir or .tex' lgn export model.json -o model
refused 'give --format, or a file' lgn export model.json
refused 'no format "java"' lgn export model.json --format java
refused 'my-model' lgn export model.json -o my-model.m
refused '"end"' lgn export model.json -o end.m
refused 'would replace an input' lgn export model.json -o model.json --format python
refused 'no-such-folder' lgn export model.json -o no-such-folder/model.py
echo '{' >broken.json
refused broken.json lgn export broken.json -o broken.py

python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy, scipy.io' 2>/dev/null && python=$candidate && break
done
octave=$(command -v octave-cli || true)

# agree A B WHAT: two tables with the same header and times, states within 1e-12 of the largest.
agree() {
  equal "$(head -n 1 "$2")" "$(head -n 1 "$1")" "the header of $3"
  equal "$(rows "$2")" "$(rows "$1")" "rows of $3"
  paste -d '|' <(tail -n +2 "$1" | tr , ' ') <(tail -n +2 "$2" | tr , ' ') | awk -F '|' '
    { n = split($1, a, " "); if (split($2, b, " ") != n) exit 1; if (a[1] - b[1] != 0) exit 1
      for (k = 2; k <= n; ++k) { d = a[k] - b[k]; if (d < 0) d = -d; if (d > worst) worst = d
        s = a[k] < 0 ? -a[k] : a[k] + 0; if (s > size) size = s } }
    END { print worst / size }' >worst || fail "the tables of $3 do not match"
  below "$(cat worst)" 1e-12 "the largest difference of $3"
}

# both NAME T1 DT: the model NAME.json in Python and in Octave.
both() {
  expect 0 lgn simulate "$1.json" --t1 "$2" --dt "$3" -o "$1.csv"
  done_quietly lgn export "$1.json" -o "$1.py"
  done_quietly lgn export "$1.json" -o "$1.m"
  if [ -n "$python" ]; then
    done_quietly "$python" "$1.py" --t1 "$2" --dt "$3"
    cp "$out" "$1.python.csv"
    agree "$1.csv" "$1.python.csv" "$1 in Python"
  fi
  if [ -n "$octave" ]; then
    {
      echo "data = dlmread('$1.csv', ',', 1, 0); model = $1(); found = model.simulate(data(:, 1));"
      echo "printf([repmat('%.17g,', 1, columns(found)) '%.17g\n'], [data(:, 1), found].');"
    } >compare_with_lgn.m
    expect 0 "$octave" -q compare_with_lgn.m
    { head -n 1 "$1.csv" && cat "$out"; } >"$1.octave.csv"
    agree "$1.csv" "$1.octave.csv" "$1 in Octave"
  fi
}
[ -n "$python" ] || skip "no Python with NumPy and SciPy is installed"
[ -n "$octave" ] || skip "Octave is not installed"

lgn generate rlc --gamma 0.2 --truth rlc.json -o rlc.csv
lgn generate ladder --sections 6 --truth ladder.json -o ladder.csv
lgn generate ladder --sections 50 --truth long_ladder.json -o long_ladder.csv
lgn generate ltv-oscillator --truth breathing.json -o breathing.csv
lgn generate ltv-chain --truth chain.json -o chain.csv
lgn fit breathing.csv --structure ltv-sd --basis harmonics -o harmonics.json --quiet
lgn fit breathing.csv --structure ltv-full --basis spline -o splines.json --quiet
both model 100 0.1
both rlc 1000 1
both ladder 30 0.1
both long_ladder 30 0.1
both breathing 10 0.1
both chain 10 0.1
both harmonics 10 0.1
both splines 10 0.1

# The script's own options are those of lgn simulate.
if [ -n "$python" ]; then
  lgn simulate ladder.json --t0 2 --t1 5 --dt 0.25 --x0 -1,2,3,4,5,6,7,8,9,10,11,12 -o options.csv
  done_quietly "$python" ladder.py --t0 2 --t1 5 --dt 0.25 --x0=-1,2,3,4,5,6,7,8,9,10,11,12
  cp "$out" options.python.csv
  agree options.csv options.python.csv "a start of one's own"
  expect 1 "$python" ladder.py --t1 5 --x0 1,2
  grep -q '12 numbers' "$err" || fail "no word about the number of states"
  expect 1 "$python" ladder.py --t1 5 --run 2
  done_quietly "$python" -c "
import scipy.io
m = scipy.io.loadmat('model.mat', uint16_codec='utf-16')
print(m['A'].tolist(), m['x0'].ravel().tolist(), [str(c[0]) for c in m['channels'].ravel()], m['time_unit'][0, 0][0])
print(sorted(abs(m['poles_im']).ravel().tolist()))"
  prints "[[0.0, 1.0], [-1.0, 0.0]] [1.0, 0.0] ['q, \"m\"', 'Δp'] µs" '[1.0, 1.0]'
fi
if [ -n "$octave" ]; then
  expect 0 "$octave" -q --eval "
    m = load('model.mat'); c = circuit();
    assert(m.A, [0 1; -1 0]); assert(m.x0, [1; 0]); assert(m.poles_re, [0; 0]); assert(abs(m.poles_im), [1; 1]);
    assert(m.channels{1}, 'q, \"m\"'); assert(m.time_unit{1}, c.time_unit);
    assert(c.A, m.A); assert(c.channels{2}, 'Δp'); assert(c.x0, m.x0); assert(c.poles, complex(m.poles_re, m.poles_im));
    x = c.simulate([0 pi], [0 1]); assert(x, [0 1; 0 -1], 1e-14);"
fi
