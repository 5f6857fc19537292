/** The exchange of `vantage stack --exchange` as a process: what is left when it, or its BIRD, is killed. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyMadeOnce } from "../../../lib/engines/auth/key-file.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

/** `$1`: an empty folder; then how to start the program. Nothing of it is seen by other namespaces. */
const script = `set -u
folder=$1; shift
for own in /run/netns /run/vantage-exchange; do mkdir -p "$own" && mount -t tmpfs tmpfs "$own"; done
ip link set lo up
places="--gateway http://127.0.0.1:8093 --peering-gateway http://[::1]:8094 --issuer http://localhost:8095"
start() {
  : >"$folder/said"
  "$@" stack exchange --dir "$folder" $places >"$folder/said" 2>&1 &
  exchange=$!
  for _ in $(seq 1 300); do grep -q '"ready"' "$folder/said" && return; sleep 0.1; done
  cat "$folder/said"
}
birds() { pgrep --count --full -- "^bird.* -c $folder/exchange/"; }
tunnel() { ip -o link show | grep -c ": vantage[012]@"; }
left() { echo "$(birds) BIRDs, $(tunnel) links, $(ls /run/netns | wc -l) namespaces"; }
start "$@"
echo "runs: $(birds) BIRDs, $(tunnel) links"
listening() { ss --no-header --listening --numeric --tcp --processes | grep '"bird"' | awk '{print $4}' | sort; }
echo "listens: $(listening | xargs)"
ip netns exec vantage-user ping -c 1 -W 2 -q 100.64.0.1 >/dev/null && echo "the user reaches it"
inside() { ip netns exec vantage-user "$@"; }
echo "inside: $(inside ss --no-header --listening --numeric --tcp | awk '{print $4}' | sort | xargs)"
# A service on this machine's loopback, as a gateway; outside nothing else listens.
echo "before: $(inside curl --silent --max-time 10 --output /dev/null --write-out '%{exitcode}' http://127.0.0.1:8093)"
"$@" stack peering --dir "$folder/gateway" --issuer http://127.0.0.1:8095 --peering-listen 127.0.0.1:8093 \
  >"$folder/gateway-said" 2>&1 &
gateway=$!
for _ in $(seq 1 1200); do grep -q '"ready"' "$folder/gateway-said" && break; sleep 0.1; done
echo "service: $(inside curl --silent --max-time 60 http://127.0.0.1:8093/health | grep -o '"status":"healthy"')"
kill "$gateway"; wait "$gateway" 2>/dev/null
timeout 10 "$@" stack exchange --dir "$folder/other" $places 2>&1
transit=$(cat "$folder/exchange/transit1.pid"); kill -KILL "$transit"
pid() { cat "$folder/exchange/transit1.pid" 2>/dev/null; }
for _ in $(seq 1 300); do [ "$(pid)" != "$transit" ] && [ "$(birds)" = 4 ] && break; sleep 0.1; done
kill -0 "$exchange" && echo "transit1 again: $(birds) BIRDs, $(tunnel) links"
for _ in $(seq 1 300); do grep -q '"well"' "$folder/said" && break; sleep 0.1; done
grep -o 'the BIRD of transit1 has ended with exit code 137' "$folder/said"
kill -KILL "$exchange"; wait "$exchange" 2>/dev/null
sleep 0.5
echo "killed: $(birds) BIRDs, $(tunnel) links"
start "$@"
echo "again: $(birds) BIRDs, $(tunnel) links"
kill -KILL "$(cat "$folder/exchange/bird.pid")"
wait "$exchange"; echo "without BIRD: exit code $?, $(left)"
grep -o "BIRD has ended with exit code 137" "$folder/said"
start "$@"
kill -TERM "$exchange"; wait "$exchange"; echo "stopped: exit code $?, $(left)"
`;

test.skipIf(process.getuid?.() !== 0)(
  "BIRD ends with the exchange, the exchange with BIRD, and the tunnel stays for who starts it again",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "vantage-exchange-"));
    try {
      keyMadeOnce(join(folder, "peering-gateway/service.key"));
      writeFileSync(join(folder, "try.sh"), script);
      const alone = [
        "unshare",
        "--net",
        "--mount",
        "--pid",
        "--fork",
        "--mount-proc",
        "--propagation",
        "private",
      ];
      const child = Bun.spawn([...alone, "bash", join(folder, "try.sh"), folder, ...vantageCommand], {
        env: { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin` },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "ignore",
      });
      expect((await new Response(child.stdout).text()).trim().split("\n")).toEqual([
        "runs: 4 BIRDs, 3 links",
        // The tunnel's address, 179 and the feeds of default routes and of our own ones; and the links to both
        // upstreams, which the collector's BIRD shares.
        "listens: 100.64.0.1:1179 100.64.0.1:1180 100.64.0.1:179 [2001:db8:ffff:1::1]:179 [2001:db8:ffff:1::3]:179 " +
          "[2001:db8:ffff:2::1]:179 [2001:db8:ffff:2::3]:179",
        "the user reaches it",
        "inside: 127.0.0.1:8093 127.0.0.1:8095 127.0.0.1:8096 [::1]:8094",
        "before: 52",
        'service: "status":"healthy"',
        "vantage stack exchange: Cannot run an exchange: this machine has one, of another stack; stop that stack first",
        "transit1 again: 4 BIRDs, 3 links",
        "the BIRD of transit1 has ended with exit code 137",
        "killed: 0 BIRDs, 3 links",
        "again: 4 BIRDs, 3 links",
        "without BIRD: exit code 1, 0 BIRDs, 0 links, 0 namespaces",
        "BIRD has ended with exit code 137",
        "stopped: exit code 0, 0 BIRDs, 0 links, 0 namespaces",
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
