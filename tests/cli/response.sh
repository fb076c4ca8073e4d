# What a driven model does to its inputs: the table, files, JSON, and what is refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

# Two masses, the force on the first: H(0) = 2/3 and 1/3 with springs of 1 to the walls and between them.
lgn generate mass-spring --masses 2 --damping 0.2 --input random --noise 2% --t1 120 --dt 0.2 -o push.csv --truth truth.json
done_quietly lgn response truth.json
prints "u → q1" "u → q2" "static gain         0.66667" "static gain         0.33333" "phase margin" "zeros" "standard errors are not known"
expect 0 lgn fit push.csv --channels q1,q2 --states 4 --hold zoh --feedthrough no --quiet -o push.json
holds push.json '"system_se": {"entries"'
done_quietly lgn response push.json
prints "u → q1" "bandwidth (−3 dB)" "gain margin" "Hz" "± one standard error" "looked for up to 2.5 Hz"

# As JSON, within four standard errors of the truth.
done_quietly lgn response push.json push.csv --json
holds "$out" '"static_gain"' '"coherence"' '"phase_margin_deg"' '"bode"' '"step"' '"impulse"'
cp "$out" found.json
python=/usr/bin/python3
$python - <<'END' || fail "the responses are not those of the truth"
import json
found = json.load(open("found.json"))["responses"]
for pair, gain in zip(found, (2 / 3, 1 / 3)):
    value, error = pair["static_gain"]["value"], pair["static_gain"]["se"]
    assert 0 < error < 0.05 and abs(value - gain) < 4 * error, (value, error)
    assert abs(pair["step"]["value"][-1] - value) < 0.05 * value
    assert len(pair["bode"]["H"]) == len(pair["bode"]["magnitude_se"]) >= 500
    assert len(pair["data"]["H"]) == len(pair["data"]["coherence"]) > 20
    assert all(0 <= c <= 1 for c in pair["data"]["coherence"])
END

# Files: by their ending, by --format, and on standard output.
done_quietly lgn response push.json push.csv --bode bode.svg --step step.csv --impulse impulse.txt
prints_nothing
holds bode.svg "<svg" "magnitude" "phase" "coherence"
equal "$(head -n 1 step.csv)" input,output,t,value,se "the columns of a step response"
equal "$(head -n 1 impulse.txt)" input,output,t,value,se "no ending: a table"
done_quietly lgn response push.json --bode - --format csv
equal "$(head -n 1 "$out")" source,input,output,frequency_hz,re,im,magnitude,magnitude_se,phase_deg,phase_deg_se,coherence "the columns of a Bode plot"
! grep -q ^data "$out" || fail "rows of data that were not given"
done_quietly lgn response push.json push.csv --bode both.csv
grep -q ^data,u,q2 both.csv || fail "no rows of the data"
done_quietly lgn response - <push.json

# The report has the section, and its plots as files.
done_quietly lgn report push.json push.csv -o push.html --figures plots
holds push.html "Response to inputs" "id='response'"
for name in magnitude-1 phase-2 coherence-1 step-1 impulse-2; do holds plots/$name.svg "<svg"; done

# Data without a transfer function of their own: said, and no error.
awk -F, 'NR == 1 || NR % 7' push.csv >uneven.csv
expect 0 lgn response push.json uneven.csv --bode uneven.svg
grep -q "no transfer function of the data: the samples are uneven" "$err" || fail "no line about uneven samples"
head -n 12 push.csv >tiny.csv
expect 0 lgn response push.json tiny.csv
grep -q "too short" "$err" || fail "no line about short runs"

# A delay shifts what is seen, and an offset does not.
sed 's/"delay": 0.0/"delay": 0.5/' push.json >late.json
done_quietly lgn response late.json --step late.csv
awk -F, 'NR > 1 && $3 < 0.5 && $4 != 0 { exit 1 }' late.csv || fail "a response before its delay"

# What is refused leaves nothing behind.
lgn generate rlc --truth free.json >free.csv
refused "has no inputs" lgn response free.json
refused "--inputs" lgn response free.json --bode free.svg
[ ! -e free.svg ] || fail "a file of a refused command"
refused "does not know" lgn response push.json --bode x.svg --format png
refused "--format is for" lgn response push.json --format svg
refused "two outputs" lgn response push.json --bode same.csv --step same.csv
refused "would replace an input" lgn response push.json push.csv --bode push.csv
refused "is required" lgn response
refused "q1" lgn response push.json free.csv
refused "standard output, too" lgn response push.json --json --bode -
sed 's/\["A",1,0\]/["A",9,0]/' push.json >bad.json
refused "no entry of A" lgn response bad.json
