# Help, version and shell completion.
. "$LGN_SOURCE/tests/cli/_check.sh"

commands="fit fit-many inspect modes simulate evaluate predict plan compare generate report design response network export reproduce completion"
done_quietly lgn --help
prints $commands --version "Identifies linear dynamical systems"
done_quietly lgn -h
done_quietly lgn --version
grep -qxE 'lgn [0-9]+\.[0-9]+\.[0-9]+' "$out" || fail "the version is not \"lgn x.y.z\""
for name in $commands; do
  done_quietly lgn $name --help
  prints "lgn $name" --help
  [ "$(wc -L <"$out")" -le 120 ] || fail "a line of the help is too wide to read"
done
done_quietly lgn fit --help
prints --structure --method --x0 --holdout --loss --confidence --errors --bootstrap --checkpoint --seed --threads --max-seconds --thorough --passive --json --quiet --report --output \
  parametric:LAW scaled-sd metric closed-form mle huber "Exit status" \
  --kinds --edges --require --forbid --graph --netlist --draw network mechanical
done_quietly lgn generate --help
prints --trajectories --t1 --dt --noise --seed --sections --R --L --C --x0

# bash: sourced, and asked as the shell would ask.
done_quietly lgn completion bash
cp "$out" lgn.bash
complete_words() {
  bash --norc -c '. ./lgn.bash; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lgn; echo "${COMPREPLY[*]}"' - - "$@"
}
equal "$(complete_words lgn fi)" "fit fit-many" "lgn fi"
equal "$(complete_words lgn --v)" --version "lgn --v"
equal "$(complete_words lgn fit --str)" --structure "lgn fit --str"
equal "$(complete_words lgn modes --)" "--help --max-seconds --truth --count --slowest --near --format --shapes --json" "lgn modes --"
equal "$(complete_words lgn network --)" "--help --max-seconds --graph --netlist --draw" "lgn network --"
equal "$(complete_words lgn export --)" "--help --max-seconds --output --format --ports" "lgn export --"
equal "$(complete_words lgn compare --)" "--help --max-seconds --time --columns --channels --outputs --inputs --dt --rate --variable --date-order --begin --end --scale --decimal-comma --output --format --json --quiet --methods --holdout --x0 --time-unit --seed --threads" "lgn compare --"
equal "$(complete_words lgn reproduce --)" "--help --max-seconds --output --quick --seeds --again --neural --quiet" "lgn reproduce --"
# What the program says of commands of lgn-experiments is what that one says of itself.
experiments=$(dirname "$program")/lgn-experiments
of_experiments() { "$@" | grep -E "compare|reproduce"; }
equal "$(of_experiments lgn completion fish)" "$(of_experiments "$experiments" completion fish)" "completions of two programs"
equal "$(of_experiments lgn --help)" "$(of_experiments "$experiments" --help | grep -v Runs)" "the help of two programs"
touch some-data.csv
equal "$(complete_words lgn fit some)" some-data.csv "lgn fit some"
equal "$(bash --norc -c '. ./lgn.bash; complete -p lgn')" "complete -o filenames -F _lgn lgn" "the shell knows it"

done_quietly lgn completion zsh
equal "$(head -n 1 "$out")" "#compdef lgn" "how zsh finds a completion"
prints bashcompinit "complete -o filenames -F _lgn lgn"

# fish: every line is a command whose quotes close.
done_quietly lgn completion fish
! grep -qv '^complete -c lgn ' "$out" || fail "a line that is no completion"
prints "-a simulate -d 'simulate the response" "from fit' -l structure"
awk '{ gsub(/\\./, ""); if (gsub(/\x27/, "") % 2) exit 1 }' "$out" || fail "a quote that does not close"
for shell in zsh fish; do
  command -v $shell >shell.path || { skip "$shell is not installed"; continue; }
  lgn completion $shell >script.$shell
  expect 0 $shell -n script.$shell
done

refused tcsh lgn completion tcsh
refused "is required" lgn completion

# Where lgn-experiments is missing, one line says how to get it.
mkdir alone
cp "$program" alone/lgn
for name in compare reproduce; do refused '"make experiments" builds it' alone/lgn $name data.csv; done
done_quietly alone/lgn --help
prints compare reproduce
