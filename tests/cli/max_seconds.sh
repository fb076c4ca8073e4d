# A time limit ends a long fit soon, with the best so far, marked as such.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 30 --trajectories 4 --noise 1% -o big.csv
lgn generate rlc -o small.csv
for limit in 0.05 0.5; do
  begin=$(date +%s%N)
  done_quietly lgn fit big.csv --max-seconds $limit -o model.json
  took=$((($(date +%s%N) - begin) / 1000000))
  # Beyond the limit: reading, one epoch, the modes of 60 states. Sanitizers and a busy machine get room.
  below $took 5000 "milliseconds with a limit of $limit s"
  prints "NOT converged" "warning [not-converged]"
  holds model.json '"converged":false' '"code":"not-converged"'
  done_quietly lgn modes model.json
done
done_quietly lgn fit small.csv --structure parametric:rlc --max-seconds 1e-9 -o model.json
holds model.json '"converged":false'
done_quietly lgn fit small.csv --structure parametric:rlc --max-seconds 300 -o model.json
holds model.json '"converged":true'
