/** The engine, at full speed or at a rate: `bun engine.ts packet|xdp PACKETS [RATE]`, in the bench's namespace. */
import { startEngine } from "../../../apps/probing/agent/engine/engine.ts";
import { everyAddress } from "../every-address.ts";
import { ProbeStream } from "./probes.ts";
import { senderInterface } from "./veth-link.ts";

/** No limit that a packet socket could reach. */
const fullSpeed = 100_000_000;
const waitMs = 1;

const backEnd = Bun.argv[2] === "xdp" ? "xdp" : "packet";
const packets = Number(Bun.argv[3]);
const rateProbesPerSec = Number(Bun.argv[4] ?? fullSpeed);
const engine = await startEngine({
  agentId: "bench",
  integrityKey: new Uint8Array(16),
  instances: [{ name: "bench", instanceId: 0, interfaceName: senderInterface, rateProbesPerSec, backEnd }],
  sources: everyAddress,
  integrityCheck: true,
  sentTimesMax: 0,
});
const probes = new ProbeStream();
for (let offered = 0; offered < packets; offered++) {
  const probe = probes.next();
  while (!engine.offer(0, probe)) {
    await Bun.sleep(waitMs);
  }
}
while (engine.pending(0) > 0) {
  await Bun.sleep(waitMs);
}
const failures = engine.failures();
await engine.stop(0);
if (failures.length > 0) {
  throw new Error(failures.join("\n"));
}
