import { expect, test } from "bun:test";
import { startEngine } from "./engine.ts";

test("a sender that waits for probes ends when its stop flag is set", async () => {
  const instance = { name: "first", instanceId: 1, interfaceName: "none", rateProbesPerSec: 1000 };
  const engine = await startEngine({
    ...{ agentId: "west", integrityKey: new Uint8Array(16), sources: [], integrityCheck: true },
    ...{ instances: [{ ...instance, dryRun: true }], sentTimesMax: 0 },
  });
  await engine.stop(0);
  expect(engine.failures()).toEqual([]);
});
