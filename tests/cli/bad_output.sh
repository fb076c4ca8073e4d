# Outputs that cannot be written, and outputs that must not be: nothing is left, nothing is changed.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --truth model.json -o data.csv
fit="fit data.csv --structure parametric:rlc"

mkdir folder
for target in none/out folder model.json/out; do
  refused "$target: cannot write" lgn generate rlc -o $target
  refused "$target: cannot write" lgn generate rlc --truth $target -o new.csv
  refused "$target: cannot write" lgn $fit -o $target
  refused "$target: cannot write" lgn $fit --report $target
  refused "$target: cannot write" lgn $fit -o new.json --report $target
  refused "$target: cannot write" lgn $fit -o $target --report new.html
  refused "$target: cannot write" lgn simulate model.json --t1 1 -o $target
  refused "$target: cannot write" lgn report model.json data.csv -o $target
done

# An output that cannot be written is refused before the work, not after it.
lgn generate ladder --sections 30 --trajectories 4 --noise 1% -o big.csv
refused none/out within 20 "$program" fit big.csv --structure sd --method adam --epochs 1000000 -o none/out

# A full disk.
if [ -e /dev/full ]; then
  refused "/dev/full: cannot write: No space" lgn generate rlc -o /dev/full
  refused "/dev/full: cannot write: No space" lgn generate rlc --truth new.json -o /dev/full
  refused "/dev/full: cannot write: No space" lgn $fit -o /dev/full
  refused "/dev/full: cannot write: No space" lgn $fit -o new.json --report /dev/full
  refused "/dev/full: cannot write: No space" lgn simulate model.json --t1 1 -o /dev/full
  refused "/dev/full: cannot write: No space" lgn report model.json data.csv -o /dev/full
  to_full() { lgn "$@" >/dev/full; }
  for words in "generate rlc" "$fit" "$fit --json" "modes model.json" "simulate model.json --t1 1" \
    "evaluate model.json data.csv" "report model.json data.csv -o -" "--help" "completion bash"; do
    refused "standard output: cannot write" to_full $words
  done
else
  skip "there is no /dev/full"
fi
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>mount.log; then
  on_disk() { lgn generate rlc -o disk/data.csv --truth disk/truth.json; }
  expect 2 on_disk
  grep -q '^lgn: disk/.*: cannot write: No space' "$err" || fail "the full disk is not named"
  left=$(ls -A disk)
  umount disk
  equal "$left" "" "files left on the full disk"
else
  skip "a small file system cannot be mounted here"
fi
rm mount.log

# Outputs that would replace an input, or one another.
ln -s data.csv link.csv
ln data.csv hard.csv
for target in data.csv ./data.csv folder/../data.csv link.csv hard.csv; do
  refused "replace an input" lgn $fit -o $target
  refused "replace an input" lgn $fit --report $target
  refused "replace an input" lgn report model.json data.csv -o $target
done
refused "replace an input" lgn report model.json data.csv -o model.json
refused "replace an input" lgn simulate model.json --t1 1 -o model.json
refused "replace an input" lgn simulate model.json --times data.csv -o data.csv
refused "two outputs" lgn $fit -o new --report ./new
refused "two outputs" lgn $fit -o - --report -
refused "two outputs" lgn $fit --json --report -
refused "two outputs" lgn generate rlc -o new --truth new
refused "two outputs" lgn generate rlc --truth -

# An older output is replaced whole, keeps its permissions, and stays when the new one fails.
echo old >out.json
chmod 640 out.json
refused data lgn fit none-data.csv -o out.json
equal "$(cat out.json)" old "an output of a command that failed"
done_quietly lgn $fit -o out.json
holds out.json '"schema"'
equal "$(stat -c %a out.json)" 640 "permissions"
done_quietly lgn $fit -o /dev/null --report /dev/null
equal "$(find . -name '*.tmp')" "" "temporary files"

# A folder, and a file, that may only be read.
if in_open_folder; then
  lgn generate rlc -o data.csv
  mkdir closed
  echo old >kept.json
  chmod 555 closed
  chmod 444 kept.json
  refused "closed/out: cannot write: Permission denied" bound generate rlc -o closed/out
  refused "kept.json: cannot write: Permission denied" bound $fit -o kept.json
  refused "new.json: cannot write: Permission denied" bound $fit -o closed/new.json
  equal "$(cat kept.json)" old "the file that may only be read"
else
  skip "no user whom permissions bind can run the program here"
fi
