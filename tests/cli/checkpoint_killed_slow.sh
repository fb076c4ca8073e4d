# A fit that is killed goes on from its checkpoint, and ends as if nothing had happened.
. "$LGN_SOURCE/tests/cli/_check.sh"

generator() { grep '^  "A"' "$1"; }
# killed_after SECONDS ARGUMENTS…: the fit, killed; says whether it was still at work.
killed_after() {
  local pause=$1
  shift
  "$program" fit "$@" --quiet -o killed.json 2>"$err" &
  local process=$!
  sleep "$pause"
  kill -9 $process 2>"$streams/kill"
  wait $process 2>"$streams/kill"
  [ $? = 137 ]
}
# resumes ARGUMENTS…: killed at several moments of one computation; then the same command ends with the same A.
resumes() {
  rm -f state killed.json
  local kills=0 pause
  expect 0 lgn fit "$@" --quiet -o whole.json
  for pause in 0.15 0.3 0.3 1.2; do
    ! killed_after $pause "$@" --checkpoint state || kills=$((kills + 1))
    command="fit $* --checkpoint state, killed $kills times"
    [ ! -e killed.json ] || holds killed.json '"schema": "lgn-model/1"' '"data": {'
  done
  done_quietly lgn fit "$@" --checkpoint state --quiet -o resumed.json
  equal "$(generator resumed.json)" "$(generator whole.json)" "A of $*, killed $kills times"
  equal "$(field iterations resumed.json)" "$(field iterations whole.json)" "iterations of $*"
  # And once more, from the end of it.
  done_quietly lgn fit "$@" --checkpoint state --quiet -o again.json
  equal "$(generator again.json)" "$(generator whole.json)" "A from the checkpoint of a fit that has ended"
  killed_in_all=$((killed_in_all + kills))
}
killed_in_all=0
lgn generate ladder --sections 10 --trajectories 6 --t1 60 --noise 5% -o large.csv
resumes large.csv --structure sd --method adam --epochs 300
resumes large.csv --structure sd
resumes large.csv --structure sd --loss huber
resumes large.csv
[ $killed_in_all -gt 4 ] || skip "this machine is too fast for a fit to be killed"
