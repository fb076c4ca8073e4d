# The end of every run kept from training and predicted.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --trajectories 2 -o clean.csv
done_quietly lgn fit clean.csv --holdout 0.25 -o clean.json
prints "validation error"
below "$(field nrmse_holdout clean.json)" 1e-6 "clean data predict themselves"
done_quietly lgn fit clean.csv -o all.json
equal "$(field nrmse_holdout all.json)" null "nothing is held out unless asked"

# Noise: the held-out part, smaller by then, is missed by about its noise.
lgn generate ladder --trajectories 2 --noise 5% -o noisy.csv
done_quietly lgn fit noisy.csv --holdout 0.25 -o noisy.json
below 0.02 "$(field nrmse_holdout noisy.json)" "noise cannot be predicted"
below "$(field nrmse_holdout noisy.json)" 0.5 "the motion can"

# The end of the data has no part in the fit.
awk -F, 'BEGIN { OFS = "," } NR > 1 && $2 >= 22.5 { for (c = 3; c <= NF; ++c) $c = 9 } { print }' clean.csv >spoilt.csv
done_quietly lgn fit spoilt.csv --holdout 0.25 -o spoilt.json
equal "$(grep '"A"' spoilt.json)" "$(grep '"A"' clean.json)" "the generator without the end"

for fraction in -0.1 1 2; do refused "hold-out" lgn fit clean.csv --holdout $fraction; done
refused "finite" lgn fit clean.csv --holdout nan
head -n 4 clean.csv >short.csv
refused "too few" lgn fit short.csv --holdout 0.5
