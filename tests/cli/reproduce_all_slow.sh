# All experiments in the quick setting: what must come out whatever the seed.
. "$LGN_SOURCE/tests/cli/_check.sh"

done_quietly lgn reproduce all --quick -o quick

# value EXPERIMENT SYSTEM METHOD METRIC FIELD: a number of results.json, as it stands; null where there is none.
value() {
  awk -v experiment="$1" -v system_="$2" -v method="$3" -v metric="$4" -v field="$5" '
    /^ "/ { gsub(/[ ":\[]/, ""); here = $0 }
    /^  \{/ { delete row }
    /^   "/ {
      key = $0; sub(/^ *"/, "", key); sub(/".*/, "", key)
      text = $0; sub(/^[^:]*: /, "", text); sub(/,$/, "", text); gsub(/^"|"$/, "", text)
      row[key] = text
    }
    /^  \}/ && here == experiment && row["system"] == system_ && row["method"] == method && row["metric"] == metric {
      print row[field]; exit
    }' quick/results.json
}

below "$(value exp1 LC LGN nrmse ours)" 1e-13 "LGN on LC"
below "$(value exp1 RLC LGN nrmse ours)" 1e-13 "LGN on RLC"
equal "$(value exp1 RLC LGN violations ours)" 0.0 "violations of LGN on RLC"
below "$(value exp2 '' 'LGN-SD, M1' nrmse ours)" 1e-8 "LGN-SD on the oscillator that varies"
below "$(value exp2 '' 'LGN-SD, M1' nrmse paper_method)" 0.11 "LGN-SD by Adam against Linear-ID"
below 0 "$(value exp3 '' Linear-ID unstable paper_method)" "unstable poles of Linear-ID"
# A prediction of nothing has an NRMSE of 1, and Adam's are about as good: within a third.
for method in LGN-SD LGN-FA; do
  below 0.667 "$(value exp3 '' $method nrmse paper_method)" "$method by Adam"
  below "$(value exp3 '' $method nrmse paper_method)" 1.333 "$method by Adam"
done
below "$(value exp3 '' LGN-SD nrmse ours)" 1e-5 "LGN-SD, ours"
# |Δλ| of one pole scatters by half of its mean (as the modulus of two normal errors does); the mean over two data sets of
# three pairs, the worst of which counts most, by a third or less: three such deviations are twice the bound.
below "$(value exp4 'noise 5%' LGN-SD relative_pole_error ours)" \
  "$(awk -v b="$(value exp4 'noise 5%' 'Cramér–Rao bound' relative_pole_error ours)" 'BEGIN { print 2 * b }')" \
  "poles under noise against the Cramér–Rao bound"
below "$(value a1 'Δt = 0.1' 'LGN-M1' constants_error ours)" 1e-8 "constants of the law"
below "$(value a2 stiff LGN-SD relative_error ours)" 1e-9 "LGN-SD on the stiff ladder"
# RK4's own phase error, 1.5e-5, within a fifth.
below 1.2e-5 "$(value a2 stiff SymODEN '|Δλ| of pole 3' paper_method)" "SymODEN's slow pole"
below "$(value a2 stiff SymODEN '|Δλ| of pole 3' paper_method)" 1.8e-5 "SymODEN's slow pole"

if [ -x "$(dirname "$program")/lgn-neural" ]; then
  below 1 "$(value exp1 RLC HNN nrmse paper_method)" "HNN on RLC"
  below 0.5 "$(value exp1 RLC HNN violations paper_method)" "violations of HNN on RLC"
  below "$(value exp1 RLC 'Neural ODE' nrmse paper_method)" 1 "Neural ODE on RLC"
  below 1e-6 "$(value exp1 RLC 'Neural ODE' nrmse paper_method)" "Neural ODE on RLC"
  below 1 "$(value exp2 '' 'Neural ODE, Fourier features, 4' nrmse paper_method)" "Neural ODE with features"
else
  equal "$(value exp1 RLC HNN nrmse paper_method)" null "HNN without libtorch"
  holds quick/results.json 'which needs libtorch'
fi

for panel in 1a 1b 1c 1d 1e 1f 2a 2b 3a 3b 4 a1a a1b a2a a2b a2c a2d a2e a2f; do
  holds "quick/figures/figure-$panel.svg" '<svg'
  holds quick/reproduction.md "(figures/figure-$panel.svg)"
done
for table in exp1 exp2 exp3 exp4 a1 a2; do holds "quick/tables/$table.md" '| method |'; done
