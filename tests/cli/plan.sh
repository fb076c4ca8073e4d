# Standard errors to expect before anything is measured: the table, JSON, the figure, and what is refused.
. "$LGN_SOURCE/tests/cli/_check.sh"
python=/usr/bin/python3

# Modes as typed; one line says what was taken for granted.
expect 0 lgn plan --mode 3.2Hz,0.01 --mode 7Hz,2% --want "zeta<0.1%"
prints "3.2000" "0.02000" "damping ratio" "as planned" "half the noise" "wanted: zeta<0.1%: not met" "runs  "
grep -q "taken for granted: 14.92 s for a run (three time constants" "$err" || fail "no line about what was taken for granted"
grep -q "noise of 1% of the rms" "$err" || fail "the noise was not said"
done_quietly lgn plan --mode 3.2Hz,0.01 --quiet
done_quietly lgn plan --mode 20ms --quiet
prints "time constant [s]" "0.0200"
done_quietly lgn plan --mode 5Hz,0 --rate 20Hz --duration 10s --noise 2% --quiet
prints "at 5 Hz" "aliased" "for 2.5 s"

# Laws: σ ∝ noise, 1/√runs; what is needed meets what is wanted.
plan_json() { expect 0 lgn plan --mode 3.2Hz,0.01 --mode 7Hz,0.02 --duration 8s --rate 50Hz --json "$@"; }
plan_json --noise 0.01; cp "$out" one.json
plan_json --noise 0.02; cp "$out" louder.json
plan_json --noise 0.01 --runs 4; cp "$out" four.json
plan_json --noise 0.01 --want "zeta<0.2%"; cp "$out" wanted.json
rate=$($python -c 'import json; print(json.load(open("wanted.json"))["needs"]["rate_hz"])')
expect 0 lgn plan --mode 3.2Hz,0.01 --mode 7Hz,0.02 --duration 8s --rate "$rate" --noise 0.01 --want "zeta<0.2%" --json
cp "$out" met.json
$python - <<'END' || fail "the plan breaks a law of scaling"
import json
one, louder, four, wanted, met = (json.load(open(name + ".json")) for name in ("one", "louder", "four", "wanted", "met"))
assert one["schema"] == "lgn-plan/1" and one["sensors"] == ["y1"] and len(one["modes"]) == 2
for a, b, c in zip(one["modes"], louder["modes"], four["modes"]):
    for name in ("frequency_hz", "damping_ratio", "re", "im"):
        assert abs(b["se"][name] / a["se"][name] - 2) < 1e-9
        assert abs(c["se"][name] / a["se"][name] - 0.5) < 1e-9
assert wanted["shortfall"] > 1 >= met["shortfall"] > 0.97, (wanted["shortfall"], met["shortfall"])
rates = [p["modes"] for p in one["against"]["rate"]]
assert rates[0] is None and rates[-1] is not None  # aliased, and not
lengths = [p["modes"][0]["se"]["re"] for p in one["against"]["duration"] if p["modes"]]
assert all(b <= a * (1 + 1e-9) for a, b in zip(lengths, lengths[1:]))
END

# Sensors by name or number, and the next one.
done_quietly lgn plan --mode 12Hz,1%,1,0.3 --mode 31Hz,1%,0.2,1 --sensors 1 --quiet
prints "the next sensor" "y2" "sensors y1"
done_quietly lgn plan --mode 12Hz,1%,1,0.3 --mode 31Hz,1%,0.2,1 --quiet
prints "each sensor left out"

# A driven model: what is expected is what a fit to such data reports, about; its inputs are compared.
lgn generate mass-spring --masses 2 --damping 0.2 --input random --noise 2% --t1 120 --dt 0.2 -o push.csv --truth truth.json
expect 0 lgn fit push.csv --channels q1,q2 --states 4 --hold zoh --feedthrough no --offset none --quiet -o push.json
expect 0 lgn plan push.json --input random --figure plan.svg --json
holds plan.svg "<svg" "sampling rate" "record length" "damping ratio"
cp "$out" plan.json
$python - <<'END' || fail "the plan is not what the fit found"
import json
plan, model = json.load(open("plan.json")), json.load(open("push.json"))
assert sorted(c["input"] for c in plan["input_choices"]) == ["chirp", "multisine", "random", "steps"]
assert plan["best_input"] == plan["input_choices"][0]["input"] and plan["next_sensor"] is None
found = [m for m in model["modes"] if m["im"] > 0]
# Another random input of the same kind, and its amplitude: about as telling.
for mode, fitted in zip(plan["modes"], found):
    ratio = mode["se"]["damping_ratio"] / fitted["se"]["damping_ratio"]
    assert 0.6 < ratio < 1.6, ratio
END
expect 0 lgn plan push.json --sensors q2 --quiet
prints "q1" "inputs of the same rms" "random"
done_quietly lgn plan - --quiet <push.json

# What is refused leaves nothing behind.
refused "nothing to plan for" lgn plan
refused "two answers" lgn plan push.json --mode 1Hz,0.1
refused "aliases the mode" lgn plan --mode 3Hz,0.01 --rate 5Hz --figure no.svg
[ ! -e no.svg ] || fail "a file of a refused command"
refused "no sampling rate" lgn plan --mode 3Hz,0.01 --rate 5bananas
refused "no duration" lgn plan --mode 3Hz,0.01 --duration=-3
refused "values for" lgn plan --mode 3Hz,0.01 --duration 100ms --rate 30Hz
refused "more than the" lgn plan --mode 3Hz,0.01 --duration 10h --rate 1kHz
refused "is no mode" lgn plan --mode 3.2Hz
refused "is no mode" lgn plan --mode 3.2Hz,1.5
refused "is no noise" lgn plan --mode 3Hz,0.01 --noise 0
refused "number of runs" lgn plan --mode 3Hz,0.01 --runs 0
refused "is no accuracy" lgn plan --mode 3Hz,0.01 --want "zeta<5Hz"
refused "asks for mode 2" lgn plan --mode 3Hz,0.01 --want "f2<1%"
refused "there is no channel" lgn plan push.json --sensors q9
refused "no excitation" lgn plan push.json --input noise
refused "no input to excite" lgn plan --mode 3Hz,0.01 --input chirp
refused "standard output, too" lgn plan --mode 3Hz,0.01 --json --figure -
