#!/bin/sh
# Makes a fresh Debian 12 machine ready: Debian packages (named before they are installed), then Bun and
# the npm packages of bun.lock, then the WebAssembly module. Run again, it does only what is missing.
#
#   sh tests/setup.sh demo|build|test|bench|vpn|containers
set -eu
cd "$(dirname "$0")/.."

# command or library that shows the package is there = package
demo="ip=iproute2 nft=nftables libpcap.so.0.8=libpcap0.8"
# A real Kafka, which Maven fetches, and certificates for it.
kafka="java=default-jre-headless mvn=maven openssl=openssl"
postgres="/usr/lib/postgresql=postgresql"
# What the fuzzer of the HTTP services runs in.
python="/usr/lib/python3.11/ensurepip=python3-venv"
# Routing daemons of the exchange and its users, and a cache of RPKI.
newer_birds="libssh.so.4=libssh-4"
exchange="bird=bird2 $newer_birds stayrtr=stayrtr /usr/lib/frr/bgpd=frr /usr/lib/frr/frr-reload.py=frr-pythontools"
# What people read our pages in.
browser="chromium=chromium"
case "${1:-demo}" in
  build) need="" ;;
  demo) need="$demo" ;;
  test)
    need="$demo $kafka $postgres $exchange $browser $python capnp=capnproto gcc=gcc"
    # promtool plays the alerts, systemd-analyze reads the units.
    need="$need ethtool=ethtool gobgpd=gobgpd"
    need="$need /usr/include/stdio.h=libc6-dev tcpdump=tcpdump wrk=wrk promtool=prometheus systemd-analyze=systemd"
    # Each alert is set off, and has to come out here.
    need="$need prometheus-alertmanager=prometheus-alertmanager"
    # The way in of compose.yaml, its secrets, and what its health checks ask with.
    need="$need caddy=caddy openssl=openssl wget=wget"
    # The fresh machines of an operator, in the long tier.
    need="$need debootstrap=debootstrap"
    # What reads our exports, and what our reading of MRT files is compared with.
    need="$need sc_warts2json=scamper bgpdump=bgpdump"
    # The name servers whose sites are asked for, and what dissects probes.
    need="$need nsd=nsd tshark=tshark"
    # What the search for path MTUs is compared with.
    need="$need tracepath=iputils-tracepath"
    # A pooler before PostgreSQL.
    need="$need pgbouncer=pgbouncer"
    # What the Homebrew formula is read by.
    need="$need ruby=ruby"
    # What the Debian package is held to.
    need="$need lintian=lintian"
    # What the pages of operators use, and what releases are packed with.
    need="$need sqlite3=sqlite3 jq=jq curl=curl xz=xz-utils bzip2=bzip2 ping=iputils-ping"
    ;;
  bench)
    need="$demo $kafka $postgres gcc=gcc /usr/include/stdio.h=libc6-dev"
    need="$need bird=bird2 tcpdump=tcpdump ethtool=ethtool wrk=wrk zmap=zmap masscan=masscan caddy=caddy"
    need="$need scamper=scamper traceroute=traceroute mtr=mtr-tiny"
    ;;
  vpn)
    need="$demo $kafka $exchange ping=iputils-ping tcpdump=tcpdump curl=curl openssl=openssl"
    need="$need wg=wireguard-tools wireguard-go=wireguard-go"
    ;;
  # Its engine comes from packages that are not installed here.
  containers)
    need="$demo $kafka bird=bird2 debootstrap=debootstrap dnsmasq=dnsmasq-base ping=iputils-ping"
    need="$need git=git python3=python3"
    ;;
  *) echo "usage: sh tests/setup.sh demo|build|test|bench|vpn|containers" >&2; exit 2 ;;
esac

present() {
  case "$1" in
    /*) test -e "$1" ;;
    lib*) PATH="$PATH:/sbin:/usr/sbin" ldconfig -p | grep -q "$1" ;;
    *) PATH="$PATH:/sbin:/usr/sbin" command -v "$1" >/dev/null ;;
  esac
}

missing=""
for pair in $need; do
  present "${pair%%=*}" || missing="$missing ${pair##*=}"
done
if [ -n "$missing" ]; then
  echo "Debian packages to install:$missing"
  if [ "$(id -u)" != 0 ]; then
    echo "Cannot install them without root: run 'sudo apt-get install$missing' and try again" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  { apt-get -qq update && apt-get -qq install -y --no-install-recommends $missing; } >/dev/null
  case "$missing" in
    # Tests start their own; the package starts one for everybody.
    *pgbouncer*) systemctl disable --now pgbouncer 2>/dev/null || true ;;
  esac
fi

if [ "${1:-demo}" = test ]; then
  # Engines run as users of their own. A compiler that root tells to write to /dev/null closes it to them.
  if [ "$(id -u)" = 0 ] && [ "$(stat -c %a /dev/null)" != 666 ]; then
    echo "Others could not write to /dev/null: its mode is 666 again"
    chmod 666 /dev/null
  fi
  sh tests/exchange/newer-birds.sh || echo "No newer BIRD could be had: tests that need one are skipped"
fi
case "${1:-demo}" in
  # The published library of diamond-miner asks an older one, in the bench of discovery.
  test | bench)
    sh tests/contract/store/older/fetch.sh || echo "No older ClickHouse could be had: what needs one is skipped" ;;
esac

bun_version=$(sed -n 's/^ *"bun": "\([0-9.]*\)".*/\1/p' package.json)
# The lock names our patches of packages, but not what is in them.
wanted=$(cat bun.lock lib/engines/store/postgres/*.patch)
if [ "$wanted" != "$(cat node_modules/.installed.lock 2>/dev/null)" ]; then
  echo "Installing Bun $bun_version and the packages of bun.lock from npm"
  npx --yes "bun@$bun_version" install --frozen-lockfile --silent
  printf '%s\n' "$wanted" >node_modules/.installed.lock
fi
PATH="$PWD/node_modules/.bin:$PATH"
bun ffi/hotpath/build.ts
