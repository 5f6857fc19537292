/** The contract of lib/engines/broker/broker.ts, as one suite that each engine runs. */
import { afterAll, beforeAll, describe } from "bun:test";
import type { EngineSetUp, RunningEngine, Stage } from "./broker/engine.ts";
import { groupTests } from "./broker/groups.ts";
import { outageTests } from "./broker/outage.ts";
import { processTests } from "./broker/processes.ts";
import { recordTests } from "./broker/records.ts";

export function brokerContract(name: string, setUp: EngineSetUp): void {
  describe(`broker, ${name}`, () => {
    let running: RunningEngine | null = null;
    beforeAll(async () => {
      running = await setUp.start();
    });
    afterAll(async () => {
      await running?.[Symbol.asyncDispose]();
    });
    const engine = () => {
      if (running === null) {
        throw new Error("The engine did not start");
      }
      return running;
    };
    const stage: Stage = { setUp, engine };
    describe("records", () => recordTests(stage));
    describe("groups", () => groupTests(stage));
    describe("processes", () => processTests(stage));
    describe("outage", () => outageTests(stage));
  });
}
