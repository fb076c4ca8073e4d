# Passive at its ports: fitted, proved in the file, exported as a subcircuit that ngspice runs.
. "$LGN_SOURCE/tests/cli/_check.sh"

# A force and the velocity where it acts: a port.
lgn generate mass-spring --masses 2 --input multisine --hold foh --noise 5% --t1 40 --dt 0.2 -o all.csv
done_quietly lgn fit all.csv --channels v1 --states 4 --hold foh --passive -o port.json
prints "structure port-hamiltonian (guaranteed passive at its ports" "input u"
holds port.json '"structure": "port-hamiltonian"' '"passive":true' '"passivity": {"storage":[[1.0,0.0,0.0,0.0],' '"factor":[[' \
  '"J":[[' '"R":[[' '"G":[['
done_quietly lgn modes port.json
holds "$out" "±"
done_quietly lgn evaluate port.json all.csv --channels v1 --json
below "$(field nrmse "$out")" 0.2 "the model explains its data"
done_quietly lgn report port.json all.csv --channels v1 -o port.html
holds port.html "guaranteed passive at its ports"
done_quietly lgn fit all.csv --channels v1 --states 4 --hold foh --feedthrough yes --passive --json
holds "$out" '"S":[[' '"D": [['
done_quietly lgn fit all.csv --channels v1 --states 4 --hold foh -o free.json
holds free.json '"passive":false' '"passivity": null'

# The certificate is checked: nothing else may be put in its place.
sed -E 's/^  "passivity": .*/  "passivity": null,/' port.json >claim.json
refused 'has no "passivity"' lgn modes claim.json
sed -E '/^  "passivity"/s/"storage":\[\[1.0/"storage":[[2.0/' port.json >storage.json
refused "does not prove it" lgn modes storage.json
sed -E '/^  "passivity"/s/"storage":\[\[1.0/"storage":[[-1.0/' port.json >negative.json
refused "not positive definite" lgn simulate negative.json --t1 1
sed -E '/^  "C":/s/\[\[(-?)/[[\19/' port.json >output.json
refused "do not belong to the same ports" lgn modes output.json
sed -E 's/"passive":true/"passive":false/' port.json >modest.json
refused "guarantees.passive" lgn modes modest.json
sed -E 's/^  "delay": 0.0/  "delay": 0.5/' port.json >late.json
refused "no ports" lgn modes late.json

# What has no ports.
refused "there are 2 outputs (q1, v1) and 1 input (u)" lgn fit all.csv --channels q1,v1 --passive
refused "no inputs" lgn fit all.csv --channels q1 --inputs none --passive
refused "not passive" lgn fit all.csv --channels v1 --passive --delay auto
refused "structure of their own" lgn fit all.csv --channels v1 --passive --structure sd
refused "structure of their own" lgn fit all.csv --channels v1 --passive --states measured

# For circuit simulators: what names say, or as told.
awk -F, 'BEGIN { OFS = "," } { print $1, $4, $6 }' all.csv | sed '1s/.*/t,v1,i1/' >circuit.csv
done_quietly lgn fit circuit.csv --inputs i1 --states 4 --hold foh --passive -o circuit.json
done_quietly lgn export circuit.json -o port.cir
holds port.cir ".subckt port p1 n1" "* Passive:" "Vu1 p1 o1 0" "the voltage from p1 to n1 is v1" ".ends port"
refused "do not say which are voltages" lgn export port.json -o port.cir
done_quietly lgn export port.json -o port.cir --ports impedance
done_quietly lgn export port.json --format spice --ports admittance
holds "$out" ".subckt model p1 n1" "the voltage from p1 to n1 is u"
refused "does not know" lgn export port.json -o port.cir --ports sideways
lgn generate rlc --truth rlc.json -o rlc.csv
refused "no inputs" lgn export rlc.json -o rlc.cir --ports impedance
lgn generate mass-spring --masses 2 --input steps --truth truth.json -o truth.csv
refused "a port has an input and an output" lgn export truth.json -o truth.cir --ports impedance
done_quietly lgn export free.json -o free.cir --ports admittance
holds free.cir "Not guaranteed passive"

if ! command -v ngspice >/dev/null; then
  skip "ngspice is not installed"
  exit 0
fi
# A current that goes straight from sample to sample drives the port from rest.
{
  echo "a port and its current"
  cat port.cir
  echo "Xport in 0 port"
  echo "Iin 0 in pwl("
  awk -F, 'NR == 1 { for (k = 1; k <= NF; ++k) if ($k == "u") u = k } NR > 1 { print "+ " $1 " " $u }' all.csv
  echo "+ )"
  cat <<'END'
.options reltol=1e-6 abstol=1e-13 vntol=1e-13 method=trap
.tran 0.2 39.8 0 0.004 uic
.control
set wr_vecnames
set wr_singlescale
set numdgt=15
run
linearize v(in)
wrdata waveforms.txt v(in)
quit
.endc
.end
END
} >driven.cir
expect 0 ngspice -b driven.cir
[ -s waveforms.txt ] || fail "ngspice wrote no waveforms.txt"
sed -E 's/^  "offset": .*/  "offset": null,/; s/^  "offset_se": .*/  "offset_se": null,/' port.json >centred.json
done_quietly lgn simulate centred.json --input all.csv --x0 0,0,0,0 -o simulated.csv
equal "$(rows waveforms.txt)" "$(rows simulated.csv)" "rows of both tables"
# The trapezoidal rule errs by (ωh)²/12 of a step's change, about 1e-5; its first step by more.
tail -n +2 simulated.csv | tr , ' ' | paste -d ' ' <(tail -n +2 waveforms.txt) - | awk '
  { d = $2 - $4; s += d * d; y += $4 * $4 } END { print sqrt(s / y) }' >worst
below "$(cat worst)" 1e-4 "the difference between ngspice and lgn simulate"
