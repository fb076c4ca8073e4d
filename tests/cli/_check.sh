# What the scripts beside this file share; each sources it first. A script runs in an empty folder and stops at the
# first check that fails. `lgn` is the program under test.
set -u
export LC_ALL=C.UTF-8

program=$1
lgn() { "$program" "$@"; }

# The streams of the last command, outside the folder that the script looks at.
streams=$(mktemp -d)
trap 'chmod -R u+rwx "$streams"; rm -rf "$streams"' EXIT
out=$streams/out err=$streams/err command=

fail() {
  {
    echo "$0: line ${BASH_LINENO[${#BASH_LINENO[@]} - 2]}: $1"
    echo "after: $command"
    echo "--- standard output"
    head -c 2000 "$out"
    echo "--- standard error"
    head -c 2000 "$err"
  } >&2
  exit 1
}

# expect STATUS COMMAND…: runs the command, keeps its streams, and checks the exit status.
expect() {
  local wanted=$1 status=0
  shift
  command=$*
  "$@" >"$out" 2>"$err" || status=$?
  [ "$status" = "$wanted" ] || fail "exit status $status, not $wanted"
}

# done_quietly COMMAND…: status 0, and nothing on standard error but progress, which comes every ten seconds.
done_quietly() {
  expect 0 "$@"
  ! grep -qv '^lgn: [0-9]* s: ' "$err" || fail "something on standard error"
}

# prints TEXT…: each TEXT stands in the last command's standard output.
prints() {
  local text
  for text; do grep -qF -e "$text" "$out" || fail "standard output lacks: $text"; done
}
prints_nothing() { [ ! -s "$out" ] || fail "something on standard output"; }

# holds FILE TEXT…: each TEXT stands in the file.
holds() {
  local file=$1 text
  shift
  [ -f "$file" ] || fail "there is no file $file"
  for text; do grep -qF -e "$text" "$file" || fail "$file lacks: $text"; done
}

# equal A B WHAT; below A B WHAT: numbers as text, and as numbers.
equal() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; }
below() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a ~ /^[-+0-9.]/ && a + 0 < b + 0) }' || fail "$3: $1 is not below $2"
}
# near A B RELATIVE WHAT
near() {
  awk -v a="$1" -v b="$2" -v r="$3" \
    'BEGIN { d = a - b; if (d < 0) d = -d; if (b < 0) b = -b; exit !(a ~ /^[-+0-9.]/ && d <= r * b) }' ||
    fail "$4: $1 is not $2 within $3"
}

# field NAME FILE: the first value of that name in a JSON file.
field() { grep -oE "\"$1\": ?[^],}]*" "$2" | head -n 1 | sed 's/^[^:]*: *//'; }
# fields NAME FILE: all of them.
fields() { grep -oE "\"$1\": ?[^],}]*" "$2" | sed 's/^[^:]*: *//'; }

# mode_fields NAME FILE: that value of every mode; standard errors and intervals repeat the names inside.
mode_fields() {
  grep '^  "modes"' "$2" | sed -E 's/"(se|interval)":\{[^}]*\}//g' | grep -oE "\"$1\":[^],}]*" | sed 's/^[^:]*://'
}
# se_fields NAME FILE: the standard error of that value, of every mode.
se_fields() {
  grep '^  "modes"' "$2" | grep -oE '"se":\{[^}]*\}' | grep -oE "\"$1\":[^,}]*" | sed 's/^[^:]*://'
}

rows() { wc -l <"$1" | tr -d ' '; }

contents() { find . -mindepth 1 -printf '%p %y %s %T@ %i\n' | sort; }

# refused TEXT COMMAND…: status 2; one line on standard error, "lgn: …TEXT…"; nothing on standard output; no file
# in the folder made, changed or left behind. not_identified: the same with status 1.
refused_with() {
  local wanted=$1 text=$2 before
  shift 2
  before=$(contents)
  expect "$wanted" "$@"
  prints_nothing
  [ "$(rows "$err")" = 1 ] || fail "not one line on standard error"
  grep -q '^lgn: ' "$err" || fail "the line does not start with \"lgn: \""
  grep -qF -e "$text" "$err" || fail "standard error lacks: $text"
  [ "$before" = "$(contents)" ] || fail "files appeared or changed: $(contents)"
}
refused() { refused_with 2 "$@"; }
not_identified() { refused_with 1 "$@"; }

# For a program in the background, $process. interrupt_again_and_again: Ctrl-C, and more of them at once.
interrupt_again_and_again() {
  local try
  for try in 1 2 3 4 5 6 7 8 9 10; do
    kill -INT $process 2>"$streams/kill"
    sleep 0.001
  done
}
# worked: prints the hundredths of a second of processor time that it has taken.
worked() {
  sed 's/.*) //' /proc/$process/stat 2>"$streams/stat" | awk '{ print $12 + $13 } END { if (NR == 0) print 0 }'
}
# at_work: waits until it catches Ctrl-C and has worked for half a second since, however busy the system is.
at_work() {
  local since
  until grep -q '^SigCgt:.*[2367abef]$' /proc/$process/status 2>"$streams/status"; do
    kill -0 $process 2>"$streams/kill" || fail "it ended before the signal"
    sleep 0.05
  done
  since=$(worked)
  while kill -0 $process 2>"$streams/kill" && [ $(($(worked) - since)) -lt 50 ]; do sleep 0.05; done
}
# ends STATUS: before it has worked for another half minute.
ends() {
  local status=0 since
  since=$(worked)
  while kill -0 $process 2>"$streams/kill" && [ $(($(worked) - since)) -lt 3000 ]; do sleep 0.05; done
  kill -9 $process 2>"$streams/kill" && fail "it goes on after the signal"
  wait $process 2>"$streams/kill" || status=$?
  equal $status "$1" "exit status"
}

# cpu_time: sets $cpu_time to the milliseconds of processor time that all commands so far have taken, however busy the
# system is.
cpu_time() {
  times >"$streams/times"
  cpu_time=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int(1000 * (60 * ($1 + $3) + $2 + $4)) }' "$streams/times")
}

# within SECONDS COMMAND…: the command, ended when it takes more processor time than that.
within() {
  (
    ulimit -t "$1"
    shift
    exec "$@"
  )
}

# Permissions do not bind root. in_open_folder: goes to an empty folder that everyone may enter, and is false where
# nobody else can run the program; bound ARGUMENTS…: there, the program as a user whom permissions bind.
in_open_folder() {
  mkdir "$streams/open" "$streams/open/here"
  chmod 755 "$streams" "$streams/open" "$streams/open/here"
  cp "$program" "$streams/open/lgn"
  cp "$(dirname "$program")/lgn-experiments" "$streams/open/"
  cd "$streams/open/here" || exit 1
  bound --version >"$out" 2>"$err"
}
bound() {
  local nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
  [ "$(id -u)" = 0 ] || nobody=
  $nobody "$streams/open/lgn" "$@"
}

skip() { echo "skipped: $*"; }
