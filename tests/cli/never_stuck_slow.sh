# No data keeps a command from ending: with a limit of time, or after a signal at any moment, it ends within a second of
# processor time (five with more than 200 channels), with a whole answer or with none.
. "$LGN_SOURCE/tests/cli/_check.sh"
. "$LGN_SOURCE/tests/cli/_kinds.sh"
RANDOM=17
worst=0 worst_of=

# Something to wait on that never comes.
mkfifo "$streams/never"
exec 9<>"$streams/never"
pause() { read -rt 0.02 -u 9; }

# allowed KIND: milliseconds of processor time after the limit or the signal.
allowed() { case " $large_kinds " in *" $1 "*) echo 5000 ;; *) echo 1000 ;; esac; }

# whole STATUS FILE…: an answer, and every file that was asked for; or none, and the reason in one line, beside what reading left out.
whole() {
  local status=$1 file
  shift
  case $status in
    0) for file; do
         [ -s "$file" ] || fail "status 0, but no $file"
         case $file in *.json) [ "$(tail -c 2 "$file")" = "}" ] || fail "half a model: $file" ;; esac
         case $file in *.html) grep -q '</html>' "$file" || fail "half a page: $file" ;; esac
       done ;;
    1 | 2) for file; do [ ! -e "$file" ] || fail "status $status, and yet $file"; done
       equal "$(grep -vc -e '^lgn: [0-9]* s: ' -e 'which are left out (--begin all keeps them)$' "$err")" 1 "lines on standard error"
       grep -q '^lgn: ' "$err" || fail "the line does not start with \"lgn: \"" ;;
    *) fail "exit status $status" ;;
  esac
  [ -z "$(find . -name '*.tmp')" ] || fail "temporary files"
  rm -f "$@"
}

# late MILLISECONDS KIND: fails where that is too much.
late() {
  [ "$1" -le "$worst" ] || { worst=$1 worst_of=$2; }
  below "$1" "$(allowed "$2")" "milliseconds of processor time after the end of $2"
}

# limited SECONDS KIND FILES ARGUMENTS…: FILES, in one word, are those that it writes.
limited() {
  local limit=$1 kind=$2 files=$3 status=0 before
  shift 3
  command="lgn $* --max-seconds $limit"
  cpu_time
  before=$cpu_time
  within $((limit + 20)) "$program" "$@" --max-seconds "$limit" >"$out" 2>"$err" || status=$?
  cpu_time
  late $((cpu_time - before - 1000 * limit)) "$kind"
  whole $status $files
}

# signalled SIGNAL MILLISECONDS KIND FILES ARGUMENTS…: the signal comes after so much processor time.
signalled() {
  local signal=$1 moment=$2 kind=$3 files=$4 status=0 before used=0 sent= process line fields
  shift 4
  command="lgn $*, $signal after $moment ms"
  cpu_time
  before=$cpu_time
  "$program" "$@" >"$out" 2>"$err" &
  process=$!
  while read -r line 2>"$streams/stat" <"/proc/$process/stat"; do
    read -ra fields <<<"${line##*) }"
    [ "${fields[0]}" != Z ] || break
    used=$(((fields[11] + fields[12]) * 10))
    if [ -z "$sent" ] && [ $used -ge "$moment" ]; then
      sent=$used
      kill -"$signal" $process 2>"$streams/kill"
    fi
    [ $used -lt 30000 ] || kill -9 $process
    pause
  done 2>"$streams/stat"
  wait $process 2>"$streams/kill" || status=$?
  cpu_time
  [ -z "$sent" ] || late $((cpu_time - before - sent)) "$kind"
  whole $status $files
}

for kind in $kinds; do make_kind $kind >$kind.csv; done

# Every kind, within a second.
for kind in $kinds; do limited 1 $kind "model.json" fit $kind.csv -o model.json; done

# What takes longest, within five, with a report.
for kind in ambient6 long_two channels_400; do
  limited 5 $kind "model.json page.html" fit $kind.csv -o model.json --report page.html
