# Few samples in a turn: right up to two, honest beyond.
. "$LGN_SOURCE/tests/cli/_check.sh"

worst() { lgn modes "$1" --truth truth.json | sed -n '3,${/^mean/q;p}' | awk '{ print $NF }' | sort -g | tail -n 1; }
# The fastest pole turns by 1.8 rad in a unit of time.
for noise in 0 1%; do
  lgn generate ladder --trajectories 5 --t1 60 --dt 1.5 --noise $noise --truth truth.json -o coarse.csv
  for structure in auto sd; do
    done_quietly lgn fit coarse.csv --structure $structure -o coarse.json
    prints "structure sd" pole
    ! grep -q -e "not determined" -e warning "$out" || fail "2.7 rad between samples taken for too many"
    below "$(worst coarse.json)" 2e-3 "the worst pole with 2.7 rad between samples"
    holds coarse.json '"warnings": []' '"converged":true'
  done

  lgn generate ladder --trajectories 5 --t1 60 --dt 2 --noise $noise --truth truth.json -o aliased.csv
  done_quietly lgn fit aliased.csv -o aliased.json
  prints "warning [aliasing]" "Nyquist frequency (0.25 Hz)" "not determined" "above the Nyquist frequency"
  equal "$(grep -c '^not determined' "$out")" 1 "rows that are not determined"
  equal "$(mode_fields identifiable aliased.json | sort | uniq -c | tr -s ' \n' ' ')" " 2 false 4 true " "modes"
  holds aliased.json '"code":"aliasing"' '"code":"undetermined-modes"' '"reason":"above the Nyquist frequency'
  # The slower ones are right.
  near "$(field natural_frequency aliased.json)" 0.445042 2e-3 "the slowest frequency"
  done_quietly lgn modes aliased.json
  prints "not determined"
done

# Uneven times have no aliases.
awk -F, 'BEGIN { OFS = ","; srand(2) } NR == 1 || rand() < 0.15' \
  <(lgn generate ladder --trajectories 5 --t1 200 --noise 1%) >uneven.csv
done_quietly lgn fit uneven.csv --structure sd -o uneven.json
! grep -q aliasing uneven.json || fail "aliases with uneven times"
