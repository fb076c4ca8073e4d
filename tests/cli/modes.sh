# The modes table, alone and beside the truth.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --omega 2 --gamma 0.8 --truth rlc.json >rlc.csv
done_quietly lgn modes rlc.json
# λ = −0.4 ± i√(4 − 0.16); f = 2/2π; ζ = 0.2; τ = 2.5; Q = 2.5.
prints "-0.4 ± 1.9596i" 0.31831 0.2 2.5 "q, p" "pole [1/s]" "ω_n [rad/s]" "f [Hz]"
equal "$(rows "$out")" 8 "one row for a conjugate pair"
done_quietly lgn modes - <rlc.json
prints "-0.4 ± 1.9596i"

done_quietly lgn modes rlc.json --json
command="cmp"
cmp -s "$out" rlc.json || fail "the model does not read back to itself"

done_quietly lgn fit rlc.csv --structure parametric:rlc -o found.json
done_quietly lgn modes found.json --truth rlc.json
prints "true pole" "true f" "true ζ" "mean |Δλ|"
below "$(sed -n 3p "$out" | awk '{ print $NF }')" 1e-8 "the pole's relative error"

# Poles that do not ring, and one at zero.
lgn generate rlc --omega 1 --gamma 4 --truth slow.json >slow.csv
done_quietly lgn modes slow.json
prints -0.26795 -3.7321
lgn generate oscillator --truth oscillator.json >oscillator.csv
done_quietly lgn modes oscillator.json
prints "0 ± 1i"
! grep -q -- '-0 ' "$out" || fail "a negative zero in the table"

lgn generate ladder --truth ladder.json >ladder.csv
refused ladder.json lgn modes rlc.json --truth ladder.json
