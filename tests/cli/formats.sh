# Data in NPY, NPZ, MAT and HDF5 files: the program's own, and those of NumPy, SciPy, h5py and Octave where they are.
. "$LGN_SOURCE/tests/cli/_check.sh"

# found FILES… [OPTIONS…]: the truth, ω² = 1 and γ = 0.2, comes out.
found() {
  done_quietly lgn fit "$@" --structure parametric:rlc -o found.json
  near "$(field omega2 found.json)" 1 1e-7 "omega2 from $*"
  near "$(field gamma found.json)" 0.2 1e-6 "gamma from $*"
}
# same_numbers A B: both files give the same fit to the last bit, in every structure.
same_numbers() {
  for structure in skew sd scaled-sd psd metric full parametric:rlc; do
    lgn fit "$1" --structure $structure --json --quiet | grep '"A"' >"$streams/a"
    lgn fit "$2" --structure $structure --json --quiet | grep '"A"' >"$streams/b"
    [ -s "$streams/a" ] && cmp -s "$streams/a" "$streams/b" || fail "$1 and $2 give different $structure fits"
  done
}
generate() { lgn generate rlc --gamma 0.2 --trajectories 2 --x0 random -o "$1"; }

done_quietly generate runs.csv
endings="npz mat npy"
if generate runs.h5 2>"$err"; then
  endings="$endings h5"
else
  grep -q 'without the HDF5 library' "$err" || fail "no word about HDF5"
fi
for ending in $endings; do
  done_quietly generate "runs.$ending"
  prints_nothing
  found "runs.$ending"
  holds found.json '"runs":2' '"samples":600'
  same_numbers runs.csv "runs.$ending"
  [ "$ending" = npy ] || holds found.json '"channels": ["q","p"]'
done
ls ./*.tmp 2>/dev/null && fail "something is left behind"

# The bytes tell the format, from a stream too; formats mix.
cp runs.npz misnamed.csv
found misnamed.csv
from_stream() { lgn fit - --structure parametric:rlc --json <runs.mat; }
done_quietly from_stream
prints '"runs":2'
from_pipe() { cat runs.npz | lgn evaluate found.json -; }
lgn fit runs.csv --structure parametric:rlc -o found.json --quiet
done_quietly from_pipe
prints 'run 2'
found runs.csv runs.npz runs.mat
holds found.json '"runs":6'
refused 'no channel "x1"' lgn fit runs.npz --channels x1
found runs.npz --channels q,p

# simulate and evaluate.
for ending in $endings; do
  done_quietly lgn simulate found.json --t1 10 --dt 0.1 --x0 1,0 -o "sim.$ending"
  if [ "$ending" != npy ]; then
    done_quietly lgn evaluate found.json "sim.$ending" --json
    below "$(field nrmse "$out")" 1e-12 "the error of a simulation read from $ending"
    done_quietly lgn simulate found.json --t1 10 --times "sim.$ending" --x0 1,0
    equal "$(rows "$out")" 102 "rows at the times of $ending"
    done_quietly lgn report found.json "sim.$ending" -o report.html
  fi
done

# Damaged files: one line that names the file.
for ending in $endings; do
  head -c 200 "runs.$ending" >"cut.$ending"
  refused "cut.$ending: " lgn fit "cut.$ending"
  head -c 1000 "runs.$ending" >"cut.$ending"
  refused "cut.$ending: " lgn fit "cut.$ending"
done
printf 'PK\3\4' >small.npz
refused 'small.npz: the ZIP archive' lgn fit small.npz
refused 'no/where.npz: cannot write' lgn generate rlc -o no/where.npz

python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate && break; fi
done
# has MODULE: that Python has it.
has() { [ -n "$python" ] && "$python" -c "import $1" 2>/dev/null; }

if has numpy; then
  "$python" - <<'END' || fail "NumPy could not write"
import numpy as np
rows = np.genfromtxt("runs.csv", delimiter=",", skip_header=1)
t, x = rows[:300, 1], rows[:, 2:].reshape(2, 300, 2)
read = np.load("runs.npz")
assert read["t"].shape == (300,) and read["x"].shape == (2, 300, 2) and (read["x"] == x).all()
assert list(read["channels"]) == ["q", "p"] and list(read["runs"]) == ["1", "2"]
assert (np.load("runs.npy")[:, :, 1:] == x).all()
np.savez("np.npz", t=t, x=x)
np.savez_compressed("deflated.npz", t=t, x=np.asfortranarray(x), channels=["q", "p"])
np.savez("one.npz", t=t, x=x[0], u=np.zeros(300))
np.save("table.npy", np.column_stack([t, x[0]]))
np.savez("objects.npz", t=t, x=np.array([None] * 300))
np.savez("no_times.npz", x=x)
END
  found np.npz
  holds found.json '"channels": ["x1","x2"]'
  found deflated.npz
  found one.npz
  found table.npy
  refused 'objects.npz: "x" holds Python objects' lgn fit objects.npz
  refused 'no_times.npz: no array t or time' lgn fit no_times.npz
else
  skip "files of NumPy, which is not installed"
fi

if has scipy.io; then
  "$python" - <<'END' || fail "SciPy disagrees"
import numpy as np, scipy.io
read, own = scipy.io.loadmat("runs.mat"), np.load("runs.npz")
assert (read["x"] == own["x"]).all() and read["channels"][0, 1][0] == "p"
scipy.io.savemat("sp.mat", {"t": own["t"], "x": own["x"]}, do_compression=True)
END
  found sp.mat
else
  skip "files of SciPy, which is not installed"
fi

if has h5py && [ -f runs.h5 ]; then
  "$python" - <<'END' || fail "h5py disagrees"
import numpy as np, h5py
own = np.load("runs.npz")
with h5py.File("runs.h5") as f:
    assert (f["x"][:] == own["x"]).all() and f["channels"].asstr()[1] == "p"
with h5py.File("h5.h5", "w") as f:
    f["t"] = own["t"]
    f.create_dataset("x", data=own["x"], compression="gzip")
    f["channels"] = ["q", "p"]
END
  found h5.h5
else
  skip "files of h5py, which is not installed"
fi

if command -v octave >/dev/null && octave --no-gui --norc --eval '1;' >/dev/null 2>&1; then
  octave --no-gui --norc --quiet --eval '
    own = load("runs.mat"); t = own.t; channels = own.channels;
    if !isequal(channels, {"q", "p"}) || size(own.x) != [2 300 2], exit(1), end
    x = permute(own.x, [2 3 1]);
    save("-v7", "oct.mat", "t", "x", "channels");
    x = x(:, :, 1); t = t.'"'"';
    save("-v6", "row.mat", "t", "x");' 2>"$err" || fail "Octave disagrees"
  found oct.mat
  found row.mat
else
  skip "files of Octave, which is not installed"
fi
