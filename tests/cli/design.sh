# Values that meet targets: the table, the designed model, and what is refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --sections 3 -o ladder.csv --truth ladder.json
done_quietly lgn design ladder.json --free R1,R2,R3 --bounds "R*=1e-3:10" --target "zeta>=0.2" --minimise "sum(R*)" -o designed.json
prints "R3 " "lower bound" "zeta>=0.2" "binds" "1.59113"
holds designed.json '"design": {' '"method": "design"' '"at_bound":"lower"' 'design ladder.json --free'

# The designed model is a model like others.
done_quietly lgn modes designed.json
prints "R1 = 0.80738" "designed"
done_quietly lgn simulate designed.json --t1 5 --dt 0.1 -o x.csv
done_quietly lgn network designed.json --netlist circuit.cir
holds circuit.cir "0.8073"

# Commas belong to a target; bounds beside a name; ties.
lgn generate network --topology chain --size 3 --loss 0.01 -o chain.csv --truth chain.json
done_quietly lgn design chain.json --free "k*" --target "f=0.126,0.229,0.349" --minimise change -o placed.json
python=/usr/bin/python3
$python - <<'END' || fail "frequencies are not those that were wanted"
import json
found = sorted(m["frequency_hz"] for m in json.load(open("placed.json"))["modes"])[::2]
assert all(abs(f - w) < 1e-8 for f, w in zip(found, (0.126, 0.229, 0.349))), found
END
done_quietly lgn design ladder.json --free "R1,C2:0.5..10" --target "peak(v1/v1, 0.01..0.2)<=4"
prints "C2" "peak(v1/v1, 0.01..0.2)<=4"
done_quietly lgn design ladder.json --free R1=R2=R3 --target "zeta>=0.2" --minimise R1 --json
holds "$out" '"design": {'

# What cannot be: status 1, the closest values, the target, and no file.
not_identified 'meet "zeta>=0.2", of which the closest reach 0.083244, at R1 = 0.3 (its upper bound)' \
  lgn design ladder.json --free "R*" --bounds "R*=1e-3:0.3" --target "zeta>=0.2" -o none.json

not_identified 'meet "f=0.1,0.2,0.3,0.4", which asks for more modes than there are' \
  lgn design ladder.json --free "R*" --target "f=0.1,0.2,0.3,0.4"
done_quietly lgn design ladder.json --free "R*" --target "zeta[5..10]>=0.2"
prints "zeta[5..10]>=0.2 asks nothing of the new values"

# What does not settle has no settling time, and does not meet one.
lgn generate ladder --sections 2 --R 1e-9 -o lossless.csv --truth lossless.json
not_identified '"settling(v1/v1)<=10", which has no value there' lgn design lossless.json --free "C*" --target "settling(v1/v1)<=10"

# Without an answer when its time is over: the same status, and no file.
lgn generate ladder --sections 50 -o long.csv --truth long.json
not_identified "stopped before there was an answer" \
  lgn design long.json --free "R*" --target "zeta>=0.2" --minimise "sum(R*)" --max-seconds 0.05 -o none.json

# What means nothing: status 2 and the place.
refused 'no value "Q*"' lgn design ladder.json --free "Q*" --target "zeta>=0.2"
refused "column 11" lgn design ladder.json --free "R*" --target "zeta>=0.2*x"
refused "--free R1,R2" lgn design ladder.json --target "zeta>=0.2"
refused '"R2=0.1:1": R2 is not free' lgn design ladder.json --free R1 --bounds R2=0.1:1 --target "zeta>=0.05"
refused '"C*=E12": C* is not free' lgn design ladder.json --free R1 --series "C*=E12" --target "zeta>=0.05"
refused 'column 11: ")" is missing' lgn design ladder.json --free R1 --target "peak(v1/v1"
refused "nothing is wanted" lgn design ladder.json --free R1
lgn generate mass-spring -o m.csv --truth full.json
refused "no named elements" lgn design full.json --free k --target "zeta>=0.2"
refused "would replace an input" lgn design ladder.json --free R1 --target "zeta>=0.1" -o ladder.json

# Preferred values, what parts are made to, and the page with the old system beside the new.
done_quietly lgn design ladder.json --free "R*" --bounds "R*=0.1:10" --target "zeta>=0.2" --minimise "sum(R*)" --series E24 --tolerance "R*=1%" \
  --report design.html --figures figures -o preferred.json
prints "E24" "of 1000 draws" "in 95%"
holds design.html "Poles that moved" "Sensitivities" "Elements" "free-1" "R2"
holds figures/moved-poles.svg "<svg"
$python - <<'END' || fail "values are not those of E24, or targets do not hold"
import json
design = json.load(open("preferred.json"))["design"]
digits = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91]
assert all(any(abs(v["after"] - d * 10.0**p) < 1e-12 * v["after"] for d in digits for p in range(-4, 2)) for v in design["values"]), design
# Rounding to preferred values can only make the targets hold more often; three deviations of 1,000 draws are 2%.
assert design["draws"]["held"] >= 0.93 and design["series"] == "E24", design
assert len(design["targets"][0]["sensitivities"]) == 3
END


# Errors of an identified model: its covariance is what a robust design obeys.
lgn generate ladder --sections 3 --trajectories 3 --noise 5% -o noisy.csv
lgn fit noisy.csv --structure network --quiet -o noisy.json >fit.txt
done_quietly lgn design noisy.json --free "R*" --bounds "R*=1e-3:10" --target "zeta>=0.2" --minimise "sum(R*)" --robust -o robust.json
prints "of 1000 draws"
$python - <<'END' || fail "targets do not hold with 95%"
import json
draws = json.load(open("robust.json"))["design"]["draws"]
assert abs(draws["held"] - 0.95) <= 0.02 and draws["count"] == 1000, draws
END
refused "no errors of the values" lgn design ladder.json --free "R*" --target "zeta>=0.2" --robust
refused "cannot hold with equality" lgn design noisy.json --free "R*" --target "zeta[slowest]=0.2" --robust
refused 'no series "E25"' lgn design ladder.json --free "R*" --target "zeta>=0.2" --series E25

# Responses in time, poles and energy.
done_quietly lgn design ladder.json --free "R*" --target "settling(v1/v1)<=15" --target "overshoot(v1/v1)<=20%" --target "lost(10, v1)>=0.8" --minimise "sum(R*)"
prints "settling(v1/v1)<=15" "lost(10, v1)>=0.8"
lgn generate rlc --truth rlc.json -o rlc.csv
done_quietly lgn design rlc.json --free omega2,gamma --target "poles=-0.2+1i" -o placed.json
near "$(mode_fields im placed.json | head -n 1 | tr -d -)" 1 1e-8 "the imaginary part of the pole"
