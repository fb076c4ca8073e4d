# The page and the plots: whole, self-contained, and safe with any name.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --noise 1% --truth truth.json | sed '1s/.*/t,<b>q<\/b>,"p ""x"" \& y"/' >data.csv
done_quietly lgn fit data.csv --structure full -o model.json --report fit.html --time-unit '<script>'
holds fit.html '<!doctype html>' '</html>' "data-plot='poles'" 'Identified system' 'Model validation' '&lt;b&gt;q&lt;/b&gt;' 'SHA-256' \
  "lgn fit data.csv --structure full --time-unit &#39;&lt;script&gt;&#39;" "default-src 'none'"
! grep -qE '<b>' fit.html || fail "a name is not escaped"
equal "$(grep -oE '</?script' fit.html | wc -l)" 8 "a name opens or ends no script"
equal "$(sed -n '1,/id=.report-data/p' fit.html | grep -cE '(src|href)=')" 0 "the page refers to nothing outside"

done_quietly lgn report model.json data.csv -o again.html
prints_nothing
holds again.html '</html>'
mkdir figures
done_quietly lgn report model.json data.csv --figures figures
equal "$(ls figures | tr '\n' ' ')" \
  "autocorrelation.svg content.svg poles.svg residual-1.svg residual-2.svg shape-1.svg signal-1.svg signal-2.svg " \
  "no energy is known for a full generator"
mkdir fitted
done_quietly lgn fit data.csv --structure full --quiet --figures fitted
equal "$(ls fitted)" "$(ls figures)" "fit and report draw the same plots"

done_quietly lgn report truth.json data.csv --channels '<b>q</b>,p "x" & y' --figures figures -o truth.html
holds figures/energy.svg '<svg' '</svg>'
holds truth.html 'Energy of the model'

# To a stream: nothing else goes there.
done_quietly lgn fit data.csv --structure full --report -
equal "$(tail -n 1 "$out" | tail -c 8)" "</html>" "only the page"

# Long data give a small page.
awk 'BEGIN { print "t,x"; for (k = 0; k < 100000; ++k) printf "%d,%.6f\n", k, sin(k / 1e4) + k % 7 / 100 }' >long.csv
lgn fit long.csv --structure full --epochs 1 --quiet -o long.json
done_quietly lgn report long.json long.csv -o long.html
below "$(wc -c <long.html)" 600000 "bytes of the page about 100,000 samples"

# What was held out is marked, in the data of the fit and not in others.
done_quietly lgn fit data.csv --structure full --holdout 0.3 --quiet -o held.json --report held.html
holds held.html '"label":"validation"' 'Validation: residuals of the part that was not fitted are'
done_quietly lgn report held.json data.csv -o held2.html
holds held2.html '"label":"validation"'
head -n 100 data.csv >other.csv
done_quietly lgn report held.json other.csv -o other.html
! grep -q '"label":"validation"' other.html || fail "other data have no validation part"

refused "nothing to write" lgn report model.json data.csv
refused "--channels names 1" lgn report model.json data.csv --channels '<b>q</b>' -o bad.html
done_quietly lgn report model.json data.csv --figures made/here
holds made/here/poles.svg '</svg>'
refused model.json lgn report model.json data.csv --figures model.json/none -o bad.html
