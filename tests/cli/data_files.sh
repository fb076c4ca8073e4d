# The same motion in every form that a data file may have.
. "$LGN_SOURCE/tests/cli/_check.sh"

# found FILES… [OPTIONS…]: the truth, ω² = 1 and γ = 0.2, comes out.
found() {
  done_quietly lgn fit "$@" --structure parametric:rlc -o found.json
  near "$(field omega2 found.json)" 1 1e-7 "omega2 from $*"
  near "$(field gamma found.json)" 0.2 1e-6 "gamma from $*"
}
lgn generate rlc --gamma 0.2 --trajectories 2 --x0 random -o runs.csv
found runs.csv
holds found.json '"runs":2' '"samples":600'

# One run per file: in any order of columns, and read from standard input.
sed -n -e 's/^trajectory,//p' -e 's/^1,//p' runs.csv >one.csv
awk -F, 'BEGIN { OFS = "," } NR == 1 || $1 == 2 { print $4, $2, $3 }' runs.csv >two.csv
found one.csv two.csv
holds found.json '"files":["one.csv","two.csv"]' '"runs":2'
equal "$(field sha256 found.json)" "\"$(cat one.csv two.csv | sha256sum | cut -d' ' -f1)\"" "the checksum of both"
from_stream() { lgn fit one.csv - --structure parametric:rlc --json <two.csv; }
done_quietly from_stream
prints '"runs":2'

# Columns in other units: what a shunt shows as amperes; what the file has is what the options say that it is.
awk -F, -v CONVFMT=%.17g 'BEGIN { OFS = "," } NR > 1 { $3 = 10 * $3 } 1' one.csv >shunt.csv
found shunt.csv --scale "$(sed -n '1s/.*,//p' one.csv)=1/10"
refused 'there is no "CH9" to multiply' lgn fit one.csv --scale CH9=2
for factor in "CH2" "CH2=" "CH2=0" "CH2=a" "CH2=1/0"; do refused "names no factor" lgn fit one.csv --scale "$factor"; done

# Separators, decimal commas, byte-order mark, CRLF, comments, quotes.
tr , ';' <one.csv >semicolon.csv
found semicolon.csv
tr , '\t' <one.csv >tab.csv
found tab.csv
tr ,. ';,' <one.csv >comma.csv
found comma.csv --decimal-comma
{ printf '\357\273\277# a comment\r\n\r\n'; sed 's/$/\r/; 1s/q/"q"/' one.csv; } >windows.csv
found windows.csv

# Other names, more columns, labels that are words, alternating rows.
sed '1s/.*/Time,q,p/' one.csv >capital.csv
found capital.csv
awk -F, 'BEGIN { OFS = "," } { print "x" NR, $3, $1, $2 }' one.csv | sed '1s/.*/note,p,instant,q/' >more.csv
found more.csv --time inst --channels q,p
refused "--time" lgn fit more.csv
sed '2,$s/^1,/hot,/; 2,$s/^2,/"cold, wet",/' runs.csv >words.csv
found words.csv
{ head -n 1 runs.csv; tail -n +2 runs.csv | sort -t, -k2,2g; } >mixed.csv
found mixed.csv

# Uneven times, different in every run; a huge offset; a long pause.
awk -F, 'NR == 1 || NR % 7 < 3 || NR % 5 == $1' runs.csv >uneven.csv
found uneven.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { $1 += 4096 } { print }' one.csv >offset.csv
found offset.csv
awk -F, 'NR < 100 || NR > 200' one.csv >pause.csv
found pause.csv

# Gaps: empty cells, nan, NA, whole rows, the first row, one channel of a run.
awk -F, 'BEGIN { OFS = "," } NR > 1 && NR % 3 == 0 { $2 = "" } NR > 1 && NR % 4 == 0 { $3 = "nan" }
  NR == 2 { $2 = $3 = "NA" } { print }' one.csv >gaps.csv
found gaps.csv
awk -F, 'BEGIN { OFS = "," } $1 == 2 { $3 = "" } { print }' runs.csv >blind.csv
found blind.csv

# Inputs: zero is free motion; a constant shows nothing.
sed '1s/$/,u/; 2,$s/$/,0/' one.csv >resting.csv
found resting.csv
sed '1s/$/,u/; 2,$s/$/,1/' one.csv >driven.csv
not_identified 'the input "u" is constant' lgn fit driven.csv
found one.csv
refused '"u" is an input' lgn evaluate found.json driven.csv
sed '1s/p/u1/' one.csv >named.csv
found named.csv --inputs none
found named.csv --channels q,u1
