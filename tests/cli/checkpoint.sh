# Checkpoints: they change nothing, belong to one computation, and are whole or refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

generator() { grep '^  "A"' "$1"; }
lgn generate ladder --sections 3 --trajectories 2 --noise 2% -o small.csv
lgn generate rlc --noise 2% -o rlc.csv

# A checkpoint changes nothing in a fit that nobody kills, whatever the structure, and can be used again.
for options in "" "--method adam --epochs 100" "--structure sd --method adam --epochs 100" "--structure metric" \
  "--structure scaled-sd --x0 measured" "--structure parametric:ladder --method adam --epochs 100" \
  "--structure psd --holdout 0.25" "--method closed-form" "--loss huber"; do
  rm -f state
  done_quietly lgn fit small.csv $options --quiet -o plain.json
  for try in 1 2; do
    done_quietly lgn fit small.csv $options --checkpoint state --quiet -o kept.json
    equal "$(generator kept.json)" "$(generator plain.json)" "A with a checkpoint and \"$options\", time $try"
  done
done
# Few samples: a law's first guess is trained on as many horizons as the law itself.
lgn generate ladder --sections 3 --t1 1 --noise 1% -o short.csv
rm -f state
done_quietly lgn fit short.csv --structure parametric:ladder --method adam --epochs 50 --quiet -o plain.json
done_quietly lgn fit short.csv --structure parametric:ladder --method adam --epochs 50 --checkpoint state --quiet -o kept.json
equal "$(generator kept.json)" "$(generator plain.json)" "A of a law with a checkpoint"

# A checkpoint of other data or other options.
rm -f state
fit="fit rlc.csv --structure sd --method adam --epochs 50"
done_quietly lgn $fit --checkpoint state --quiet
refused "state: belongs to another command or other data; remove it or name another file" \
  lgn fit small.csv --structure sd --method adam --epochs 50 --checkpoint state -o none.json
for other in "--epochs 51" "--seed 2" "--structure psd" "--method mle" "--loss huber" "--x0 measured" "--holdout 0.2" \
  "--channels p,q" "--learning-rate 0.02"; do
  name=${other% *}
  words=$(echo "$fit" | sed -E "s/ $name [^ ]*//")
  refused "state: belongs to another command or other data; remove it or name another file" \
    lgn $words $other --checkpoint state -o none.json
done
# What does not change the search may change.
done_quietly lgn $fit --checkpoint state --quiet -o out.json --confidence 0.5 --time-unit ms --max-seconds 100 --errors never
from_stream() { lgn ${fit/rlc.csv/-} --checkpoint stream --quiet <"$1"; }
done_quietly from_stream rlc.csv
done_quietly from_stream rlc.csv
sed '5s/[1-9]$/0/; 6s/[1-9]$/0/' rlc.csv >changed.csv
refused "stream: belongs to another command or other data" from_stream changed.csv

# A damaged one.
damaged() { refused "damaged: is not a whole checkpoint; remove it or name another file" lgn $fit --checkpoint damaged; }
size=$(wc -c <state)
for part in 1 3 5 7; do
  head -c $((size * part / 8)) state >damaged
  damaged
done
sed '10s/[0-9a-f]$/x/' state >damaged
damaged
sed '10s/.$/#/; 11s/^./0/' state >damaged
damaged
sed '10s/^\(.*\)\(.\)$/\2\1/' state >damaged
damaged
cat state state >damaged
damaged
: >damaged
damaged
echo '{"schema": "lgn-model/1"}' >damaged
damaged
head -c 10000 /dev/urandom >damaged
damaged

# Places where it cannot be.
mkdir folder
refused "none/state: cannot write" lgn $fit --checkpoint none/state
refused "folder: cannot write" lgn $fit --checkpoint folder
refused "rlc.csv/state: cannot write" lgn $fit --checkpoint rlc.csv/state
refused "--checkpoint needs a file" lgn $fit --checkpoint -
refused "needs a regular file" lgn $fit --checkpoint /dev/null
refused "--checkpoint" lgn $fit --checkpoint
refused "replace an input" lgn $fit --checkpoint rlc.csv
refused "replace an input" lgn $fit --checkpoint ./folder/../rlc.csv
refused "two outputs" lgn $fit --checkpoint new -o new
refused "two outputs" lgn $fit --checkpoint ./new --report new
equal "$(find . -name '*.tmp')" "" "temporary files"
if in_open_folder; then
  lgn generate rlc -o rlc.csv
  echo old >kept
  chmod 444 kept
  refused "kept: cannot write: Permission denied" bound $fit --checkpoint kept
else
  skip "no user whom permissions bind can run the program here"
fi
