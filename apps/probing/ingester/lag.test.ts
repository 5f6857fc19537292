import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBroker } from "../../../lib/engines/broker/open.ts";
import { probesTopic } from "../../../lib/net/wire/target-header.ts";
import { lagOf } from "./lag.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-lag-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("uncommitted records are counted, and a broker without offsets is reported", async () => {
  await using broker = await openBroker(`embedded:${folder}`);
  await expect(lagOf(broker, ["probes"])).rejects.toThrow(probesTopic);
  await broker.ensureTopic({ name: probesTopic, partitions: 2, retentionMs: 60_000 });
  const record = { key: "a", value: Buffer.from("b"), headers: {} };
  await broker.publish(probesTopic, [record, record, record]);
  expect(await lagOf(broker, ["probes"])).toEqual({ probes: 3 });
});
