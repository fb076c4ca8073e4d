# A generator that varies in time in data that are not kind.
. "$LGN_SOURCE/tests/cli/_check.sh"

# of_variation NAME MODEL: the first value of that name in the model's variation.
of_variation() { grep '^  "variation"' "$2" | grep -oE "\"$1\":[^],}]*" | head -n 1 | sed 's/^[^:]*://'; }

# Gaps, several runs at other times, outliers, a part held out, a checkpoint.
lgn generate ltv-oscillator --t1 20 --noise 1% --trajectories 2 --x0 random -o two.csv
awk -F, -v OFS=, 'NR > 1 && NR % 9 == 0 { $3 = "" } NR > 1 && NR % 50 == 7 { $4 = 30 } { print }' two.csv >hard.csv
done_quietly lgn fit hard.csv --structure ltv-sd --basis harmonics --loss huber --holdout 0.2 --checkpoint state -o hard.json
near "$(of_variation omega hard.json)" 1 0.05 "the frequency in hard data"
done_quietly lgn fit hard.csv --structure ltv-sd --basis harmonics --loss huber --holdout 0.2 --checkpoint state -o hard2.json
near "$(of_variation omega hard2.json)" "$(of_variation omega hard.json)" 1e-9 "the frequency from the checkpoint"
