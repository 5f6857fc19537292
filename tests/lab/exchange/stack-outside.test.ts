/** The networks outside of `vantage stack --exchange`: what they see of a user's announcement, and what is left. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

/** Nothing of it is seen by other namespaces. */
const script = `for own in /run/netns /run/vantage-exchange; do mkdir -p "$own" && mount -t tmpfs tmpfs "$own"; done
ip link set lo up
exec "$@"`;

test.skipIf(process.getuid?.() !== 0)(
  "an announcement, its prepends and its end are seen by both upstreams, and nothing of the networks is left",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "vantage-outside-"));
    try {
      const alone = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--propagation", "private"];
      const story = [
        process.execPath,
        join(import.meta.dirname, "outside-story.ts"),
        folder,
        ...vantageCommand,
      ];
      const { stdout, stderr } = await runToEnd(
        ["unshare", ...alone, "bash", "-c", script, "bash", ...story],
        {
          env: { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin` },
        },
      );
      expect(stderr).toBe("");
      const { welcome, ...seen } = JSON.parse(stdout);
      expect(welcome).toContain("upstreams AS64496 (transit1), AS64497 (transit2)");
      expect(welcome).toContain("collector http://127.0.0.1:8096/");
      const plain = [
        [64_496, "64496 64500"],
        [64_497, "64497 64500"],
      ];
      expect(seen).toEqual({
        plain,
        fromInside: plain,
        prepended: plain.map(([asn, path]) => [asn, `${path} 64500 64500`]),
        // The first upstream prefers the shorter way through the other one.
        towards: [
          [64_496, "64496 64497 64500"],
          [64_497, "64497 64500"],
        ],
        around: [
          [64_496, "64496 64500"],
          [64_497, "64497 64496 64500"],
        ],
        kept: [],
        withdrawn: [],
        exitCode: 0,
        left: [],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
