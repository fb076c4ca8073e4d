# Several methods on the same data, one table.
. "$LGN_SOURCE/tests/cli/_check.sh"

# row METHOD KEY FILE: a value of that method in the CSV table.
row() {
  awk -F, -v method="$1" -v key="$2" 'NR == 1 { for (c = 1; c <= NF; ++c) column[$c] = c }
    $1 == method { print $column[key] }' "$3"
}

# Clean data: the structure that made them recovers them, regression on differences does not.
lgn generate ladder --trajectories 2 -o clean.csv
done_quietly lgn compare clean.csv
prints "free parameters" "validation error" BIC guarantee "max Re λ [1/s]" seconds remarks "2 runs, 600 samples" "the last 20%"
equal "$(sed -n '3,8p' "$out" | awk '{ print $1 }' | paste -sd ' ')" "skew sd scaled-sd metric full linear-id" \
  "a row for each of the default methods"
grep -q '^sd .* → .* passive ' "$out" || fail "sd is not marked"
! grep -q '^\(skew\|linear-id\) .*→' "$out" || fail "a wrong model is marked"
done_quietly lgn compare clean.csv --format csv
cp "$out" clean.table
equal "$(rows clean.table)" 7 "a header and six rows"
below "$(row sd nrmse_train clean.table)" 1e-6 "the fit of sd"
below "$(row sd nrmse_holdout clean.table)" 1e-6 "the prediction of sd"
below 1e-4 "$(row linear-id nrmse_holdout clean.table)" "the prediction of linear-id"
below 0.1 "$(row skew nrmse_holdout clean.table)" "the prediction of skew"
for method in sd scaled-sd metric full; do
  equal "$(row $method best clean.table)" true "exact is as good as exact: $method"
done
for method in skew linear-id; do equal "$(row $method best clean.table)" false "$method is worse"; done
equal "$(for method in skew sd scaled-sd metric full linear-id; do row $method numbers_in_A clean.table; done |
  paste -sd ' ')" "15 21 26 36 36 36" "free parameters"
equal "$(row sd dissipative clean.table) $(row skew conservative clean.table) $(row full stable clean.table)" \
  "true true false" "guarantees"
near "$(row sd largest_real_part clean.table)" -0.05 1e-6 "the slowest decay"

