# Sensors that do not show zero at rest: found, kept, and used by every command.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --noise 1% -o zero.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { $2 += 3; $3 -= 0.5 } { print }' zero.csv >raised.csv

done_quietly lgn fit zero.csv -o zero.json
equal "$(field offset zero.json)" null "no offset where there is none"
done_quietly lgn fit raised.csv -o raised.json --report raised.html
prints "offset: " " ± "
first() { tr -d '\n ' <"$2" | sed "s/.*\"$1\":\[\([^],]*\)[],].*/\1/"; }
below "$(first offset raised.json)" 3.02 "the offset of the first channel"
below 2.98 "$(first offset raised.json)" "the offset of the first channel"
below "$(first offset_se raised.json)" 0.01 "its standard error"
holds raised.html "At rest the channels show"

# The error counts beside what moves, not beside the offset.
done_quietly lgn evaluate raised.json raised.csv --json
below "$(field nrmse "$out")" 0.02 "the model explains its data"
below 0.005 "$(field nrmse "$out")" "relative to the motion"
done_quietly lgn evaluate raised.json zero.csv --json
below 0.5 "$(field nrmse "$out")" "a model with an offset expects it"

# After a long time the system rests.
done_quietly lgn simulate raised.json --t1 1000 --dt 100 -o rest.csv
last=$(tail -n 1 rest.csv | cut -d, -f2)
below "$last" 3.02 "at rest"
below 2.98 "$last" "at rest"

# As told, none, or always.
done_quietly lgn fit raised.csv --offset 3,-0.5 -o told.json
equal "$(first offset told.json)" "$(printf '%s' 3.0)" "as told"
done_quietly lgn fit zero.csv --offset=estimate -o zero.json
below "$(first offset_se zero.json)" 0.01 "estimated although there is none"
refused "offsets for 2 channels" lgn fit raised.csv --offset 3
refused "does not know" lgn fit raised.csv --offset never
refused "does not understand" lgn fit raised.csv --offset 1,x2
expect 0 lgn fit raised.csv --structure sd --offset none --max-seconds 5 -o none.json
equal "$(field offset none.json)" null "none"
