/** Starts the engine at a rate, with more probes than go out in the window, so that it never runs dry. */
import { join } from "node:path";
import { inNamespace } from "../../lab/namespaces.ts";
import type { VethLink } from "./veth-link.ts";

const spareSeconds = 2;

interface Rate {
  readonly backEnd: "packet" | "xdp";
  readonly rateProbesPerSec: number;
  readonly windowMs: number;
}

export function sendAtRate(
  link: VethLink,
  { backEnd, rateProbesPerSec, windowMs }: Rate,
): Bun.Subprocess<"ignore", "ignore", "inherit"> {
  const probes = Math.ceil(rateProbesPerSec * (windowMs / 1000 + spareSeconds));
  const script = join(import.meta.dirname, "engine.ts");
  const command = [process.execPath, script, backEnd, String(probes), String(rateProbesPerSec)];
  return Bun.spawn(inNamespace(link.sender, command), {
    ...{ stdin: "ignore", stdout: "ignore", stderr: "inherit" },
  });
}
