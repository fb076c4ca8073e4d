# Every structure finds what it is for.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --gamma 0.2 -o rlc.csv
lgn generate oscillator --omega 2 -o oscillator.csv
lgn generate ladder --sections 2 --R 0.3 --trajectories 2 -o ladder.csv
lgn generate random --states 3 --trajectories 2 -o random.csv
lgn generate mass-spring --masses 2 --damping 0.2 --trajectories 3 -o chain.csv

done_quietly lgn fit random.csv -o random.json
prints "structure sd" "pole [1/s]" "by mle" "2 runs, 600 samples" "→ chosen"
! grep -q NOT "$out" || fail "a fit to clean data has not converged"
holds random.json '"method": "mle"' '"converged":true' '"warnings": []'
done_quietly lgn fit random.csv --structure sd --method adam -o adam.json
prints "structure sd" "pole [1/s]" "converged after" "epochs of adam" "2 runs, 600 samples"
! grep -q chosen "$out" || fail "a choice among structures that was not asked for"
holds adam.json '"method": "adam"' '"candidates": []'
below "$(field nrmse_train adam.json)" 1e-8 "sd by adam on clean data of its own kind"
lgn generate random --states 3 --trajectories 2 --noise 2% -o noisy.csv
done_quietly lgn fit noisy.csv -o noisy.json
prints "structure sd" "converged after" "steps of mle" "± one standard error"
holds random.json '"structure": "sd"' '"dissipative":true' '"conservative":false' '"S":[[' '"d":['
below "$(field nrmse_train random.json)" 1e-8 "sd on clean data of its own kind"

done_quietly lgn fit random.csv --structure psd -o psd.json
holds psd.json '"structure": "psd"' '"dissipative":true'
below "$(field nrmse_train psd.json)" 1e-6 "psd on clean data of sd"

done_quietly lgn fit chain.csv --structure full -o chain.json
prints "no guarantee"
holds chain.json '"stable":false' '"energy": null'
below "$(field nrmse_train chain.json)" 1e-6 "full on clean data"

done_quietly lgn fit oscillator.csv --channels q,p --structure skew -o skew.json
holds skew.json '"conservative":true'
near "$(field natural_frequency skew.json)" 2 0.1 "skew sees the frequency although it cannot scale p"

done_quietly lgn fit oscillator.csv --structure parametric:oscillator -o oscillator.json
prints "omega = 2"
near "$(field omega oscillator.json)" 2 1e-9 "omega"

# A start near the truth, far from it, and one constant only.
for start in omega2=1.2,gamma=0.15 omega2=2.5,gamma=1 gamma=0.3; do
  done_quietly lgn fit rlc.csv --structure parametric:rlc --start $start -o rlc.json
  near "$(field omega2 rlc.json)" 1 1e-8 "omega2 from $start"
  near "$(field gamma rlc.json)" 0.2 1e-8 "gamma from $start"
done
done_quietly lgn fit rlc.csv --structure parametric:rlc
prints "omega2 = 1" "gamma = 0.2"

done_quietly lgn fit ladder.csv --structure parametric:ladder -o ladder.json
for constant in R1 R2; do near "$(field $constant ladder.json)" 0.3 1e-6 $constant; done
for constant in L1 L2 C1 C2; do near "$(field $constant ladder.json)" 1 1e-6 $constant; done

# Options that change how, not what.
done_quietly lgn fit rlc.csv --structure parametric:rlc --x0 measured --method auto -o measured.json
holds measured.json '"x0": [[1.0,0.0]]'
holds measured.json '"method": "mle"'
done_quietly lgn fit rlc.csv --structure parametric:rlc --method adam --epochs 5 -o few.json
holds few.json '"converged":false' '"code":"not-converged"'
done_quietly lgn fit rlc.csv --structure parametric:rlc --method adam --learning-rate 0.02 --threads 2 --seed 3 --time-unit ms
prints "pole [1/ms]" "f [Hz]" "159.15" # one radian in a millisecond
done_quietly lgn fit rlc.csv --structure parametric:rlc --time-unit week
prints "pole [1/week]" "f [1/week]"

# A list may stand before the files.
done_quietly lgn fit --channels q,p --structure parametric:rlc rlc.csv