done

# A signal at any moment.
signals=(INT TERM)
for kind in one_channel offset ambient2 ambient4 ambient6 pendulum chirp long_one long_two channels_400 uneven short_runs; do
  signalled ${signals[RANDOM % 2]} $((RANDOM % 1000)) $kind "model.json" fit $kind.csv -o model.json
done

# Every structure and method, and every part of a fit.
lgn generate ladder --sections 12 --trajectories 2 --noise 2% -o ladder.csv
lgn generate ltv-oscillator --t1 200 --noise 5% -o swing.csv
for how in "psd pendulum" "metric ambient4" "full ambient6" "scaled-sd temperature" "network ladder" "ltv-sd pendulum" \
  "ltv-full offset" "parametric:ltv-oscillator swing" "mechanical offset"; do
  limited 1 ${how#* } "model.json" fit ${how#* }.csv --structure ${how% *} -o model.json
done
limited 1 ladder "model.json" fit ladder.csv --structure sd --method adam -o model.json
limited 1 swing "model.json" fit swing.csv --structure ltv-sd --basis fourier --method adam -o model.json
limited 1 outliers "model.json" fit outliers.csv --loss huber --holdout 0.2 -o model.json
limited 1 quantised "model.json" fit quantised.csv --structure sd --bootstrap 100000 -o model.json
limited 1 swing "model.json" fit swing.csv --thorough -o model.json
signalled INT 700 quantised "model.json" fit quantised.csv --structure sd --bootstrap 100000 -o model.json
signalled TERM 900 pendulum "model.json page.html" fit pendulum.csv --thorough -o model.json --report page.html

# The other commands.
done_quietly lgn fit long_two.csv --structure sd -o long.json
done_quietly lgn fit swing.csv --structure parametric:ltv-oscillator -o swing.json
done_quietly lgn fit ladder.csv --structure network -o network.json
for kind in ladder swing; do
  model=$kind
  [ $kind = swing ] || model=network
  limited 1 $kind "" modes $model.json
  limited 1 $kind "" evaluate $model.json $kind.csv
  limited 1 $kind "page.html" report $model.json $kind.csv -o page.html
  limited 1 $kind "x.csv" simulate $model.json --t1 1000000 -o x.csv
  limited 1 $kind "model.m" export $model.json --format matlab -o model.m
done
limited 1 ladder "" network network.json
limited 1 long_two "" evaluate long.json long_two.csv
limited 1 long_two "page.html" report long.json long_two.csv -o page.html
limited 1 long_two "x.csv" simulate long.json --t1 10000 -o x.csv
limited 1 generate "x.csv" generate ladder --sections 100 --t1 10000 -o x.csv
signalled TERM 300 generate "x.csv" generate ladder --sections 100 --t1 10000 -o x.csv
signalled INT 400 long_two "x.csv" simulate long.json --t1 10000 -o x.csv
signalled INT 100 long_two "page.html" report long.json long_two.csv -o page.html
if [ -x "$(dirname "$program")/lgn-experiments" ]; then
  limited 1 pendulum "table.csv" compare pendulum.csv --methods sd,full,sd@adam,ltv-sd -o table.csv
  limited 1 reproduce "" reproduce exp1 --neural none -o folder
fi

# Input that does not come ends by a signal, and by the limit.
mkfifo pipe
exec 8<>pipe
for how in "TERM" "INT"; do
  "$program" fit pipe -o model.json >"$out" 2>"$err" &
  process=$!
  # Ctrl-C is the last that the program learns to catch.
  until [ "/proc/$process/exe" -ef "$program" ] &&
    grep -q '^SigCgt:.*[2367abef]$' /proc/$process/status 2>"$streams/status"; do pause; done
  kill -$how $process
  status=0
  wait $process || status=$?
  equal $status 1 "exit status"
  whole $status model.json
done
expect 1 lgn fit pipe --max-seconds 0.1 -o model.json
whole 1 model.json
echo "at worst $worst ms after the end of $worst_of"
