# Data that are strange but true: no crash, no hang, a result that makes sense.
. "$LGN_SOURCE/tests/cli/_check.sh"

# signal FORMAT-OF-TIME SCALE: 200 samples of e^(−t)(cos 10t, sin 10t), t = 0, 0.01, …
signal() {
  awk -v time="$1" -v s="$2" 'BEGIN { print "t,x,y"
    for (k = 0; k < 200; ++k) { a = s * exp(-k / 100)
      printf time ",%.17g,%.17g\n", k, a * cos(k / 10), a * sin(k / 10) } }'
}
# fits FILE RATE TOLERANCE: λ = (−1 ± 10i) RATE comes out, with a page and a rollout.
fits() {
  done_quietly within 60 "$program" fit "$1" -o model.json --report page.html
  near "$(field re model.json)" "$(awk "BEGIN { print -$2 }")" "$3" "Re λ from $1"
  near "$(field natural_frequency model.json)" "$(awk "BEGIN { printf \"%.9g\", sqrt(101) * $2 }")" "$3" "ω_n from $1"
  holds page.html '</html>'
  done_quietly lgn evaluate model.json "$1"
  done_quietly lgn report model.json "$1" -o page.html
}

# Values of any size; times as Unix seconds, as nanoseconds since 1970, and tiny.
for scale in 1 1e-12 1e12 1e-90 1e90; do
  signal %.2fe-2 $scale >scaled.csv
  fits scaled.csv 1 1e-6
done
signal 170000000%03de-2 1 >unix.csv
fits unix.csv 1 1e-4 # a double resolves 1.7e9 s to 2.4e-7 s, steps of 0.01 s to 2.4e-5
signal 170000000%03d0000000 1 >nanoseconds.csv
fits nanoseconds.csv 1e-9 1e-3 # and 1.7e18 ns to 256 ns
signal %de-20 1 >tiny.csv
fits tiny.csv 1e18 1e-6
signal %de18 1 >huge.csv
fits huge.csv 1e-20 1e-6

# Channels that do not move, alone and beside one that does; the page must not look for ticks for ever.
awk 'BEGIN { print "t,a,b"; for (k = 0; k < 50; ++k) print k ",1,1" }' >constant.csv
awk 'BEGIN { print "t,a,b"; for (k = 0; k < 50; ++k) printf "%d,%.15g,0\n", k, exp(-k / 10) }' >resting.csv
awk 'BEGIN { print "t,a,b"; for (k = 0; k < 50; ++k) printf "%d,%.17g,%d\n", k, 1e16 + 2 * (k % 2), k % 2 }' >offset.csv
not_identified "nothing moves" within 60 "$program" fit constant.csv -o none.json
for data in constant.csv resting.csv offset.csv; do
  for structure in auto sd skew psd scaled-sd metric full parametric:rlc; do
    done_quietly within 60 "$program" fit $data --structure $structure --offset none -o model.json --report page.html
    done_quietly within 60 "$program" modes model.json
  done
done

# One channel with every structure that has one; two samples for six channels.
awk 'BEGIN { print "t,x"; for (k = 0; k < 100; ++k) printf "%.1f,%.15g\n", k / 10, exp(-k / 100) }' >one.csv
for structure in auto sd psd scaled-sd metric full; do
  done_quietly lgn fit one.csv --structure $structure -o model.json
  prints "1 state,"
  near "$(field re model.json)" -0.1 1e-6 "the pole of one channel with $structure"
done
done_quietly lgn fit one.csv --structure skew --states measured -o one.json
holds one.json '"A": [[0.0]]'
printf 't,a,b,c,d,e,f\n0,1,2,3,4,5,6\n1,2,3,4,5,6,7\n' >two.csv
for structure in auto sd skew psd scaled-sd metric full parametric:ladder; do
  done_quietly lgn fit two.csv --structure $structure -o model.json --report page.html
  holds model.json '"code":"underdetermined"'
done
printf 'trajectory,t,x\n1,0,1\n1,1,0.5\n2,0,2\n2,1,1\n3,5,-4\n3,6,-2\n' >pairs.csv
done_quietly lgn fit pairs.csv -o model.json
near "$(field re model.json)" -0.693147 1e-4 "halves between the two samples of every run"

# Missing at the beginning, at the end, nearly everywhere.
signal %.2fe-2 1 | awk -F, 'BEGIN { OFS = "," } NR > 1 && (NR < 12 || NR > 190 || NR % 4) { $2 = $3 = "nan" } { print }' >holes.csv
fits holes.csv 1 1e-6
done_quietly lgn fit holes.csv --x0 measured --structure full
printf 't,a,b\n0,nan,\n1,1,\n2,,3\n3,,\n' >sparse.csv
done_quietly within 60 "$program" fit sparse.csv --structure full --method adam -o model.json --report page.html
rm -f page.html
not_identified "no two complete samples follow one another; measure all channels at the same times" \
  within 60 "$program" fit sparse.csv --structure full -o none.json --report page.html

