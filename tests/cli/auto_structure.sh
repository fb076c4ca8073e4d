# Without --structure, the program finds the simplest one that the data support, and shows how it came to it.
. "$LGN_SOURCE/tests/cli/_check.sh"

# chooses STRUCTURE FILE: as a converged fit, with a table of candidates in which one is marked.
chooses() {
  done_quietly lgn fit "$2" -o model.json --report page.html
  prints "structure $1 (" "free parameters" "verdict" "fit error" "validation error" BIC
  equal "$(grep -c '→' "$out")" 1 "arrows in the table"
  grep -qE "^$1 .*→ chosen" "$out" || fail "the arrow is not at $1"
  holds model.json "\"structure\": \"$1\"" '"converged":true'
  equal "$(grep -o '"chosen":true' model.json | wc -l | tr -d ' ')" 1 "candidates that are chosen"
  grep -qE "\"structure\":\"$1\",[^}]*\"chosen\":true" model.json || fail "another candidate is chosen"
  ! grep -qiE '(^|[^a-z])nan([^a-z]|$)' "$out" || fail "nan in a table"
  holds page.html '</html>'
}
scaled() { awk -F, -v c="$1" -v s="$2" 'BEGIN { OFS = "," } NR > 1 { $c = sprintf("%.17g", $c * s) } { print }'; }

for noise in 0 2%; do
  lgn generate ladder --trajectories 3 --noise $noise -o ladder.csv
  chooses sd ladder.csv
  lgn generate oscillator --noise $noise -o undamped.csv
  chooses skew undamped.csv
  holds model.json '"conservative":true'
  # Capacitances that differ: S − D in other units of the channels.
  lgn generate ladder --sections 2 --C 1,100 --L 1,10 --trajectories 3 --noise $noise -o units.csv
  chooses scaled-sd units.csv
  holds model.json '"scale":[' '"dissipative":true'
  lgn generate mass-spring --masses 2 --damping 0.2 --trajectories 3 --noise $noise -o chain.csv
  chooses metric chain.csv
  # A position in metres, a momentum in thousandths of its unit.
  lgn generate rlc --omega 2 --noise $noise | scaled 3 1000 >damped.csv
  chooses metric damped.csv
  near "$(field natural_frequency model.json)" 2 1e-2 "the frequency in any units"
done
holds model.json '"Q":[[' '"dissipative":true'
equal "$(grep -c unstable model.json)" 0 "warnings of instability"
# The same without damping, at the border of all that is stable.
for seed in 1 2 3; do
  lgn generate oscillator --omega 2 --noise 1% --seed $seed | scaled 3 1000 >border.csv
  chooses metric border.csv
  near "$(field natural_frequency model.json)" 2 1e-3 "the frequency of seed $seed"
done

# What grows.
awk 'BEGIN { srand(1); print "t,x,y"; for (k = 0; k < 200; ++k) { t = k / 20; a = exp(0.2 * t)
  printf "%.2f,%.12g,%.12g\n", t, a * cos(3 * t) + 0.01 * (rand() - 0.5), a * sin(3 * t) + 0.01 * (rand() - 0.5) } }' >growing.csv
chooses full growing.csv
prints "warning [unstable]" "the data grow" "no guarantee"
holds model.json '"code":"unstable"' '"stable":false'
near "$(field re model.json)" 0.2 0.01 "the rate of growth"

# One channel: nothing can turn.
awk 'BEGIN { print "t,x"; for (k = 0; k < 100; ++k) printf "%.1f,%.15g\n", k / 10, exp(-k / 100) }' >one.csv
chooses sd one.csv
equal "$(grep -oE '"structure":"[^"]*"' model.json | tr '\n' ' ')" '"structure":"sd" "structure":"full" ' "candidates"

# A structure that is asked for is not chosen: no table.
done_quietly lgn fit ladder.csv --structure sd -o model.json
! grep -q -e '→' -e verdict "$out" || fail "a choice that was not asked for"
holds model.json '"candidates": []'
done_quietly lgn fit ladder.csv --structure auto -o auto.json
done_quietly lgn fit ladder.csv -o default.json
equal "$(grep '"A"' auto.json)" "$(grep '"A"' default.json)" "auto is the default"
# `modes` and `report` read the choice back.
done_quietly lgn modes default.json --json
command="cmp"
cmp -s "$out" default.json || fail "the model does not read back to itself"
refused "only a law" lgn fit ladder.csv --start gamma=1

# No linear system predicts a spring that hardens this much; a law does, and is found without being asked for.
. "$LGN_SOURCE/tests/cli/_kinds.sh"
make_kind duffing >duffing.csv
done_quietly lgn fit duffing.csv
prints "structure nonlinear-mechanical" "k1^3"
