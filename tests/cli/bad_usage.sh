# Words the program does not know, and numbers that make no sense.
. "$LGN_SOURCE/tests/cli/_check.sh"

lgn generate rlc --truth model.json -o data.csv

refused "--help" lgn
refused "--help" lgn ''
refused nonsense lgn nonsense
refused nonsense lgn nonsense data.csv
refused "--nonsense" lgn --nonsense
for command_name in fit modes simulate evaluate compare generate report completion; do
  refused "required" lgn $command_name
  refused "--nonsense" lgn $command_name a b --nonsense
done
refused DATA lgn evaluate model.json
refused "--output" lgn fit data.csv -o
refused "--structure" lgn fit data.csv --structure
refused extra lgn modes model.json extra
refused "--seed" lgn fit data.csv --seed 1 --seed 2

refused nonsense lgn fit data.csv --structure nonsense
refused "ladder" lgn fit data.csv --structure parametric:nonsense
refused 'structure ""' lgn fit data.csv --structure ''
refused nonsense lgn fit data.csv --method nonsense
refused nonsense lgn fit data.csv --x0 nonsense
for number in -1 0 nan inf x 1x 1e999; do
  refused "--learning-rate" lgn fit data.csv --learning-rate "$number"
done
for number in -1 0 1.5 1e3 x 99999999999; do
  refused "--epochs" lgn fit data.csv --epochs "$number"
  refused "--threads" lgn fit data.csv --threads "$number"
done
for number in -1 nan inf x; do refused "--max-seconds" lgn fit data.csv --max-seconds "$number"; done
for number in -1 1.5 x 18446744073709551616; do refused "--seed" lgn fit data.csv --seed "$number"; done
for start in omega2 =1 omega2= omega2=x omega2=1x omega3=1 omega2=-1 omega2=0 gamma=-1 omega2=nan omega2=inf; do
  refused "${start%%=*}" lgn fit data.csv --structure parametric:rlc --start "$start"
done
refused "only a law" lgn fit data.csv --start gamma=1
refused '"none"' lgn fit data.csv --channels none
refused '"q"' lgn fit data.csv --channels q,q
refused '"t"' lgn fit data.csv --channels t
refused '"x"' lgn fit data.csv --inputs x
refused '"x"' lgn fit data.csv --time x

refused nonsense lgn generate nonsense
for number in -1 0 nan inf x; do
  refused "" lgn generate rlc --dt "$number"
  refused "" lgn generate rlc --t1 "$number"
  refused "" lgn generate rlc --omega "$number"
done
for number in -1 0 1.5 x 99999999999; do
  refused "" lgn generate rlc --trajectories "$number"
  for option in "ladder --sections" "mass-spring --masses" "random --states"; do
    refused "${option#* }" lgn generate $option "$number"
  done
done
refused "--states" lgn generate random --states 1000000
for number in -1 -5% nan% nan x % 5%% inf; do refused "noise" lgn generate rlc --noise "$number"; done
for option in "rlc --gamma" "ladder --R" "ladder --L" "ladder --C" "mass-spring --mass" "mass-spring --stiffness" \
  "mass-spring --damping"; do
  refused "" lgn generate $option -1
done
refused "" lgn generate ladder --L 0
refused "--R has 2 values" lgn generate ladder --R 1,2
for start in nonsense 1,2,3 1,,2 1, , nan,1 1e999,0; do
  refused "--x0" lgn generate rlc --x0 "$start"
done
refused values lgn generate rlc --t1 1e9 --dt 1e-9
refused values lgn generate rlc --trajectories 2000000000
