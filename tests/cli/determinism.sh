# The same data, options and seed give the same model, bit for bit; only the seconds differ.
. "$LGN_SOURCE/tests/cli/_check.sh"

without_seconds() { sed 's/"seconds":[^,}]*/"seconds":0/' "$1"; }
lgn generate ladder --trajectories 2 --noise 5% --t1 10 -o data.csv
lgn generate rlc --noise 5% -o rlc.csv
for structure in sd skew psd full parametric:ladder parametric:rlc; do
  data=data.csv
  [ $structure != parametric:rlc ] || data=rlc.csv
  for try in 1 2; do
    done_quietly lgn fit $data --structure $structure --epochs 300 --seed 5 --quiet -o $try.json --report $try.html
    without_seconds $try.json >$try.txt
  done
  cmp -s 1.txt 2.txt || fail "two models with structure $structure differ"
done
done_quietly lgn fit data.csv --epochs 300 --seed 6 --quiet -o other.json
done_quietly lgn fit data.csv --epochs 300 --seed 5 --quiet -o same.json
! cmp -s <(grep '"A"' other.json) <(grep '"A"' same.json) || fail "the seed does not matter"

for try in 1 2; do lgn generate random --seed 12345678901234567890 --noise 3% >$try.csv; done
cmp -s 1.csv 2.csv || fail "two data files of one seed differ"
