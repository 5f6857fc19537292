import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Counter, Registry } from "prom-client";
import { Sight } from "./sight.ts";
import { addBackupGauge, addDiskGauges } from "./state-gauges.ts";

/** Lines of a scrape that hold figures, sorted. */
async function scraped(registry: Registry): Promise<string[]> {
  const text = await registry.metrics();
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .sort();
}

test("what cannot be read is left out and said, and all other metrics are there", async () => {
  const registry = new Registry();
  new Counter({ name: "requests_total", help: "requests", registers: [registry] }).inc(7);
  const sight = new Sight(registry);
  let agents: string[] | null = ["west"];
  const part = "agents";
  sight.add({
    ...{ part, name: "agent_up", help: "agents", labelNames: ["agent"] },
    read: async () =>
      agents?.map((agent) => ({ labels: { agent }, value: 1 })) ?? Promise.reject(new Error()),
  });
  sight.add({
    part,
    name: "agents",
    help: "their number",
    read: () => [{ value: agents?.length ?? raise() }],
  });
  const well = ['agent_up{agent="west"} 1', "agents 1", "requests_total 7"];
  expect(await scraped(registry)).toEqual([...well, 'vantage_exporter_blind{part="agents"} 0']);
  agents = null;
  await registry.metrics();
  expect(await scraped(registry)).toEqual(["requests_total 7", 'vantage_exporter_blind{part="agents"} 1']);
  agents = ["east"];
  await registry.metrics();
  expect(await scraped(registry)).toEqual([
    ...['agent_up{agent="east"} 1', "agents 1", "requests_total 7"],
    'vantage_exporter_blind{part="agents"} 0',
  ]);
});

function raise(): never {
  throw new Error("away");
}

test("a part that hangs is not waited for until Prometheus gives up", async () => {
  const registry = new Registry();
  const sight = new Sight(registry);
  sight.add({ part: "broker", name: "lag", help: "lag", read: () => new Promise(() => {}) });
  await registry.metrics();
  expect(await scraped(registry)).toEqual(['vantage_exporter_blind{part="broker"} 1']);
});

test("room of the disk, and when the backup was marked; 0 before the first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-state-"));
  try {
    const registry = new Registry();
    const sight = new Sight(registry);
    addDiskGauges(sight, folder);
    addBackupGauge(sight, folder);
    const [never, free, size] = await scraped(registry);
    expect(never).toBe("vantage_backup_timestamp_seconds 0");
    const [freeBytes = 0, sizeBytes = 0] = [free, size].map((line) => Number(line?.split(" ")[1]));
    expect(freeBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeLessThan(sizeBytes);
    writeFileSync(join(folder, "backup.done"), "");
    utimesSync(join(folder, "backup.done"), 1_700_000_000, 1_700_000_000);
    expect((await scraped(registry))[0]).toBe("vantage_backup_timestamp_seconds 1700000000");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
