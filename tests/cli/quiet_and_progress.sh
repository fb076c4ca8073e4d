# Results on standard output, progress on standard error, and that only where someone looks.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 4 --trajectories 3 -o data.csv
done_quietly lgn fit data.csv --quiet -o model.json
prints_nothing
holds model.json '"schema"'
done_quietly lgn fit data.csv --quiet
prints_nothing
done_quietly lgn fit data.csv
prints "pole [1/s]"

if ! command -v script >/dev/null; then
  skip "without script(1) there is no terminal to look at"
  exit 0
fi
on_terminal() {
  command="on a terminal: $*"
  script -qec "$*" /dev/null </dev/null >"$out" 2>"$err" || fail "script(1) failed"
}
# Enough work for the time limit to end it: the bar appears after a tenth of a second.
lgn generate ladder --sections 30 --trajectories 4 --noise 1% -o big.csv
adam="--structure sd --method adam --max-seconds 1"
on_terminal "'$program' fit big.csv ${adam%1}4 >table.txt"
prints "training, horizon 1 of" "step" "of at most" "error"
holds table.txt "pole [1/s]"
! grep -q "of at most" table.txt || fail "progress among the results"
tail -c 5 "$out" | grep -q $'\r\033\\[K' || fail "the bar is not wiped at the end"
on_terminal "'$program' fit big.csv --quiet $adam"
prints_nothing
on_terminal "'$program' fit big.csv $adam >table.txt 2>progress.txt"
[ ! -s progress.txt ] || fail "progress in a file"
# Maximum likelihood takes few steps, each of them long enough here.
lgn generate ladder --sections 10 --trajectories 4 --noise 5% -o medium.csv
on_terminal "'$program' fit medium.csv --structure sd >table.txt"
prints "round " "step" "of at most" "error"
! grep -q "of at most" table.txt || fail "progress among the results"
tail -c 5 "$out" | grep -q $'\r\033\\[K' || fail "the bar is not wiped at the end"
