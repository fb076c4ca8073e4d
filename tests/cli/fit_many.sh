# Many records: a model each, one summary, outliers marked; a bad file does not stop the others; it goes on where it ended.
. "$LGN_SOURCE/tests/cli/_check.sh"

mkdir records
for seed in 1 2 3 4 5 6; do
  done_quietly lgn generate oscillator --t1 20 --dt 0.1 --noise 0.01 --seed $seed -o records/r$seed.csv
done
# One whose clock runs twice as fast, and one that is no record.
awk -F, 'NR == 1 { print; next } { printf "%.10g,%s,%s\n", $1 / 2, $2, $3 }' records/r6.csv >records/fast.csv
rm records/r6.csv
echo "no record at all" >records/bad.csv

done_quietly lgn fit-many records/*.csv -o models --jobs 2
prints "6 of 7 records identified" "unlike the others:" "records/fast.csv: frequency 1" "without a model:" "records/bad.csv: no model:"
for seed in 1 2 3 4 5; do holds models/r$seed.json '"command": "lgn fit records/r'$seed'.csv"'; done
[ ! -e models/bad.json ] || fail "a model of what is no record"
equal "$(wc -l <models/summary.csv)" 8 "lines of the summary"
equal "$(head -n 1 models/summary.csv | cut -d , -f 1-8)" file,model,structure,states,fit_error,warnings,outlier,problem "its columns"
# The same as lgn fit alone makes, but for the time it took.
done_quietly lgn fit records/r1.csv -o alone.json --quiet
equal "$(grep -v '"fit"\|seconds' models/r1.json)" "$(grep -v '"fit"\|seconds' alone.json)" "the model of one record"

# What is there is kept; other options, other data and --again make it anew.
stamp() { stat -c %Y.%i models/r1.json; }
before=$(stamp)
done_quietly lgn fit-many records/*.csv -o models --quiet
equal "$(stamp)" "$before" "a model that was there"
done_quietly lgn fit-many records/*.csv -o models --quiet --again
[ "$(stamp)" != "$before" ] || fail "--again kept a model"
before=$(stamp)
done_quietly lgn fit-many records/*.csv -o models --quiet --structure sd
[ "$(stamp)" != "$before" ] || fail "the model of another structure was kept"

# Two of one name, none at all, wrong usage.
mkdir other && cp records/r1.csv other
done_quietly lgn fit-many records/r1.csv other/r1.csv -o both --quiet
[ -e both/records_r1.csv.json ] && [ -e both/other_r1.csv.json ] || fail "two records of one name"
expect 1 lgn fit-many records/bad.csv -o none
holds "$err" "no record could be identified"
expect 1 lgn fit-many records/r1.csv --structure nonsense -o none
prints 'unknown structure "nonsense"'
expect 2 lgn fit-many records/r1.csv --jobs 0
holds "$err" "--jobs must be positive"
expect 2 lgn fit-many records/r1.csv --confidence 7
expect 2 lgn fit-many - -o none
