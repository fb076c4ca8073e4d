# A circuit that another program simulated: its wiring and every value come out of the waveforms alone, and a netlist of
# what was found gives these waveforms again.
. "$LGN_SOURCE/tests/cli/_check.sh"

if ! command -v ngspice >/dev/null; then
  [ "${PACKAGES:-yes}" = no ] || fail "ngspice is not installed; run scripts/install-packages test"
  skip "ngspice is not installed"
  exit 0
fi

# A ladder whose values spread over a decade. The trapezoidal rule with steps h turns a pole λ into λ(1 + (hλ)²/12): at
# the fastest one, |λ| = 2.4e4/s, that is 1.2e-5 of the frequency and three times as much of a small damping.
cat >ladder.cir <<'end'
* an unequal ladder
C1 n1 0 4.7u ic=5
L1 n1 x1 10m ic=0
R1 x1 n2 22
C2 n2 0 1u ic=-2
L2 n2 x2 2.2m ic=20m
R2 x2 n3 4.7
C3 n3 0 10u ic=1
L3 n3 x3 4.7m ic=-10m
R3 x3 n4 10
C4 n4 0 2.2u ic=3
L4 n4 x4 22m ic=10m
R4 x4 0 33
.options method=trap reltol=1e-6 abstol=1e-12 vntol=1e-9 chgtol=1e-18 trtol=1
.tran 0.5u 1m 0 0.5u uic
.control
set wr_singlescale
set wr_vecnames
set numdgt=12
run
wrdata ladder.txt v(n1) v(n2) v(n3) v(n4) i(L1) i(L2) i(L3) i(L4)
quit
.endc
.end
end
# to_csv TABLE: ngspice's columns of fixed width as CSV.
to_csv() { sed -E '1s/time/t/; s/^ +//; s/ +$//; s/ +/,/g' "$1"; }

expect 0 ngspice -b ladder.cir
[ -s ladder.txt ] || fail "ngspice wrote no ladder.txt"
to_csv ladder.txt >ladder.csv
equal "$(head -n 1 ladder.csv)" "t,v(n1),v(n2),v(n3),v(n4),i(L1),i(L2),i(L3),i(L4)" "the header"
done_quietly lgn fit ladder.csv --structure network -o model.json
prints "network of 4 voltages and 4 currents, 7 couplings, 4 losses"

# The wiring, by ends of each inductor: -1 where its current leaves a voltage, 1 where it enters one.
grep '^  "network"' model.json | grep -oE '"type":"coupling"[^}]*' |
  sed -E 's/.*"from":"([^"]*)","to":"([^"]*)","value":(-?)1(\.0)?,.*/\1 \2 \31/' |
  awk '$1 ~ /^i/ { print $2, $1, -$3; next } { print }' | sort >wiring
equal "$(cat wiring)" "v(n1) i(L1) -1
v(n2) i(L1) 1
v(n2) i(L2) -1
v(n3) i(L2) 1
v(n3) i(L3) -1
v(n4) i(L3) 1
v(n4) i(L4) -1" "the wiring"

# The values, each of which the poles above fix to some 1e-5.
value() {
  grep '^  "network"' model.json | grep -oE "\"name\":\"$1\",[^}]*" | sed -E 's/.*"value":([^,]*).*/\1/'
}
for element in C1=4.7e-6 C2=1e-6 C3=10e-6 C4=2.2e-6 L1=10e-3 L2=2.2e-3 L3=4.7e-3 L4=22e-3 R1=22 R2=4.7 R3=10 R4=33; do
  near "$(value "${element%=*}")" "${element#*=}" 1e-3 "${element%=*}"
done

# And back. The netlist keeps the phase to 1e-6 of a radian; voltages are of order one, currents of some 1e-2.
done_quietly lgn network model.json --netlist again.cir
expect 0 ngspice -b again.cir
[ -s again.txt ] || fail "ngspice wrote no again.txt"
to_csv again.txt >again.csv
done_quietly lgn simulate model.json --times again.csv -o simulated.csv
equal "$(head -n 1 simulated.csv)" "$(head -n 1 again.csv)" "channels of both tables"
equal "$(rows simulated.csv)" "$(rows again.csv)" "rows of both tables"
paste -d , again.csv simulated.csv | awk -F, '
  NR > 1 { for (k = 1; k <= NF / 2; ++k) { a = $k; d = a - $(k + NF / 2)
    if (a * a > size[k]) size[k] = a * a; if (d * d > off[k]) off[k] = d * d } }
  END { for (k = 2; k <= NF / 2; ++k) if (off[k] > worst * size[k]) worst = off[k] / size[k]; print sqrt(worst) }' >worst
below "$(cat worst)" 1e-5 "the largest difference, relative to the largest value of its channel"
