/** Two networks, this process's own and `far`, with a link between them. */
import { mkdirSync } from "node:fs";
import { ipBatch, run } from "../lab/namespaces.ts";

export const addresses = { here: "198.51.100.1", far: "198.51.100.2" } as const;

export async function connect(): Promise<void> {
  mkdirSync("/run/netns", { recursive: true });
  await run(["mount", "-t", "tmpfs", "tmpfs", "/run/netns"]);
  await run(["ip", "netns", "add", "far"]);
  await ipBatch([
    "link set lo up",
    "link add near0 type veth peer name far0 netns far",
    `address add ${addresses.here}/24 dev near0`,
    "link set near0 up",
  ]);
  await ipBatch(
    ["link set lo up", `address add ${addresses.far}/24 dev far0`, "link set far0 up"],
    ...["-n", "far"],
  );
}
