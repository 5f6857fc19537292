/**
 * A fresh Debian 12 with what an operator installs by apt beside Vantage, made once by debootstrap and kept below
 * ~/.cache/vantage: machines of the play stand on it, so nothing of this machine is there.
 */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { debianRoot } from "../lab/containers/parts.ts";

/** Packages that `vantage setup` names, those that the Debian package recommends, and systemd-sysusers. */
const packages = [
  ...["ca-certificates", "openssl", "systemd", "iproute2", "libpcap0.8"],
  ...["caddy", "postgresql", "prometheus", "prometheus-alertmanager", "default-jre-headless"],
];

/** Rejects with LabError where debootstrap is missing, or packages cannot be fetched. */
export async function freshRoot(): Promise<string> {
  const name = createHash("sha256").update(packages.join(" ")).digest("hex").slice(0, 8);
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "vantage/operator-day");
  return await debianRoot({ folder: cache, name: `bookworm-${name}`, suite: "bookworm", packages }, (line) =>
    process.stderr.write(`${line}\n`),
  );
}
