# Files as instruments and other programs write them: inspected, fitted, and what was taken for granted is said.
. "$LGN_SOURCE/tests/cli/_check.sh"

# A decaying oscillation with ω = 2 and a decay of 0.1 in two channels, 200 samples 50 ms apart, in the form that awk prints.
table() {
  awk "BEGIN { for (k = 0; k < 200; ++k) { t = k / 20; x = exp(-0.1 * t) * cos(2 * t); y = exp(-0.1 * t) * sin(2 * t); $1 } }"
}
# found FILE OPTIONS…: within seconds, the oscillation comes out, and one line says what was taken for granted.
found() {
  expect 0 within 5 "$program" fit "$@" --structure full -o found.json
  [ "$(rows "$err")" -le 1 ] || fail "more than one line on standard error"
  near "$(mode_fields natural_frequency found.json | head -n 1)" 2.0025 1e-3 "frequency from $*"
  near "$(mode_fields re found.json | head -n 1)" -0.1 2e-2 "decay from $*"
  expect 0 within 5 "$program" inspect "$@" --json
  prints '"record": "free"' '"next": "lgn fit '
}
says() { grep -qF -e "$1" "$err" || fail "standard error lacks: $1"; }

# Blanks, a header that names too few, columns that are named, runs.
{ echo "% x v"; table 'printf "  %.16e  %.16e %.16e  %.16e\n", 0, t, x, y'; } >blanks.txt
refused "--columns" lgn fit blanks.txt --structure full
found blanks.txt --columns trial,t,x,v
expect 0 lgn fit blanks.txt --columns trial,t,x,v --structure full
says "lgn: blanks.txt: blanks separate columns"
prints "x, v"
done_quietly lgn fit blanks.txt --columns trial,t,x,v --structure full --quiet -o quiet.json
holds quiet.json '"assumptions":["blanks separate columns"]'
expect 0 lgn evaluate quiet.json blanks.txt --columns trial,t,x,v
prints "channel v"
table 'print x, y' >bare.txt
refused "--dt" lgn fit bare.txt
found bare.txt --dt 50ms
found bare.txt --rate 20Hz --columns a,b

# Units in names are applied, others asked for.
{ echo "Zeit [ms];Weg;Weg 2"; table 'printf "%g;%.9f;%.9f\n", 1000 * t, x, y' | tr . ,; } >german.csv
found german.csv
expect 0 lgn fit german.csv --structure full -o seconds.json
says '"Zeit [ms]" is in ms and was converted to s'
holds seconds.json '"time_unit": "s"' 'converted to s'
done_quietly lgn fit german.csv --structure full --quiet --time-unit ms -o milliseconds.json
holds milliseconds.json '"time_unit": "ms"'
near "$(mode_fields natural_frequency milliseconds.json | head -n 1)" 0.0020025 1e-3 "rad/ms"
found german.csv --time Z --outputs 2,3
refused "could be" lgn fit german.csv --channels W

# An oscilloscope: a preamble with the interval, times that are rounded.
{
  printf 'waveform,A,B\ndelta t,5.0E-2,5.0E-2\n\ntime,A,B\n'
  table 'printf "5/7/2021  11:55:%04.1f,%.9f,%.9f\n", t + 3, x, y'
} >scope.csv
found scope.csv
expect 0 lgn inspect scope.csv --figure scope.svg
says "samples are 0.05 s apart, as the preamble says"
prints "next: lgn fit scope.csv" "free response"
holds scope.svg "<svg" "time [s]"
! grep -q '"even": false' "$out" || fail "times on a grid are even"

# Packed, recoded, from standard input.
gzip -k german.csv
found german.csv.gz
expect 0 lgn inspect german.csv.gz
says "packed by gzip"
iconv -f UTF-8 -t UTF-16 german.csv >wide.csv 2>"$err" && found wide.csv
command=stream
lgn fit - --structure full -o stream.json <german.csv.gz 2>"$err" || fail "a packed stream"
near "$(mode_fields natural_frequency stream.json | head -n 1)" 2.0025 1e-3 "frequency from a stream"

# Inspection: kinds of records, and what is wrong with sensors.
kind() { expect 0 within 5 "$program" inspect "$1" --quiet --json && prints "\"record\": \"$2\""; }
table 'print t, exp(0.5 * t) * x' >growing.txt
kind growing.txt growing
table 'print t, 3' >constant.txt
kind constant.txt constant
{ echo "t,u,y"; table 'printf "%g,%g,%.9f\n", t, k % 7, x'; } >driven.csv
kind driven.csv driven
{ echo "t,y"; table 'printf "%g,%.6f\n", t, (k == 100 ? 50 : x) + 4'; } >offset.csv
expect 0 lgn inspect offset.csv
prints "1 outlier" "offset" "next: lgn fit offset.csv"
# A recorder that was started before the blow: what is at rest says nothing, and is left out.
{ echo "t,y"; awk 'BEGIN { srand(5); for (k = 0; k < 1500; ++k) { t = k / 50 - 10; x = t < 0 ? 0 : exp(-0.1 * t) * cos(6 * t)
  printf "%.2f,%.6f\n", k / 50, x + 0.01 * (rand() - 0.5) } }'; } >early.csv
expect 0 lgn fit early.csv -o early.json
says "nothing moves before 10, 500 samples" "left out"
near "$(mode_fields natural_frequency early.json | head -n 1)" 6.0008 1e-3 "frequency of a blow after a rest"
expect 0 lgn fit early.csv --begin 12 --end 20s -o early.json
holds early.json '"samples":401'
refused "is no time" lgn fit early.csv --begin soon
refused "no run has two samples between" lgn fit early.csv --begin 100
refused "No such file" lgn inspect absent.csv
refused "the output would replace an input" lgn inspect offset.csv --figure offset.csv
