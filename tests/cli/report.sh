# The page and the plots: whole, self-contained, and safe with any name.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --noise 1% --truth truth.json | sed '1s/.*/t,<b>q<\/b>,"p ""x"" \& y"/' >data.csv
done_quietly lgn fit data.csv --structure full -o model.json --report fit.html --time-unit '<script>'
holds fit.html '<!doctype html>' '</html>' '<svg' 'What the data say' '&lt;b&gt;q&lt;/b&gt;' 'SHA-256'
! grep -qE '<b>|<script' fit.html || fail "a name is not escaped"
equal "$(grep -oE 'https?://[^ "<]*' fit.html | sort -u)" "http://www.w3.org/2000/svg'" "the only address is a name space"
! grep -qE '(src|href)=' fit.html || fail "the page refers to something outside"

done_quietly lgn report model.json data.csv -o again.html
prints_nothing
holds again.html '</html>'
mkdir figures
done_quietly lgn report model.json data.csv --figures figures
equal "$(ls figures | tr '\n' ' ')" "poles.svg signal-1.svg signal-2.svg " "no energy is known for a full generator"

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
below "$(wc -c <long.html)" 400000 "bytes of the page about 100,000 samples"

refused "nothing to write" lgn report model.json data.csv
refused "--channels names 1" lgn report model.json data.csv --channels '<b>q</b>' -o bad.html
refused figures lgn report model.json data.csv --figures figures/none -o bad.html
