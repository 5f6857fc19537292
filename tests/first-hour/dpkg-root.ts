/**
 * The Debian package in a root of its own: what this machine has, with everything that is written kept apart in memory,
 * and without its network. There dpkg installs the package, the stack runs as its own user, and dpkg takes it away.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";

/** What is written there goes with the namespace. `$1`: the package, `$2`: an empty folder. */
const script = `set -eu
say() { echo "== $1"; }
mount -t tmpfs -o size=3g tmpfs "$2"
mkdir "$2/upper" "$2/work" "$2/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$2/upper,workdir=$2/work" "$2/root"
root="$2/root"
for own in proc dev; do mount --rbind "/$own" "$root/$own"; done
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
ip link set lo up
touch "$root/tmp/vantage.deb"
mount --bind "$1" "$root/tmp/vantage.deb"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

# What somebody has run on this machine is not the package's.
rm -rf "$root/var/lib/vantage" "$root/etc/vantage"
inside dpkg --install /tmp/vantage.deb >/dev/null
say files
inside dpkg --verify vantage
inside stat -c '%n %a %U:%G' /usr/lib/vantage/vantage /etc/vantage /usr/share/doc/vantage/examples/agent.yaml
inside stat -L -c '%n %a' /usr/share/vantage/deploy/kafka/start.sh /usr/share/doc/vantage/deploy/caddy/Caddyfile \\
  /usr/share/vantage/sdk/typescript/index.js /usr/share/doc/vantage/compose.yaml
say stack-unit
grep ^ExecStart= "$root/usr/lib/systemd/system/vantage-stack.service"
say units
for unit in "$root"/usr/lib/systemd/system/vantage-*.service; do
  inside systemd-analyze verify --recursive-errors=no "\${unit#"$root"}" 2>&1 | grep -v "^Failed to" || true
done
say users
for name in agent stack peering-gateway; do inside id -un "vantage-$name"; done
say version
inside vantage --version

# As its unit has it: the user, no privileges, a state folder.
inside install -d -m 700 -o vantage-stack -g vantage-stack /var/lib/vantage/stack
inside setpriv --reuid vantage-stack --regid vantage-stack --clear-groups --inh-caps=-all --bounding-set=-all \\
  --no-new-privs vantage stack --dir /var/lib/vantage/stack >"$root/tmp/said" 2>&1 &
stack=$!
for _ in $(seq 1 600); do
  grep -q "The stack is running" "$root/tmp/said" && break
  kill -0 "$stack" || { cat "$root/tmp/said" >&2; exit 1; }
  sleep 0.1
done
say stack
inside vantage health http://127.0.0.1:8090/health
inside vantage health http://127.0.0.1:8093/ready
inside vantage health http://127.0.0.1:8094/ready
inside stat -c '%n %U' /var/lib/vantage/stack/store
kill "$stack"
wait "$stack" || true

echo "# mine" >>"$root/etc/vantage/agent.yaml"
inside dpkg --remove vantage >/dev/null
say removed
inside ls /etc/vantage /var/lib/vantage
inside dpkg --purge vantage
say purged
inside ls /etc/vantage /var/lib/vantage
ls "$root/usr/lib/vantage" "$root/usr/share/vantage" "$root/usr/share/doc/vantage" 2>/dev/null || true
`;

/** Parts of what it printed, by their names. Rejects with everything it said when a command fails. */
export async function tryPackage(file: string): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-dpkg-"));
  try {
    const path = join(folder, "try.sh");
    writeFileSync(path, script);
    chmodSync(path, 0o755);
    const empty = mkdtempSync(join(folder, "root-"));
    const alone = [
      "unshare",
      "--mount",
      "--net",
      "--pid",
      "--fork",
      "--kill-child",
      "--propagation",
      "private",
    ];
    const { stdout: said, stderr: complaint, exitCode } = await runToEnd([...alone, "sh", path, file, empty]);
    if (exitCode !== 0) {
      throw new Error(`The package cannot be tried:\n${said}${complaint}`);
    }
    const parts = said.split(/^== /m).slice(1);
    return new Map(parts.map((part) => [part.split("\n", 1)[0] ?? "", part.replace(/^.*\n/, "").trim()]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
