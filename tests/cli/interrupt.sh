# Ctrl-C and SIGTERM end a fit with the best so far; a second one ends the program.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 10 --trajectories 6 --t1 60 --noise 5% -o data.csv
long="fit data.csv --structure sd --method adam --learning-rate 1e-4 --epochs 1000000"

# start ARGUMENTS…: in the background, until the search has begun; a checkpoint shows that.
start() {
  rm -f state
  command="$* with a signal"
  "$program" "$@" --checkpoint state >"$out" 2>"$err" &
  process=$!
  until [ -e state ] || ! kill -0 $process 2>"$streams/kill"; do sleep 0.05; done
  [ -e state ] || fail "the search does not begin"
}

for signal in INT TERM; do
  start $long -o $signal.json --report $signal.html
  kill -$signal $process
  ends 0
  [ ! -s "$err" ] || fail "something on standard error"
  prints "NOT converged" "warning [not-converged]" "pole [1/s]"
  holds $signal.json '"schema": "lgn-model/1"' '"converged":false' '"code":"not-converged"' '"method": "adam"'
  holds $signal.html '</html>'
  done_quietly lgn modes $signal.json
  done_quietly lgn evaluate $signal.json data.csv
done

# Standard output alone.
start $long --json
kill -INT $process
ends 0
cp "$out" stream.json
done_quietly lgn modes stream.json

# Choosing a structure, by maximum likelihood; the fit may be over before the signal comes.
start fit data.csv -o choice.json
kill -INT $process
ends 0
holds choice.json '"schema": "lgn-model/1"' '"chosen":true'
done_quietly lgn modes choice.json

# The repeated fits of a bootstrap.
lgn generate rlc --noise 2% -o rlc.csv
start fit rlc.csv --bootstrap 200000 -o bootstrap.json
kill -INT $process
ends 0
holds bootstrap.json '"schema": "lgn-model/1"'

# One each of two kinds is still once; the same one twice leaves no model, and no rest of one.
start $long -o twice.json
kill -INT $process
kill -TERM $process
ends 0
holds twice.json '"data": {'
start $long -o killed.json
interrupt_again_and_again
status=0
wait $process 2>"$streams/kill" || status=$?
# It may have ended with its answer before the second came.
case $status in
  130) [ ! -e killed.json ] || fail "a model of a fit that was killed" ;;
  0) holds killed.json '"data": {' ;;
  *) fail "exit status $status" ;;
esac
equal "$(find . -name '*.tmp' ! -name 'state*')" "" "temporary files"
