/** The contract of lib/broker/broker.ts, as one suite that each engine runs. */
import { afterAll, beforeAll, describe } from "bun:test";
import { type EngineSetUp, type RunningEngine, type Stage, testLimitMs } from "./broker/engine.ts";
import { groupTests } from "./broker/groups.ts";
import { outageTests } from "./broker/outage.ts";
import { processTests } from "./broker/processes.ts";
import { recordTests } from "./broker/records.ts";

/** Starting Kafka for the first time on a machine downloads it. */
const startLimitMs = 180_000;

export function brokerContract(name: string, setUp: EngineSetUp): void {
  describe(`broker, ${name}`, () => {
    let running: RunningEngine | null = null;
    beforeAll(async () => {
      running = await setUp.start();
    }, startLimitMs);
    afterAll(async () => {
      await running?.[Symbol.asyncDispose]();
    }, testLimitMs);
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
