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

# Formats for programs and papers.
done_quietly lgn modes found.json --format csv
equal "$(rows "$out")" 2 "a header and one row for the pair"
prints re,im, se_frequency_hz identifiable
done_quietly lgn modes found.json --format markdown
prints "| pole [1/s] |" "|---|" "SHA-256 of the data"
done_quietly lgn modes found.json --format latex
prints '\begin{tabular}' '\pm' '\,\mathrm{i}' '\end{table}'
if command -v pdflatex >latex.path; then
  { echo '\documentclass{article}\begin{document}' && cat "$out" && echo '\end{document}'; } >table.tex
  expect 0 pdflatex -interaction=nonstopmode -halt-on-error table.tex
else
  skip "pdflatex is not installed"
fi
done_quietly lgn modes found.json --format text
cp "$out" text.txt
done_quietly lgn modes found.json
cmp -s "$out" text.txt || fail "text is not the default"
refused word lgn modes found.json --format word
refused "--format is for the modes alone" lgn modes found.json --format csv --json
refused "--format is for the modes alone" lgn modes found.json --format csv --truth rlc.json

# Shapes with errors, of hidden states; a model that comes from no data has none to give.
lgn generate mass-spring --masses 2 --noise 1% --t1 60 >two.csv
done_quietly lgn fit two.csv --channels q1,q2 --states 4 -o two.json
done_quietly lgn modes two.json --shapes
prints "channel" "phase [°]" "size and phase beside the channel"
refused "--shapes is a table of its own" lgn modes two.json --shapes --format csv

lgn generate ladder --truth ladder.json >ladder.csv
refused ladder.json lgn modes rlc.json --truth ladder.json
