# The model file holds what the contract says, and reads back.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate ladder --trajectories 2 --noise 2% --t1 10 -o data.csv
done_quietly lgn fit data.csv --json --holdout 0.2
cp "$out" model.json
keys() { grep -oE '^  "[A-Za-z0-9_]+"' "$1" | tr -d ' "' | tr '\n' ' '; }
for key in schema lgn_version structure method dimension channels inputs time_unit A B C x0 parameters modes fit \
  guarantees candidates warnings data; do
  case " $(keys model.json) " in *" $key "*) ;; *) fail "the model has no key $key" ;; esac
done
holds model.json '"schema": "lgn-model/1"' '"structure": "sd"' '"method": "mle"' '"dimension": 6' \
  '"channels": ["v1","i1","v2","i2","v3","i3"]' '"inputs": []' '"time_unit": "s"' '"B": null' '"C": null' \
  '"S":[[' '"d":[' '"runs":2' '"samples":200' '"files":["data.csv"]' '"warnings": ['
for key in re im natural_frequency frequency_hz damping_ratio time_constant; do
  equal "$(mode_fields $key model.json | wc -l | tr -d ' ')" 6 "values of $key"
  equal "$(se_fields $key model.json | grep -c '^[0-9]')" 6 "standard errors of $key"
done
equal "$(mode_fields identifiable model.json | sort | uniq -c | tr -s ' ')" " 6 true" "modes that are determined"
equal "$(mode_fields reason model.json | sort -u)" null "reasons why not"
for key in re im frequency_hz damping_ratio; do
  equal "$(grep '^  "modes"' model.json | grep -oE "\"$key\":\[[^]]*\]" | wc -l | tr -d ' ')" 6 "intervals of $key"
done
equal "$(field numbers_in_A model.json)" 21 "what A was free to vary by"
holds model.json '"confidence":0.95' '"bootstrap":0' '"noise_per_channel":[' '"chosen":true' '"verdict":'
near "$(field interval_factor model.json)" 1.96 0.01 "standard errors of a 95% interval"
for key in nrmse_train nrmse_holdout noise_sigma iterations converged seconds stable dissipative conservative; do
  [ -n "$(field $key model.json)" ] || fail "no $key"
done
equal "$(field sha256 model.json)" "\"$(sha256sum <data.csv | cut -d' ' -f1)\"" "the checksum of the data"

# A second trip changes nothing, not even a bit.
done_quietly lgn modes - --json <model.json
command="cmp"
cmp -s "$out" model.json || fail "the model does not read back to itself"

# The same as -o, beside --json.
done_quietly lgn fit data.csv --json --holdout 0.2 -o file.json
grep -v '^  "fit"' "$out" >one
grep -v '^  "fit"' file.json >two
command="cmp"
cmp -s one two || fail "--json and -o differ"

# Readers need only what the contract lists.
grep -v -e '^  "energy"' -e '^  "candidates"' model.json |
  sed -E 's/"step":[^,]*,//; s/"(confidence|interval_factor|bootstrap)":[^,]*,//g; s/"noise_per_channel":\[[^]]*\],//
    s/"interval":\{[^}]*\},//g; s/"(reason|condition)":[^,]*,//g' >contract.json
for word in interval noise_per_channel reason condition bootstrap candidates; do
  ! grep -q "\"$word" contract.json || fail "the edit leaves $word"
done
done_quietly lgn modes contract.json
refused "--dt" lgn simulate contract.json --t1 1
done_quietly lgn simulate contract.json --t1 1 --dt 0.5

# Names that JSON must escape, and names that are not UTF-8.
printf 't,"a ""b"", c\\d",µ 温度\n0,1,0\n1,0.5,0.5\n2,0,0.5\n' >$'odd \xff.csv'
done_quietly lgn fit $'odd \xff.csv' -o odd.json --report odd.html
holds odd.json '"a \"b\", c\\d"' 'µ 温度'
done_quietly lgn modes odd.json
cp $'odd \xff.csv' $'second \xff.csv'
done_quietly lgn evaluate odd.json $'odd \xff.csv' $'second \xff.csv' --json
prints 'odd �.csv'
