/**
 * An apt repository in a root of its own, as dpkg-root.ts makes one: apt reads it by its file of sources, checks the
 * signature, installs the package, and refuses the repository once a list or its signed file was changed.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../run/said.ts";

/** `$1`: the repository, `$2`: an empty folder. */
const script = `set -eu
mount -t tmpfs -o size=3g tmpfs "$2"
mkdir "$2/upper" "$2/work" "$2/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$2/upper,workdir=$2/work" "$2/root"
root="$2/root"
for own in proc dev; do mount --rbind "/$own" "$root/$own"; done
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -p "$root/srv/apt" "$root/etc/apt/keyrings"
cp -r "$1/." "$root/srv/apt"
chmod -R a+rX "$root/srv"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }

# This repository alone, and nothing that this machine's apt has kept.
rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d "$root"/var/lib/apt/lists "$root/var/lib/vantage"
mkdir -p "$root/etc/apt/sources.list.d" "$root/var/lib/apt/lists/partial"
cp "$1/vantage-archive-keyring.pgp" "$root/etc/apt/keyrings/"
sed 's,https://packages.example/apt,file:/srv/apt,' "$1/vantage.sources" >"$root/etc/apt/sources.list.d/vantage.sources"
inside apt-get update 2>&1
inside apt-cache policy vantage
inside apt-get install --yes --no-install-recommends vantage >/dev/null 2>&1
inside vantage --version
inside apt-get --yes remove vantage >/dev/null 2>&1

echo "== changed"
release="$root/srv/apt/dists/stable"
echo "Description: another" >>"$release/main/binary-$(inside dpkg --print-architecture)/Packages"
rm "$release"/main/binary-*/Packages.gz
rm -rf "$root"/var/lib/apt/lists/*
inside apt-get update 2>&1 || echo "refused"

echo "== unsigned"
cp -r "$1/dists" "$root/srv/apt/"
sed -i 's/^Origin: .*/Origin: another/' "$release/InRelease"
rm "$release/Release.gpg"
rm -rf "$root"/var/lib/apt/lists/*
inside apt-get update 2>&1 || echo "refused"
`;

interface AptTrial {
  /** What apt and the installed program print. */
  readonly installed: string;
  /** What apt prints when a list was changed, and when the signed file was. */
  readonly changed: string;
  readonly unsigned: string;
}

/** Rejects with everything it printed when the package cannot be installed. */
export async function tryAptRepository(repository: string): Promise<AptTrial> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-apt-"));
  try {
    const path = join(folder, "try.sh");
    writeFileSync(path, script);
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
    const { stdout, stderr, exitCode } = await runToEnd([...alone, "sh", path, repository, empty]);
    if (exitCode !== 0) {
      throw new Error(`The repository cannot be tried:\n${stdout}${stderr}`);
    }
    const [installed = "", changed = "", unsigned = ""] = stdout.split(/^== \w+\n/m);
    return { installed, changed, unsigned };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
