#!/bin/sh
# Older versions of ClickHouse as a library, for tests: 24.8 and 25.8, out of chDB's packages for Python, each checked
# by its checksum. Only the library is kept, in node_modules/.cache/clickhouse; nothing is installed. Where they cannot
# be had, tests that need them are skipped, and say so; run again, it tries again.
#
#   sh tests/contract/store/older/fetch.sh
set -eu
cd "$(dirname "$0")/../../../.."
cache="$PWD/node_modules/.cache/clickhouse"
[ ! -e "$cache/complete" ] || exit 0
[ "$(uname -m)" = x86_64 ] || { echo "Older ClickHouses for tests are there for x86-64 only"; exit 1; }
echo "Fetching older ClickHouses for tests: chdb 2.1.1 and 3.7.2 of PyPI (320 MB)"
rm -rf "$cache"
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"

# VERSION OF CLICKHOUSE, PACKAGE, CHECKSUM
one() {
  echo "$2 --hash=sha256:$3" >"$work/requirements"
  "$work/venv/bin/pip" download --quiet --no-deps --require-hashes --only-binary=:all: --python-version 3.11 \
    --platform manylinux2014_x86_64 --dest "$work/$1" --requirement "$work/requirements"
  "$work/venv/bin/python" - "$work/$1" "$cache/$1" <<'END'
import glob, sys, zipfile
folder, target = sys.argv[1:]
(wheel,) = glob.glob(folder + "/*.whl")
with zipfile.ZipFile(wheel) as package:
    package.extractall(target, [name for name in package.namelist() if ".so" in name])
END
  rm -rf "${work:?}/$1"
}

one 24.8 chdb==2.1.1 d904cfd5d7eda5c6833c1b49929cf897dcd2eba3fc1be6fb1bb7018ff87a77fa
one 25.8 chdb==3.7.2 c119f0830c12438a4e4b60b8370859ba50992e8b1b01a8c681e1c57eeb2dc82d
touch "$cache/complete"
