# `lgn fit` of networks too large for dense matrices: values on a known topology, the model file, and what takes it.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate network --topology rlc-grid --size 7 --spread 5 --trajectories 2 --t1 8 --noise 1% -o data.h5 --edges edges.csv
done_quietly lgn fit data.h5 --structure network --edges edges.csv --engine sparse --errors never --quiet -o model.json
holds model.json '"engine": "sparse"' '"modes_complete": false' '"converged":true' '"storages":' '"rows":'
done_quietly lgn simulate model.json --t1 1 -o response.csv
equal "$(rows response.csv)" 12 "header and eleven samples"
done_quietly lgn evaluate model.json data.h5
prints "all" "channel"
refused "sparse" lgn report model.json data.h5 -o page.html
refused "sparse" lgn modes model.json
refused "topology" lgn fit data.h5 --structure network --engine sparse
refused "cloud" lgn fit data.h5 --structure network --edges edges.csv --engine cloud
refused "PETSc" lgn fit data.h5 --structure network --edges edges.csv --engine petsc
refused "report" lgn fit data.h5 --structure network --edges edges.csv --engine sparse --report page.html

# More states than dense matrices have place for, and the engine by itself.
lgn generate network --size 2100 --t1 2.5 --trajectories 2 --noise 1% -o big.npz --edges big.csv
done_quietly lgn fit big.npz --edges big.csv --errors never --quiet -o big.json
holds big.json '"dimension": 4200' '"engine": "sparse"'
done_quietly lgn simulate big.json --t1 0.3 -o big.npz
