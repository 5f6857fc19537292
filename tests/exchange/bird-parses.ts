/** Asks a real BIRD whether it can read a configuration. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What `bird -p` complains of; empty when it reads all. `files` lie beside the configuration, for its includes. */
export function birdComplaint(
  config: string,
  files: Readonly<Record<string, string>> = {},
  bird = "bird",
): string {
  const folder = mkdtempSync(join(tmpdir(), "vantage-bird-"));
  try {
    for (const [name, text] of Object.entries({ ...files, "bird.conf": config })) {
      writeFileSync(join(folder, name), text);
    }
    const command = [bird, "-p", "-c", "bird.conf"];
    const path = `${process.env.PATH ?? ""}:/usr/sbin:/sbin`;
    const done = Bun.spawnSync(command, { cwd: folder, env: { PATH: path }, stderr: "pipe" });
    return done.exitCode === 0 ? "" : done.stderr.toString() || `exit code ${done.exitCode}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A configuration around a policy, as small as may be. */
export const aroundPolicy = `router id 192.0.2.1;
protocol device {}
include "policy.conf";
filter import_user { if bgp_next_hop != tunnel_ipv6(from) then reject; enforce_user_policy(from); }
`;
