# The same data, options and seed give the same model, bit for bit; only the seconds differ.
. "$LGN_SOURCE/tests/cli/_check.sh"

without_seconds() { sed 's/"seconds":[^,}]*/"seconds":0/' "$1"; }
lgn generate ladder --trajectories 2 --noise 5% --t1 10 -o data.csv
lgn generate rlc --noise 5% -o rlc.csv
for structure in auto sd skew psd scaled-sd metric full parametric:ladder parametric:rlc; do
  data=data.csv
  [ $structure != parametric:rlc ] || data=rlc.csv
  for method in auto adam; do
    [ "$structure $method" != "auto adam" ] || continue # trains every structure
    for try in 1 2; do
      done_quietly lgn fit $data --structure $structure --method $method --epochs 300 --seed 5 --quiet -o $try.json \
        --report $try.html
      without_seconds $try.json >$try.txt
    done
    cmp -s 1.txt 2.txt || fail "two models with structure $structure by $method differ"
  done
done
for seed in 5 6; do
  done_quietly lgn fit data.csv --structure sd --method adam --epochs 300 --seed $seed --quiet -o adam$seed.json
  done_quietly lgn fit data.csv --seed $seed --quiet -o $seed.json
done
! cmp -s <(grep '"A"' adam5.json) <(grep '"A"' adam6.json) || fail "the seed does not matter"
equal "$(grep '"A"' 5.json)" "$(grep '"A"' 6.json)" "maximum likelihood starts from the data, not from a seed"

for try in 1 2; do lgn generate random --seed 12345678901234567890 --noise 3% >$try.csv; done
cmp -s 1.csv 2.csv || fail "two data files of one seed differ"
