# A time limit ends a long fit soon, with the best so far, marked as such.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 30 --trajectories 4 --noise 1% -o big.csv
lgn generate rlc -o small.csv
lgn generate rlc --noise 5% -o noisy.csv
for how in "--max-seconds 0.05" "--max-seconds 0.5" "--structure sd --method adam --max-seconds 0.5"; do
  begin=$(date +%s%N)
  done_quietly lgn fit big.csv $how -o model.json
  took=$((($(date +%s%N) - begin) / 1000000))
  # Beyond the limit: reading, one epoch, the modes of 60 states; seconds under sanitizers on a busy machine. That
  # the fit was cut short is what the rest says; this is for one that does not end.
  below $took 30000 "milliseconds with $how"
  prints "NOT converged" "warning [not-converged]"
  holds model.json '"converged":false' '"code":"not-converged"'
  done_quietly lgn modes model.json
done
for options in "--structure parametric:rlc --method adam" "--structure parametric:rlc" "--structure full" ""; do
  done_quietly lgn fit noisy.csv $options --max-seconds 1e-9 -o model.json
  holds model.json '"converged":false' '"code":"not-converged"'
done
done_quietly lgn fit small.csv --structure parametric:rlc --max-seconds 300 -o model.json
holds model.json '"converged":true'
