#!/bin/sh
# Newer BIRDs than Debian 12's, for tests: those of Debian 13 and of Debian's newest packages, second and third line,
# each in a folder of node_modules/.cache/birds with the C library that it was built for. Nothing is installed. Where
# they cannot be had, tests that need them are skipped, and say so; run again, it tries again.
#
#   sh tests/exchange/newer-birds.sh
set -eu
cd "$(dirname "$0")/../.."
birds="$PWD/node_modules/.cache/birds"
[ ! -e "$birds/complete" ] || exit 0
echo "Fetching newer BIRDs for tests: Debian packages bird2, bird3 and libc6 of trixie and sid"
mkdir -p "$birds"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# APT with package lists of its own: the machine's stay as they are.
apt() {
  timeout 60 apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o Debug::NoLocking=true \
    -o APT::Sandbox::User=root -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::IndexTargets::deb::Translations::DefaultEnabled=false -o Acquire::Retries=1 "$@"
}

one_bird() {
  suite=$1 package=$2
  folder="$birds/$package-$suite"
  rm -rf "$folder" "$work/packages"
  mkdir -p "$folder" "$work/packages"
  (cd "$work/packages" && apt download "$package/$suite" "libc6/$suite")
  for file in "$work"/packages/*.deb; do
    dpkg-deb --extract "$file" "$folder"
  done
  rm -rf "$folder/usr/share" "$folder/etc"
  libraries=$(dirname "$(find "$folder/usr/lib" -name libc.so.6)")
  loader=$(find "$libraries" -name 'ld-linux*.so.*')
  printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' "$loader" "$libraries" "$folder/usr/sbin/bird" \
    >"$folder/bird"
  chmod 755 "$folder/bird"
  "$folder/bird" --version || { rm -rf "$folder"; return 1; }
}

mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
for suite in trixie sid; do
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
done >"$work/sources.list"
apt update
for suite in trixie sid; do
  for package in bird2 bird3; do
    one_bird "$suite" "$package"
  done
done
touch "$birds/complete"