# The errors are those of lgn fit on the same split, and of lgn evaluate on the part that was fitted.
lgn generate ladder --trajectories 2 --noise 5% --seed 3 -o noisy.csv
methods=skew,sd,scaled-sd,metric,full,psd,parametric:ladder,sd@closed-form,sd@adam,auto
done_quietly lgn compare noisy.csv --methods $methods --holdout 0.25 -o noisy.table --format csv
equal "$(cut -d, -f1 noisy.table | tail -n +2 | paste -sd ,)" $methods "rows stand as they were asked for"
awk -F, 'NR == 1 || $2 < 22.45' noisy.csv >head.csv
for method in $(echo $methods | tr , ' '); do
  by=auto
  [ "$method" = "${method#*@}" ] || by=${method#*@}
  done_quietly lgn fit noisy.csv --structure ${method%@*} --method $by --holdout 0.25 --errors never -o fit.json
  for key in nrmse_train nrmse_holdout; do
    # Sums in another order: a few thousand values, each rounded.
    near "$(row $method $key noisy.table)" "$(field $key fit.json)" 1e-12 "$key of $method"
  done
  equal "$(row $method numbers_in_A noisy.table)" "$(field numbers_in_A fit.json)" "free parameters of $method"
  [ $method != sd ] || {
    done_quietly lgn evaluate fit.json head.csv --json
    # The starts are fitted with equal weights here, by channel noise there; both are at a minimum.
    near "$(field nrmse "$out")" "$(row sd nrmse_train noisy.table)" 0.01 "evaluate on the part that was fitted"
  }
done
# Within noise no winner: richer structures that hold the true one predict alike, and all are marked.
for method in sd scaled-sd metric parametric:ladder; do
  equal "$(row $method best noisy.table)" true "$method cannot be told from the best"
done
equal "$(row skew best noisy.table)" false "skew is plainly worse"

# JSON: keys, checksum, command; the same numbers.
done_quietly lgn compare noisy.csv --methods sd,linear-id --json
cp "$out" table.json
holds table.json '"schema": "lgn-comparison/1"' '"holdout": 0.2' \
  '"command": "lgn compare noisy.csv --methods sd,linear-id"' '"problem": null' "$(sha256sum <noisy.csv | cut -d' ' -f1)"
for key in lgn_version channels time_unit methods method structure estimator numbers_in_A nrmse_train nrmse_holdout bic \
  guarantees stable dissipative conservative largest_real_part converged seconds best warnings problem files runs samples; do
  grep -q "\"$key\":" table.json || fail "no $key"
done
equal "$(fields method table.json | paste -sd ' ')" '"sd" "linear-id"' "the methods"
done_quietly lgn compare noisy.csv --methods sd,linear-id --format csv
equal "$(fields nrmse_holdout table.json | head -n 1)" "$(row sd nrmse_holdout "$out")" "the same number in both"
near "$(row linear-id nrmse_train "$out")" "$(fields nrmse_train table.json | tail -n 1)" 1e-15 "of the baseline, too"

# Baselines that train, and the time limit, which is for each.
lgn generate ladder --sections 2 --trajectories 2 --t1 10 --noise 1% -o small.csv
done_quietly lgn compare small.csv --methods lgn-sd,symoden --format csv --seed 2
cp "$out" trained.table
for method in lgn-sd symoden; do
  below "$(row $method nrmse_train trained.table)" 0.2 "the fit of $method"
  below "$(row $method largest_real_part trained.table)" 1e-12 "$method is stable"
done
done_quietly lgn compare small.csv --methods lgn-sd,symoden,sd@adam --max-seconds 1e-9 --format csv
for method in lgn-sd symoden sd@adam; do
  equal "$(row $method converged "$out") $(row $method warnings "$out" | grep -o not-converged)" "false not-converged" \
    "$method without time"
done

# The same seed, the same table but for the seconds; another seed, another training.
without_seconds() { cut -d, -f 1-11,13- "$1"; }
for try in 1 2; do
  done_quietly lgn compare small.csv --methods sd,lgn-sd,sd@adam,linear-id --seed 5 -o $try.csv
  without_seconds $try.csv >$try.txt
done
cmp -s 1.txt 2.txt || fail "two tables of one seed differ"
done_quietly lgn compare small.csv --methods lgn-sd --seed 6 --format csv
[ "$(row lgn-sd nrmse_train "$out")" != "$(row lgn-sd nrmse_train 1.csv)" ] || fail "the seed does not matter"

# A method that fails has a row with the reason; only where all fail there is no table.
awk -F, 'NR % 7 != 3' clean.csv >uneven.csv
done_quietly lgn compare uneven.csv --methods linear-id,sd,parametric:rlc
grep -q '^linear-id .*not evenly spaced$' "$out" || fail "no reason for linear-id"
grep -q '^parametric:rlc .*two states' "$out" || fail "no reason for the law"
grep -q '^sd .*→' "$out" || fail "no row for sd"
done_quietly lgn compare uneven.csv --methods linear-id,sd --json
grep -qE '"problem": ".*not evenly spaced; this method needs' "$out" || fail "no reason in JSON"
equal "$(fields nrmse_train "$out" | head -n 1)" null "the error of a model that is not there"
done_quietly lgn compare uneven.csv --methods linear-id,sd --format csv
grep -qE '^linear-id,,.*,false,,".*evenly.*"$' "$out" || fail "no reason in CSV"
not_identified "no method gave a model (linear-id: the samples of run 1" lgn compare uneven.csv --methods linear-id,symoden -o none.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { for (c = 3; c <= NF; ++c) $c = 0 } { print }' clean.csv >rest.csv
not_identified "every value is zero" lgn compare rest.csv

# Formats, and files by their endings.
done_quietly lgn compare noisy.csv --methods sd,linear-id -o table.md
prints_nothing
holds table.md "| method | free parameters |" "|---|" "**" "SHA-256 of the data"
done_quietly lgn compare noisy.csv --methods sd,linear-id,parametric:ladder -o table.tex
holds table.tex '\begin{tabular}' '{\boldmath$' '\lambda$' '\end{table}'
if command -v pdflatex >latex.path; then
  { echo '\documentclass{article}\begin{document}' && cat table.tex && echo '\end{document}'; } >page.tex
  expect 0 pdflatex -interaction=nonstopmode -halt-on-error page.tex
else
  skip "pdflatex is not installed"
fi
done_quietly lgn compare noisy.csv --methods sd -o table.txt
holds table.txt "max Re λ" "→"
done_quietly lgn compare noisy.csv --methods sd -o sd.json
holds sd.json lgn-comparison/1

# Streams, all samples fitted, measured starts, another unit of time, and generators that vary.
piped() { lgn generate ladder --trajectories 2 | lgn compare - "$@"; }
done_quietly piped --format csv
equal "$(without_seconds "$out")" "$(without_seconds clean.table)" "from standard input"
done_quietly piped --methods sd --json
holds "$out" '"sha256": null'
done_quietly lgn compare noisy.csv --methods sd,full --holdout 0
prints "all of it was fitted"
! grep -q '→' "$out" || fail "a winner without a test"
done_quietly lgn compare noisy.csv --methods sd --x0 measured --time-unit ms --format csv
below "$(row sd nrmse_train noisy.table)" "$(row sd nrmse_train "$out")" "measured starts have noise"
done_quietly lgn compare noisy.csv --methods sd --time-unit ms --threads 2 --quiet
prints "[1/ms]"
lgn generate ltv-oscillator --t1 20 --noise 1% -o varying.csv
done_quietly lgn compare varying.csv --methods sd,ltv-sd,auto
grep -q '^ltv-sd .*→' "$out" || fail "the generator that varies is not marked"
prints "auto (ltv-sd)" "that of its mean"
! grep -q '^sd .*→' "$out" || fail "a constant generator is marked"

# Words that it does not know, numbers that make no sense, data that cannot be used.
refused "linear-id, lgn-sd, symoden; auto, skew, sd," lgn compare clean.csv --methods sd,nonsense
refused '""' lgn compare clean.csv --methods ''
refused '"sd" is named twice' lgn compare clean.csv --methods sd,full,sd
refused nonsense lgn compare clean.csv --methods sd@nonsense
refused '"linear-id@adam"' lgn compare clean.csv --methods linear-id@adam
refused '"parametric:nonsense"' lgn compare clean.csv --methods parametric:nonsense
refused word lgn compare clean.csv --format word
refused "--format" lgn compare clean.csv --format csv --json
for fraction in -0.1 1 2; do refused "hold-out" lgn compare clean.csv --holdout $fraction; done
refused "--max-seconds" lgn compare clean.csv --max-seconds -1
refused "--threads" lgn compare clean.csv --threads 0
refused "--x0" lgn compare clean.csv --x0 nonsense
refused none.csv lgn compare none.csv
refused required lgn compare
head -n 4 clean.csv >short.csv
refused "too few to hold some out; hold out another part with --holdout, or none" lgn compare short.csv
refused "is an input that is not zero" lgn compare clean.csv --inputs v1
refused '"x"' lgn compare clean.csv --channels x

# Outputs that cannot be written, or must not be.
refused "none/out: cannot write" lgn compare clean.csv -o none/out
refused "replace an input" lgn compare clean.csv -o clean.csv
[ ! -e /dev/full ] || refused "/dev/full: cannot write: No space" lgn compare small.csv --methods sd -o /dev/full

# Ctrl-C ends it with what is there; a second one ends the program, and leaves nothing.
lgn generate ladder --sections 30 --trajectories 4 --noise 1% -o long.csv
mkfifo pipe
# start: in the background, until the data are read and the long training has begun.
start() {
  command="compare with a signal"
  "$program" compare pipe --methods symoden,sd,linear-id -o stopped.csv >"$out" 2>"$err" &
  process=$!
  cat long.csv >pipe
  at_work
}
start
kill -INT $process
ends 0
equal "$(rows stopped.csv)" 4 "a row for every method"
case $(row symoden warnings stopped.csv) in
  *not-converged*) ;;
  *) fail "nothing says that the training was stopped" ;;
esac
grep -q '^sd,.*"not tried: the comparison was stopped"$' stopped.csv || fail "what was not tried is not said"
rm stopped.csv
start
interrupt_again_and_again
ends 130
[ ! -e stopped.csv ] || fail "a table of a comparison that was killed"
equal "$(find . -name '*.tmp')" "" "temporary files"
