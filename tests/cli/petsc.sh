# `lgn fit --engine petsc`: the same fit on one, two and three ranks of mpirun, killed and gone on with, and what it refuses.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate network --topology rlc-grid --size 5 --spread 5 --trajectories 2 --t1 8 --noise 1% -o data.h5 --edges edges.csv
mkdir alone
cp "$program" alone/lgn
# Cells in the middle of the samples, which stand side by side in the file, are missing.
/usr/bin/python3 - <<'END'
import random
text = bytearray(open("data.h5", "rb").read())
random.seed(1)
for _ in range(40):
    place = random.randrange(len(text) // 3, len(text) * 2 // 3) // 8 * 8
    text[place:place + 8] = bytes.fromhex("000000000000f87f")
open("data.h5", "wb").write(text)
END
fit="fit data.h5 --structure network --edges edges.csv --engine"
expect 2 alone/lgn $fit petsc
holds "$err" "lgn-petsc" "make petsc"
[ -x "$(dirname "$program")/lgn-petsc" ] || { skip "lgn-petsc was not built"; exit 0; }

# OpenMPI's shared memory wants folders of its own; no network is asked for.
export OMPI_MCA_btl=self,vader OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
ranks() {
  local count=$1
  shift
  mpirun --allow-run-as-root --oversubscribe -n "$count" "$program" "$@"
}
# Of two models: the largest difference of θ and of its standard errors, relative to the largest of each list.
difference() {
  /usr/bin/python3 - "$1" "$2" <<'END'
import json, sys
one, other = (json.load(open(name)) for name in sys.argv[1:])
a, b = one["network"], other["network"]
assert a["elements"]["from"] == b["elements"]["from"] and a["elements"]["type"] == b["elements"]["type"]
worst = 0
for x, y in [(a["elements"]["value"], b["elements"]["value"]), (a["elements"]["se"], b["elements"]["se"]),
             (a["storages"], b["storages"]), (a["storages_se"], b["storages_se"]),
             (one["fit"]["noise_per_channel"], other["fit"]["noise_per_channel"]),
             (sum(one["x0"], []), sum(other["x0"], []))]:
    assert [v is None for v in x] == [v is None for v in y]
    x, y = [v or 0 for v in x], [v or 0 for v in y]
    worst = max(worst, max(abs(p - q) for p, q in zip(x, y)) / max(map(abs, x)))
print(worst)
END
}

done_quietly lgn $fit sparse --errors always --quiet -o serial.json
for count in 1 2 3; do
  expect 0 ranks $count $fit petsc --errors always --quiet -o $count.json
  below "$(difference serial.json $count.json)" 1e-10 "difference of $count ranks from one process"
done

# A rank that is killed ends the run with a line, and three ranks go on from the checkpoint of two.
ranks 2 $fit petsc --errors always --quiet -o killed.json --checkpoint state >"$out" 2>"$err" &
run=$!
command="a fit whose second rank is killed"
for _ in $(seq 600); do
  [ ! -s state ] || break
  sleep 0.05
done
[ -s state ] || fail "no checkpoint"
mpirun_of_run=$(pgrep -P $run mpirun || echo $run)
if pgrep -P "$mpirun_of_run" | tail -n 1 | xargs -r kill -9 && ! wait $run; then
  holds "$err" "lgn: ended from outside" "--checkpoint"
  [ ! -e killed.json ] || fail "a model of a fit that was killed"
fi
expect 0 ranks 3 $fit petsc --errors always --quiet -o resumed.json --checkpoint state
below "$(difference serial.json resumed.json)" 1e-10 "difference of a fit that went on with another number of ranks"

# With a limit of time, which a fast machine may not reach, all ranks end alike, with a whole model.
lgn generate network --topology rlc-grid --size 16 --trajectories 2 --t1 8 --noise 1% -o larger.h5 --edges larger.csv
larger="fit larger.h5 --structure network --edges larger.csv --engine petsc"
expect 0 ranks 2 $larger --errors always --max-seconds 3 --quiet -o early.json
equal "$(tail -c 2 early.json)" "}" "the end of a model that a limit may have cut short"

# What is wrong is said once.
expect 2 ranks 2 $fit petsc --structure sd
equal "$(grep -c '^lgn: ' "$err")" 1 "lines about a structure that is no network"
expect 2 ranks 2 fit data.csv --structure network --edges edges.csv --engine petsc
equal "$(grep -c '^lgn: .*HDF5' "$err")" 1 "lines about a file that is no HDF5"
