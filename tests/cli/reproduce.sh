# The paper's experiments again: what is written, what is kept, and what is refused.
. "$LGN_SOURCE/tests/cli/_check.sh"

refused 'unknown experiment "exp9"; experiments are exp1, exp2, exp3, exp4, a1, a2, all' lgn reproduce exp9
refused '--seeds must be from 1 to 1000' lgn reproduce a1 --seeds 0
refused 'no-such-program: not lgn-neural' lgn reproduce a1 --neural no-such-program
refused 'not lgn-neural, or it does not run here' lgn reproduce a1 --neural /bin/true
refused '-o names no folder' lgn reproduce a1 -o ''
touch file
refused 'file/experiments' lgn reproduce a1 -o file
refused 'choose another one with -o DIR' lgn reproduce a1 -o file/in

# An experiment without neural models, alone.
done_quietly lgn reproduce a1 --quick --neural none -o found
prints '## A.1' 'LGN-M2, sign − and Simpson' 'observed order' 'found/index.html'
holds found/results.json '"a1"' '"paper_method"' '"ours"'
holds found/reproduction.md '(figures/figure-a1a.svg)' '(figures/figure-a1b.svg)'
holds found/index.html '<svg' '</html>'
holds found/tables/a1.md '| Δt = 0.1 | LGN-M1 | RMSE |'
holds found/figures/figure-a1a.svg '<svg'
if grep -q 'exp3' found/results.json; then fail "results of an experiment that was not run"; fi

# It is not run again, and comes back as it was.
cp found/results.json before.json
done_quietly lgn reproduce a1 --quick --neural none -o found
prints 'Finished before'
cmp -s found/results.json before.json || fail "the results changed"
done_quietly lgn reproduce a1 --quick --neural none -o found --again
if grep -q 'Finished before' "$out"; then fail "--again did not run it again"; fi
cmp -s found/results.json before.json || fail "another run of the same gives other results"

# Other settings are another reproduction: refused in the same folder, unless it may be made anew.
refused 'made with other settings' lgn reproduce a1 --seeds 2 --neural none -o found
done_quietly lgn reproduce a1 --seeds 2 --neural none -o found --again
holds found/settings.json '"seeds":2'

# Without the program for neural models their rows say so, and the others are there.
done_quietly lgn reproduce exp1 --quick --neural none -o plain
prints 'not run: without lgn-neural'
holds plain/results.json '"LGN"' '"HNN"'
holds plain/figures/figure-1e.svg '<svg'
mkdir -p blocked/results.json
expect 2 lgn reproduce a1 --neural none -o blocked
grep -q 'blocked/results.json: a folder is where a file' "$err" || fail "the folder in the way is not named"

# What was kept and is damaged is named.
head -n 5 found/experiments/a1.json >cut && mv cut found/experiments/a1.json
expect 2 lgn reproduce a1 --seeds 2 --neural none -o found
prints_nothing
grep -q '^lgn: found/experiments/a1.json: damaged: .*; delete it' "$err" || fail "the damaged file is not named"

# Ctrl-C ends it: one line, status 1, and what was finished stays.
command="lgn reproduce exp1 exp3 with a signal"
"$program" reproduce exp1 exp3 --neural none -o stopped >"$out" 2>"$err" &
process=$!
until grep -q exp1 stopped/results.json 2>"$streams/grep" || ! kill -0 $process 2>"$streams/kill"; do sleep 0.05; done
kill -INT $process
status=0
wait $process || status=$?
equal "$status" 1 "exit status"
grep -q '^lgn: stopped; the same command goes on' "$err" || fail "it does not say that it was stopped"
holds stopped/results.json '"exp1"'

if in_open_folder; then
  mkdir closed
  chmod 555 closed
  refused 'closed/in' bound reproduce a1 -o closed/in
  refused 'closed' bound reproduce a1 -o closed
else
  skip "nobody else can run the program here"
fi
