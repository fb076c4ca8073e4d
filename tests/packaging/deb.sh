# deb.sh SOURCE BUILD FOLDER: the Debian package, made from the release build, unpacked and used.
set -eu
source=$1 build=$2 folder=$3
fail() { echo "deb.sh: $*" >&2 && exit 1; }
command -v dpkg-shlibdeps >/dev/null && command -v cpack >/dev/null ||
  { echo "skipped: dpkg-dev and cpack make the package" && exit 77; }

rm -rf "$folder"
mkdir -p "$folder"
package=$("$source/scripts/package" "$folder" "$build")
dpkg-deb --info "$package"

field() { dpkg-deb --field "$package" "$1"; }
version=$(sed -n 's/^project(lgn VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
[ "$(field Package) $(field Version)" = "lgn $version" ] || fail "name and version are $(field Package) $(field Version)"
[ "$(field Architecture)" = "$(dpkg --print-architecture)" ] || fail "another architecture"
for library in libc6 libopenblas0 libfmt9 libzip4 libssl3; do
  field Depends | grep -q "$library" || fail "it does not depend on $library: $(field Depends)"
done
! field Depends | grep -Eq 'torch|-dev' || fail "it asks for too much: $(field Depends)"

dpkg -x "$package" "$folder/root"
cd "$folder/root/usr"
for file in bin/lgn libexec/lgn/lgn-experiments lib/liblgn.a lib/cmake/lgn/lgnConfig.cmake include/lgn/lgn.h \
  include/lgn/version.h share/bash-completion/completions/lgn share/zsh/site-functions/_lgn \
  share/fish/vendor_completions.d/lgn.fish share/doc/lgn/copyright; do
  [ -s "$file" ] || fail "the package lacks usr/$file"
done
[ -z "$(find . -name '*_internal.h' -o -name '*.py' -o -name 'lgn-neural')" ] || fail "the package holds what it should not"
[ "$(bin/lgn --version)" = "lgn $version" ] || fail "the program has another version"
bin/lgn fit "$source/examples/ringdown.csv" -o model.json | grep -q 'pole \[1/s\]' || fail "no poles"
bin/lgn compare "$source/examples/ringdown.csv" --methods sd,linear-id | grep -q '^linear-id' || fail "no comparison"
echo "the package works: $package"
rm -rf "$folder/root"
