# Model files that cannot be used.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --truth good.json -o data.csv
lgn fit data.csv --structure skew --quiet -o good.json # with a warning and standard errors in it
holds good.json '"code":' '"se":{"re":' '"candidates": []'

# bad TEXT…: bad.json is refused with a line that names it and holds every TEXT.
bad() {
  refused bad.json lgn modes bad.json
  local text
  for text; do grep -qF -e "$text" "$err" || fail "standard error lacks: $text"; done
}
# The same for every command that reads models.
bad_everywhere() {
  bad "$@"
  refused bad.json lgn modes bad.json --json
  refused bad.json lgn modes good.json --truth bad.json
  refused bad.json lgn simulate bad.json --t1 1 -o x.csv
  refused bad.json lgn evaluate bad.json data.csv
  refused bad.json lgn predict bad.json data.csv
  refused bad.json lgn report bad.json data.csv -o x.html
}
# edit SED-SCRIPT: makes bad.json from the good one, and sees to it that something changed.
edit() {
  command="sed $1"
  sed -E "$1" good.json >bad.json
  ! cmp -s bad.json good.json || fail "the edit changes nothing"
}

# Another version, no version, no model.
edit 's|lgn-model/1|lgn-model/2|'
bad_everywhere lgn-model/2 lgn-model/1
edit 's|"lgn-model/1"|1|'
bad schema
edit '/"schema"/d'
bad "not an lgn model"
for text in '[]' '{}' '3' 'null' '"lgn-model/1"' '' '{"schema":null}' '{"schema":"lgn-model/1"}'; do
  printf '%s' "$text" >bad.json
  bad
done
cp data.csv bad.json
bad "not JSON" bad.json:1
cp "$program" bad.json
bad_everywhere "not JSON"
rm bad.json
bad_everywhere "cannot be read"
mkdir bad.json
bad_everywhere directory
rmdir bad.json

# What never ends.
refused /dev/zero within 60 "$program" modes /dev/zero

# Cut off anywhere.
size=$(wc -c <good.json)
for part in 1 2 3 5 8 13; do
  head -c $((size * part / 14)) good.json >bad.json
  bad "not JSON"
done

# Every field of the contract is needed.
fields="lgn_version structure method dimension channels inputs time_unit A B C x0 parameters modes fit guarantees
  warnings data"
for name in $fields; do
  edit "/^  \"$name\":/d"
  sed -i -z 's/,\n}/\n}/' bad.json # where it was the last
  bad "\"$name\""
done
for name in nrmse_train nrmse_holdout noise_sigma iterations converged stable dissipative files runs samples code; do
  edit "s/\"$name\":(\[[^]]*\]|\"[^\"]*\"|[^,}]*),//"
  bad "$name"
done
for name in seconds conservative sha256 message; do
  edit "s/,\"$name\":(\"[^\"]*\"|[^,}]*)//"
  bad "$name"
done

# Sizes and types.
matrix() { edit "s/^  \"$1\": .*/  \"$1\": $2,/"; }
for a in '[]' '[[]]' '[[1,2]]' '[[1,2],[3]]' '[[1,2,3],[4,5,6]]' '[[1,2],[3,4],[5,6]]' '[1,2,3,4]' 'null' '3' '"A"' \
  '[[1,2],[3,"4"]]' '[[1,2],[3,null]]' '[[1,2],[3,true]]' '[[1,2],[3,[4]]]' '{"n":2}'; do
  matrix A "$a"
  bad '"A"'
done
matrix A '[[1,2],[3,NaN]]'
bad "not JSON"
matrix A '[[1,2],[3,1e999]]'
bad_everywhere "too large"
for x0 in '[[1]]' '[[1,2,3]]' '[1,2]' 'null' '{}' '[["a","b"]]'; do
  matrix x0 "$x0"
  bad '"x0"'
done
for channels in '[]' '["q"]' '["q","p","r"]' '"q,p"' '[1,2]' 'null'; do
  matrix channels "$channels"
  bad '"channels"'
done
for dimension in 0 -1 3 2.5 '"2"' true null 1e300 18446744073709551615; do
  matrix dimension "$dimension"
  bad
done
matrix energy '[[1,2]]'
bad '"energy"'
matrix modes '[]'
bad '"modes"'
for modes in '[5,5]' '[{},{}]' '[{"re":"x"},{"re":1}]'; do
  matrix modes "$modes"
  bad modes
done
matrix inputs '["u"]'
bad inputs
matrix B '[[1]]'
bad inputs
matrix parameters '[]'
bad '"parameters"'
for value in '"x"' null '[[1],[2,3]]' '[["a"]]' '[1,"a"]' '{}' '[[1]]' '[1]' '[1,2,3]' '[[1,2,3],[4,5,6]]'; do
  matrix parameters "{\"S\":$value}"
  bad '"parameters.S"'
done
matrix warnings '[3]'
bad warnings
matrix warnings '{}'
bad '"warnings"'
matrix guarantees '{"stable":1,"dissipative":true,"conservative":true}'
bad guarantees.stable
for iterations in -1 1.5 1e99 99999999999999 '"3"' true; do
  edit "s/\"iterations\":[0-9]*/\"iterations\":$iterations/"
  bad fit.iterations
done
matrix candidates '[3]'
bad candidates
matrix candidates '[{"structure":"sd"}]'
bad candidates.parameters
for edit in identifiable/true/3 reason/null/3 bootstrap/0/-1 bootstrap/0/0.5 confidence/0.95/'"high"' \
  interval_factor/'[^,]*'/'[]'; do
  IFS=/ read -r name old new <<<"$edit"
  edit "s/\"$name\":$old/\"$name\":$new/"
  bad "$name"
done
edit 's/("se":\{.*"frequency_hz":)[^,]*(,"damping_ratio":[^,]*,"time_constant":[^}]*\},"interval")/\1"x"\2/'
bad se.frequency_hz
edit 's/"noise_sigma":[^,]*/"noise_sigma":"small"/'
bad fit.noise_sigma
# No states at all.
edit 's/^  "dimension": 2/  "dimension": 0/; s/^  "(A|x0|modes|channels)": .*/  "\1": [],/'
bad dimension

# A hundred thousand brackets.
{ printf '{"schema":"lgn-model/1","A":'; head -c 100000 /dev/zero | tr '\0' '['; } >bad.json
bad "not JSON"
{ printf '{"schema":'; head -c 100000 /dev/zero | tr '\0' '['; head -c 100000 /dev/zero | tr '\0' ']'; echo '}'; } >bad.json
bad schema
