# A time limit ends a long fit soon, with the best so far, marked as such.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 30 --trajectories 4 --noise 1% -o big.csv
lgn generate rlc -o small.csv
lgn generate rlc --noise 5% -o noisy.csv
for how in "--max-seconds 0.05" "--max-seconds 0.5" "--structure sd --method adam --max-seconds 0.5"; do
  cpu_time
  before=$cpu_time
  done_quietly lgn fit big.csv $how -o model.json
  cpu_time
  # Beyond the limit: reading, one epoch, the modes of 60 states. Sanitizers get room.
  below $((cpu_time - before)) 5000 "milliseconds of processor time with $how"
  prints "NOT converged" "warning [not-converged]"
  holds model.json '"converged":false' '"code":"not-converged"'
  done_quietly lgn modes model.json
  # The file names the settings, the program its options.
  prints "allow more with --max-seconds or --epochs"
  holds model.json 'allow more with `max_seconds` or `epochs`'
done
for options in "--structure parametric:rlc --method adam" "--structure parametric:rlc" "--structure full" ""; do
  done_quietly lgn fit noisy.csv $options --max-seconds 1e-9 -o model.json
  holds model.json '"converged":false' '"code":"not-converged"'
done
done_quietly lgn fit small.csv --structure parametric:rlc --max-seconds 300 -o model.json
holds model.json '"converged":true'
