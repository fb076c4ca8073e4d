# Data that cannot be used: one line that says where and what, and nothing written.
. "$LGN_SOURCE/tests/cli/_check.sh"

# bad TEXT…: data.csv is refused with a line that holds every TEXT.
lgn generate rlc --truth model.json >good.csv
bad() {
  refused data.csv lgn fit data.csv -o model-out.json --report report.html
  local text
  for text; do grep -qF -e "$text" "$err" || fail "standard error lacks: $text"; done
}
# The same for every command that reads data.
bad_everywhere() {
  bad "$@"
  refused data.csv lgn evaluate model.json data.csv --channels q,p
  refused data.csv lgn report model.json data.csv --channels q,p -o report.html
  refused data.csv lgn simulate model.json --times data.csv -o x.csv
}

: >data.csv
bad_everywhere empty
printf '# nothing\n\n' >data.csv
bad
printf 't,q,p\n' >data.csv
bad data.csv:1 "no data row"
printf 't,q,p\n0,1,0\n1,2\n2,3,4\n' >data.csv
bad_everywhere data.csv:3 "2 cells"
printf 't,q,p\n0,1,0\n1,2,3,4\n' >data.csv
bad data.csv:3:7 "4 cells"
printf 't,q,p\n0,1,0\n1,2,high\n' >data.csv
bad data.csv:3:5 high '"p"'
printf 't,q,p\n0,1,0\n1,2,1.2.3\n' >data.csv
bad data.csv:3:5
printf 't,q,p\n0,1,0\n1,2,0x10\n' >data.csv
bad data.csv:3:5
printf 't,q,p\n0,1,0\n1,1,0\n1,2,3\n' >data.csv
bad data.csv:4:1 "the time 1 follows 1"
printf 't,q,p\n0,1,0\n2,1,0\n1,2,3\n' >data.csv
bad_everywhere data.csv:4:1 "the time 1 follows 2"
printf 'trajectory,t,q,p\na,0,1,0\na,1,1,0\nb,0,2,3\n' >data.csv
bad data.csv:4 '"b"' "two samples"
printf 't,q,p\n0,1,0\n' >data.csv
bad data.csv:2 "two samples"
printf 't,q,p\n0,,\n1,nan,NA\n2,,\n' >data.csv
bad data.csv "every cell is missing"
printf 't,q,p\n0,1,\n1,2,\n' >data.csv
bad data.csv '"p"'
printf 't,q,p\n0,1,0\n1,2,1e999\n' >data.csv
bad data.csv:3:5
printf 't,q,p\n0,1,0\ninf,2,3\n' >data.csv
bad data.csv:3:1
printf 't,q,p\n0,1,0\n,2,3\n' >data.csv
bad data.csv:3:1 "time is missing"
printf '1,1,0\n0,2,3\n' >data.csv
bad data.csv:1 "--columns"
printf 'a,q,p\n0,1,0\n1,2,3\n' >data.csv
bad data.csv:1 "--time"
printf 't,q,q,p\n0,1,0,1\n1,2,3,1\n' >data.csv
bad data.csv:1 '"q"'
printf 't,q,,p\n0,1,0,1\n1,2,3,1\n' >data.csv
bad data.csv:1 "no name"
printf 't,q,p\n0,"1,0\n1,2,3\n' >data.csv
bad data.csv:2
printf 't,u\n0,1\n1,2\n' >data.csv
refused data.csv lgn fit data.csv

# Not text at all: a program, noise, zeros, UTF-16, a folder, nothing.
cp "$program" data.csv
bad_everywhere
gzip -c good.csv | head -c 100 >data.csv
bad data.csv gzip
head -c 100000 /dev/zero >data.csv
bad data.csv:1
printf '\377\376t\0,\0q\0,\0p\0\n\0' >data.csv
bad data.csv:1
refused /dev/urandom lgn fit /dev/urandom
refused /dev/null lgn fit /dev/null
rm data.csv
bad_everywhere "No such file"
mkdir data.csv
bad_everywhere directory
rmdir data.csv
refused good.csv/inside lgn fit good.csv/inside
refused "a?b" lgn fit $'a\nb'

# A million columns: quick to refuse whether or not the rows fit.
awk 'BEGIN { printf "t"; for (k = 1; k < 1000000; ++k) printf ",x%d", k
  for (r = 0; r < 2; ++r) { printf "\n%d", r; for (k = 1; k < 1000000; ++k) printf ",1" } print "" }' >wide.csv
refused "999999 channels" lgn fit wide.csv -o model-out.json
refused "wide.csv" lgn evaluate model.json wide.csv
sed 's/,1$//' wide.csv >ragged.csv
refused ragged.csv:2 lgn fit ragged.csv
rm wide.csv ragged.csv

# One bad file among good ones.
printf 't,q,v\n0,1,0\n1,2,3\n' >other.csv
refused other.csv:1 lgn fit good.csv other.csv -o model-out.json
refused none.csv lgn fit good.csv none.csv -o model-out.json

# Well formed, but there is nothing to find.
printf 't,q,p\n0,0,0\n1,0,0\n2,0,0\n' >zero.csv
for structure in auto sd skew psd scaled-sd metric full parametric:rlc; do
  not_identified "zero" lgn fit zero.csv --structure $structure -o model-out.json --report report.html
done
# Values whose squares no double holds.
for scale in 1e-150 1e150 1e-320; do
  awk -F, -v s=$scale 'BEGIN { OFS = "," } NR > 1 { for (c = 2; c <= NF; ++c) $c = $c * s } { print }' good.csv >scaled.csv
  refused "another unit" lgn fit scaled.csv -o model-out.json
done

# A file that may not be read.
if in_open_folder; then
  lgn generate rlc -o secret.csv
  chmod 200 secret.csv
  refused "secret.csv: cannot read it: Permission denied" bound fit secret.csv
  refused "secret.csv: the model cannot be read" bound modes secret.csv
else
  skip "no user whom permissions bind can run the program here"
fi
