# `lgn fit` of networks too large for dense matrices: values on a known topology, the model file, and what takes it.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate network --topology rlc-grid --size 7 --spread 5 --trajectories 2 --t1 8 --noise 1% -o data.h5 --edges edges.csv
done_quietly lgn fit data.h5 --structure network --edges edges.csv --engine sparse --errors never --quiet -o model.json
holds model.json '"engine": "sparse"' '"modes_complete": false' '"converged":true' '"storages":' '"rows":'
done_quietly lgn simulate model.json --t1 1 -o response.csv
equal "$(rows response.csv)" 12 "header and eleven samples"
done_quietly lgn evaluate model.json data.h5
prints "all" "channel"
done_quietly lgn report model.json data.h5 -o page.html --figures figures
holds page.html "133 states" "data-plot='residual-map'" "data-plot='values-storage'"
[ -s figures/poles.svg ] || fail "no map of poles"
done_quietly lgn modes model.json --count 3 --near 0.3Hz
prints "of 133 poles"
equal "$(rows "$out")" 10 "two lines of summary, a warning, one between, a heading, a table of three with a head of two"
refused "different" lgn modes model.json --slowest --near 1
done_quietly lgn network model.json --netlist circuit.cir
refused "dense" lgn export model.json -o model.py
refused "dense" lgn plan model.json
refused "dense" lgn predict model.json data.h5
refused "dense" lgn modes model.json --truth model.json
refused "inputs" lgn response model.json
refused "network" lgn fit data.h5 --structure auto --engine sparse
refused "cloud" lgn fit data.h5 --structure network --edges edges.csv --engine cloud
refused "checkpoint" lgn fit data.h5 --structure network --edges edges.csv --engine sparse --checkpoint state

# Modes come with standard errors, or when they are asked for.
done_quietly lgn fit data.h5 --structure network --edges edges.csv --engine sparse --errors never
prints "no modes were computed"
# Standard errors with the fit, of its slowest poles too.
done_quietly lgn fit data.h5 --structure network --edges edges.csv --engine sparse --report fitted.html -o known.json
prints "of 133 poles" "± one standard error"
holds fitted.html "data-plot='errors'"

# The topology is found where it is not given.
lgn generate network --topology rlc-grid --size 8 --spread 5 --trajectories 3 --noise 2% -o unknown.h5 --edges truth.csv
done_quietly lgn fit unknown.h5 --structure network --engine sparse --errors never --quiet -o found.json
done_quietly lgn fit unknown.h5 --structure network --engine sparse --edges truth.csv --errors never --quiet -o given.json
equal "$(grep '^  "A"' found.json)" "$(grep '^  "A"' given.json)" "the same network"

# More states than dense matrices have place for, and the engine by itself.
lgn generate network --size 2100 --t1 2.5 --trajectories 2 --noise 1% -o big.npz --edges big.csv
done_quietly lgn fit big.npz --edges big.csv --errors never --quiet -o big.json
holds big.json '"dimension": 4200' '"engine": "sparse"'
done_quietly lgn simulate big.json --t1 0.3 -o big.npz
