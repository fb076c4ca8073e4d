# Commands joined by pipes, named pipes and standard streams.
. "$LGN_SOURCE/tests/cli/_check.sh"

pipeline() { lgn generate rlc --gamma 0.2 | lgn fit - --structure parametric:rlc "$@"; }
done_quietly pipeline
prints "gamma = 0.2"
done_quietly pipeline -o -
cp "$out" model.json
holds model.json '"files":["-"]' '"sha256":null'
equal "$(grep -c schema model.json)" 1 "the model once, and no table"
done_quietly pipeline -o - --json
equal "$(grep -c schema "$out")" 1 "the model once, although asked for twice"

all_the_way() { pipeline --json | lgn simulate - --t1 29.9 | lgn evaluate model.json - --json; }
done_quietly all_the_way
below "$(field nrmse "$out")" 1e-9 "generate | fit | simulate | evaluate"
to_modes() { pipeline --json | lgn modes -; }
done_quietly to_modes
prints "-0.1 ± 0.99499i"

# A named pipe can be read once only.
mkfifo pipe
(lgn generate rlc >pipe) &
done_quietly within 60 "$program" fit pipe --structure parametric:rlc --json
wait
prints '"sha256":null'
(cat pipe >copy.json) &
done_quietly within 60 "$program" fit <(lgn generate rlc) --structure parametric:rlc -o pipe
wait
holds copy.json '"schema": "lgn-model/1"'

# A reader that leaves early ends the writer, quietly.
early() { lgn generate ladder --t1 10000 | head -n 1; }
done_quietly early
equal "$(cat "$out")" t,v1,i1,v2,i2,v3,i3 "the header"

# Standard streams that are closed.
closed_output() { lgn modes model.json >&-; }
expect 2 closed_output
closed_output() { lgn generate rlc -o whole.csv >&-; }
done_quietly closed_output
equal "$(rows whole.csv)" 301 "a file although standard output is closed"
closed_input() { lgn fit - <&-; }
refused stdin closed_input
closed_error() { lgn fit none.csv 2>&-; }
expect 2 closed_error
full_error() { lgn fit none.csv 2>/dev/full; }
[ ! -e /dev/full ] || expect 2 full_error
folder_as_input() { lgn "$1" - </; }
refused directory folder_as_input fit
refused "not JSON" folder_as_input modes
refused "twice" lgn fit - -
