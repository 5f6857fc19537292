/**
 * The engine's receiver by itself: `bun hear.ts REPLIES`, inside the receiver's namespace.
 *
 * Says `ready`, then, when REPLIES have come or nothing has for a second,
 * `{"replies","lost","elapsedMs","cpuSec","peakMb"}`: from live packets to checked Reply messages in the ring from
 * which the agent's producer takes them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ByteRing } from "../../../apps/probing/agent/engine/byte-ring.ts";
import { startEngine } from "../../../apps/probing/agent/engine/engine.ts";
import { KeptMemory } from "../../../apps/probing/agent/keep/kept-memory.ts";
import { everyAddress } from "../every-address.ts";
import { benchSecret } from "../parse/replies-file.ts";
import { usageByName } from "../pipeline/process-usage.ts";
import { receiverInterface } from "../send/veth-link.ts";

const quietMs = 1000;
const patienceMs = 20_000;
const chunkBytes = 1 << 20;

const [count] = Bun.argv.slice(2);
const expected = Number(count);
const folder = mkdtempSync(join(tmpdir(), "vantage-hear-"));
// As the agent has it: what is captured outlives a kill.
const memory = new KeptMemory(folder, "bench");
const engine = await startEngine({
  agentId: "bench",
  integrityKey: new TextEncoder().encode(benchSecret),
  instances: [
    {
      name: "bench",
      instanceId: 0,
      interfaceName: receiverInterface,
      rateProbesPerSec: 1,
    },
  ],
  sources: everyAddress,
  integrityCheck: true,
  sentTimesMax: 0,
  memory: memory.make,
});
if (engine.failures().length > 0) {
  throw new Error(engine.failures().join("\n"));
}
if (memory.failure !== null) {
  throw new Error(memory.failure);
}
const rings = engine.rings.replies.map(({ ring }) => new ByteRing(ring));
const chunk = new Uint8Array(chunkBytes);
console.log("ready");

const startedAtMs = performance.now();
let matched = 0;
let firstAtMs = 0;
let lastAtMs = startedAtMs;
while (matched < expected && performance.now() - lastAtMs < (matched === 0 ? patienceMs : quietMs)) {
  for (const ring of rings) {
    for (let bytes = ring.peek(chunk); bytes > 0; bytes = ring.peek(chunk)) {
      ring.advance(bytes);
    }
  }
  const count = engine.counters().reply_matched ?? 0;
  if (count > matched) {
    lastAtMs = performance.now();
    firstAtMs ||= lastAtMs;
    matched = count;
  }
  Bun.sleepSync(1);
}
const { capture_dropped: lost = 0 } = engine.counters();
await engine.stop(0);
const usage = usageByName(process.pid, { "hear.ts": "engine" }).get("engine");
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ replies: matched, lost, elapsedMs: lastAtMs - firstAtMs, ...usage }));
process.exit(0);
