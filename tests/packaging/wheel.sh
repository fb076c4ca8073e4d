# wheel.sh SOURCE BUILD FOLDER: the wheel, made from the release build, installed into a clean environment and used.
set -eu
source=$1 build=$2 folder=$3
fail() { echo "wheel.sh: $*" >&2 && exit 1; }
python=$(sed -n 's/^Python_EXECUTABLE:[A-Z]*=//p' "$build/CMakeCache.txt")
"$python" -c 'import ensurepip, venv' 2>/dev/null || { echo "skipped: this Python makes no environments (python3-venv)" && exit 77; }

rm -rf "$folder"
mkdir -p "$folder"
status=0
wheel=$("$source/scripts/wheel" "$folder" "$build") || status=$?
[ $status != 77 ] || { echo "skipped: PyPI is not reached" && exit 77; }
[ $status = 0 ] || fail "no wheel"
case $wheel in *-manylinux_*.whl) ;; *) fail "not a manylinux wheel: $wheel" ;; esac

"$python" -m venv "$folder/clean"
PATH=$folder/clean/bin:/usr/bin:/bin
export PATH
unset PYTHONPATH LGN_PROGRAM
cd "$folder"
pip install --quiet --disable-pip-version-check --retries 1 "$wheel" || { echo "skipped: NumPy is not had from PyPI" && exit 77; }
inside=$(python -c 'import lgn, pathlib; print(pathlib.Path(lgn.__file__).parent)')
for file in "$inside"/_lgn*.so "$inside/bin/lgn" "$inside/bin/lgn-experiments"; do
  # Of the system's libraries it takes those alone that every Linux has.
  outside=$(ldd "$file" | sed -n 's|^[ \t]*\([^ ]*\) => \(/[^ ]*\).*|\1 \2|p' | grep -v " $folder/" | cut -d ' ' -f 1 |
    grep -Ev '^(lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+|z)\.so|ld-linux)' || true)
  [ -z "$outside" ] || fail "$file takes from the system: $outside"
done
version=$(sed -n 's/^project(lgn VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
[ "$(command -v lgn)" = "$folder/clean/bin/lgn" ] || fail "lgn is not on the path of the environment"
[ "$(lgn --version)" = "lgn $version" ] || fail "the program has another version"
lgn fit "$source/examples/ringdown.csv" -o model.json | grep -q 'pole \[1/s\]' || fail "no poles"
lgn compare "$source/examples/ringdown.csv" --methods sd,linear-id | grep -q '^linear-id' || fail "no comparison"
python - "$source/examples/ringdown.csv" model.json <<'END'
import sys
import lgn
model = lgn.fit(sys.argv[1])
assert abs(model.A - lgn.load(sys.argv[2]).A).max() == 0, "Python and the program differ"
END
echo "the wheel works: $wheel"
rm -rf "$folder/clean"