# One run of three samples beside one of many, runs that repeat, more channels than samples, noise alone, channels
# without or with hardly any unit in common: a table without nan, and a whole model.
signal %.2fe-2 1 | awk -F, 'BEGIN { OFS = "," } NR == 1 { print "trajectory", $0; next } { print "a", $0 }
  NR < 5 { print "b", $0 }' >unequal.csv
signal %.2fe-2 1 | awk -F, 'BEGIN { OFS = "," } NR == 1 { print "trajectory", $0; next }
  { for (r = 1; r < 4; ++r) print r, $0 }' >repeated.csv
signal %.2fe-2 1 | awk -F, 'BEGIN { OFS = "," } NR > 1 { $2 = sprintf("%.17g", $2 * 1e-6); $3 = sprintf("%.17g", $3 * 1e6) }
  { print }' >units.csv
awk 'BEGIN { srand(1); printf "t"; for (c = 1; c <= 8; ++c) printf ",x%d", c; print ""
  for (k = 0; k < 5; ++k) { printf "%d", k; for (c = 1; c <= 8; ++c) printf ",%.9g", rand() - 0.5; print "" } }' >broad.csv
awk 'BEGIN { srand(2); print "t,a,b,c"; for (k = 0; k < 200; ++k) printf "%d,%.9g,%.9g,%.9g\n", k, rand() - 0.5, rand() - 0.5, rand() - 0.5 }' >noise.csv
signal %.2fe-2 1 | awk -F, 'BEGIN { OFS = "," } { print $0, (NR > 1 ? 0 : "rest") }' >silent.csv
signal %.2fe-2 1 | awk -F, 'BEGIN { OFS = "," } { print $0, (NR > 1 ? $2 : "again") }' >double.csv
for data in unequal.csv repeated.csv units.csv; do fits $data 1 1e-6; done
expect 1 within 60 "$program" fit noise.csv -o none.json --report none.html
grep -q 'no mode' "$err" || fail "white noise has no mode"
for data in broad.csv noise.csv silent.csv double.csv; do
  structure=auto
  [ $data != noise.csv ] || structure=metric
  done_quietly within 60 "$program" fit $data --structure $structure -o model.json --report page.html
  ! grep -qiE '(^|[^a-z])nan([^a-z]|$)' "$out" || fail "nan in a table"
  holds page.html '</html>'
  done_quietly lgn modes model.json
  done_quietly lgn evaluate model.json $data
done

# Times at the ends of the range.
printf 't,x\n-1e308,1\n0,0.5\n1e308,0.25\n' >wide.csv
printf 't,x\n0,1\n5e-324,0.5\n1e-323,0.25\n' >narrow.csv
for data in wide.csv narrow.csv; do
  refused "times in another unit" within 60 "$program" fit $data -o none.json --report none.html
  for words in "evaluate one.json $data --channels x" "report one.json $data --channels x -o page.html"; do
    within 60 "$program" $words >"$out" 2>"$err"
    status=$? command=$words
    [ $status = 0 ] || [ $status = 2 ] || fail "exit status $status"
  done
done

# Many samples, many runs, strange names.
awk 'BEGIN { print "t,x,y"; for (k = 0; k < 100000; ++k) { a = exp(-k / 1e5)
  printf "%d,%.9g,%.9g\n", k, a * cos(k / 1e3), a * sin(k / 1e3) } }' >long.csv
done_quietly within 60 "$program" fit long.csv --max-seconds 1 -o model.json --report page.html
holds model.json '"samples":100000'
awk 'BEGIN { print "trajectory,t,x"; for (r = 0; r < 2000; ++r) for (k = 0; k < 4; ++k)
  printf "run %d,%d,%.9g\n", r, k, (r + 1) * exp(-k / 5) }' >many.csv
done_quietly within 60 "$program" fit many.csv --max-seconds 5 -o model.json
near "$(field re model.json)" -0.2 1e-2 "the pole of 2000 runs"
signal %.2fe-2 1 | sed '1s/.*/t,"a, ""b"" '"'c'"' <i>",%s {} $(x) \\n/' >names.csv
fits names.csv 1 1e-6
done_quietly lgn modes model.json
prints "%s {} \$(x) \\n"
done_quietly lgn simulate model.json --t1 0.1
equal "$(head -n 1 "$out")" "$(head -n 1 names.csv)" "names survive a round trip"
