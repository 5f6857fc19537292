/** A release's Debian package, installed and removed. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { tryPackage } from "./dpkg-root.ts";
import { ownPackage, SharedRelease, version } from "./shared-release.ts";

/** Mounts and namespaces. */
const asRoot = test.skipIf(process.getuid?.() !== 0);
let release: SharedRelease;
beforeAll(async () => {
  release = await SharedRelease.open();
});
afterAll(() => release?.[Symbol.dispose]());

asRoot(
  "dpkg installs the package in a root of its own, and the stack runs there as its own user",
  async () => {
    const parts = await tryPackage(release.at(ownPackage));
    expect(parts.get("files")?.split("\n")).toEqual([
      "/usr/lib/vantage/vantage 755 root:root",
      "/etc/vantage 755 root:root",
      "/usr/share/doc/vantage/examples/agent.yaml 644 root:root",
      "/usr/share/vantage/deploy/kafka/start.sh 755",
      "/usr/share/doc/vantage/deploy/caddy/Caddyfile 644",
      "/usr/share/vantage/sdk/typescript/index.js 644",
      "/usr/share/doc/vantage/compose.yaml 644",
    ]);
    // Its issuer lets anyone log in as anyone.
    expect(parts.get("stack-unit")).toBe(
      "ExecStart=/usr/bin/vantage stack --dir /var/lib/vantage/stack --no-gateway",
    );
    expect(parts.get("units")).toBe("");
    expect(parts.get("users")?.split("\n")).toEqual([
      "vantage-agent",
      "vantage-stack",
      "vantage-peering-gateway",
    ]);
    expect(parts.get("version")).toStartWith(`vantage ${version} (`);
    const [health, probing, peering, owner] = parts.get("stack")?.split("\n") ?? [];
    expect([health, owner]).toEqual([
      '{"status":"ok","reasons":[]}',
      "/var/lib/vantage/stack/store vantage-stack",
    ]);
    expect([probing, peering]).toEqual(Array(2).fill(expect.stringContaining('"status":"ready"')));
    // What somebody has written, and what services have kept, stays for good; nothing else does.
    expect(parts.get("removed")).toContain("agent.yaml");
    expect(parts.get("removed")).toContain("/var/lib/vantage stays");
    expect(parts.get("purged")).toBe("/etc/vantage:\nagent.yaml\n\n/var/lib/vantage:\nstack");
  },
);
