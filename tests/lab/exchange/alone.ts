/** Runs a story in network, mount and process namespaces of its own: nothing of it is seen by others, or stays. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

/** Names of namespaces, and the lock of a machine's exchange. */
const script = `for own in /run/netns /run/vantage-exchange; do mkdir -p "$own" && mount -t tmpfs tmpfs "$own"; done
ip link set lo up
exec "$@"`;

/**
 * What `bun STORY FOLDER VANTAGE…` prints, as JSON. Needs root. Rejects with what it says where it says anything else.
 */
export async function storyAlone(story: string): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), "vantage-story-"));
  try {
    const alone = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--propagation", "private"];
    const told = [process.execPath, story, folder, ...vantageCommand];
    const { stdout, stderr } = await runToEnd(["unshare", ...alone, "bash", "-c", script, "bash", ...told], {
      env: { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin` },
    });
    if (stderr !== "") {
      throw new Error(stderr);
    }
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
