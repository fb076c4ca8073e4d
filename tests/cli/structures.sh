# Every structure by every method.
. "$LGN_SOURCE/tests/cli/_check.sh"

# fits DATA STRUCTURE METHOD MOST-ERROR NAMES…: status 0, and a whole model with these parameters.
fits() {
  local data=$1 structure=$2 method=$3 most=$4 name
  shift 4
  rm -f model.json
  done_quietly lgn fit "$data" --structure "$structure" --method "$method" -o model.json
  prints "structure $structure (" "pole [1/s]" "$([ "$method" = auto ] && echo mle || echo "$method")"
  ! grep -qiE '(^|[^a-z])nan([^a-z]|$)' "$out" || fail "nan in a table"
  holds model.json "\"structure\": \"$structure\"" "\"method\": \"$([ "$method" = auto ] && echo mle || echo "$method")\"" \
    '"converged":true' '"candidates": []'
  for name; do grep '^  "parameters"' model.json | grep -q "\"$name\":" || fail "no parameter $name"; done
  equal "$(grep '^  "parameters"' model.json | grep -oE '"[A-Za-z0-9]+":' | wc -l | tr -d ' ')" $(($# + 1)) "names"
  below "$(field nrmse_train model.json)" "$most" "the fit error of $structure by $method"
  done_quietly lgn modes model.json
  done_quietly lgn evaluate model.json "$data"
  done_quietly lgn simulate model.json --t1 1
}
lgn generate ladder --sections 2 --noise 1% -o ladder.csv
lgn generate rlc --noise 1% -o rlc.csv
lgn generate oscillator --omega 2 --noise 1% -o oscillator.csv
for method in auto mle closed-form adam; do
  most=0.011
  [ $method != closed-form ] || most=0.05 # no trajectories are fitted
  fits ladder.csv sd $method $most S d
  fits ladder.csv psd $method $most S L
  fits ladder.csv scaled-sd $method $most S d scale
  fits ladder.csv metric $method $most J R Q
  fits ladder.csv full $method $most A
  fits ladder.csv parametric:ladder $method $most R1 R2 L1 L2 C1 C2
  fits rlc.csv parametric:rlc $method $most omega2 gamma
  fits oscillator.csv parametric:oscillator $method $most omega
  fits ladder.csv skew $method 1 S
  holds model.json '"conservative":true'
done
done_quietly lgn fit ladder.csv --structure scaled-sd
prints "S − D in channel units of"
for structure in skew sd psd scaled-sd metric full parametric:ladder; do
  for options in "--x0 measured" "--loss huber" "--holdout 0.25"; do
    done_quietly lgn fit ladder.csv --structure $structure $options -o model.json
    holds model.json "\"structure\": \"$structure\""
  done
done
for name in Metric scaled_sd SD auto: "sd " metric,sd; do
  refused "unknown structure" lgn fit ladder.csv --structure "$name"
done
refused "laws are" lgn fit ladder.csv --structure parametric:
for name in ADAM closed_form bayes ''; do refused "method does not know \"$name\"" lgn fit ladder.csv --structure sd --method "$name"; done
