/** `vantage client` against the embedded broker: what it publishes, what it refuses, how it ends. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { parseAddress } from "../../../lib/net/ip/address.ts";
import type { Probe } from "../../../lib/net/packet/probe.ts";
import { encodeProbes } from "../../../lib/net/wire/probe-codec.ts";
import { agentGroup } from "../../../lib/net/wire/target-header.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { ClientPlace, probeLines, topic } from "./client-process.ts";

const two = "192.0.2.1,24000,33434,7,UDP\n# a comment\n\n2001:db8::1,24000,0,9,icmpv6\n";

function probe(dst: string, dstPort: number, ttl: number, protocol: Probe["protocol"]): Probe {
  return { dst: parseAddress(dst) ?? new Uint8Array(16), srcPort: 24000, dstPort, ttl, protocol };
}

test("lines become records that name their targets; a second source has records of its own", async () => {
  await using place = new ClientPlace();
  const targets = "west,east:192.0.2.9,west:[2001:db8:7::1]";
  const run = await place.run(["--measurement-id", "m-1", "--expires", "2h", "-o", "json", targets], two);
  expect([run.exitCode, run.stderr]).toEqual([0, []]);
  const { not_after, ...summary } = JSON.parse(run.stdout);
  expect(summary).toEqual({
    measurement_id: "m-1",
    outcome: "published",
    topic,
    targets: ["west", "east:192.0.2.9", "west:[2001:db8:7::1]"],
    probes: 2,
    published_probes: 2,
    skipped_lines: 0,
    records: 2,
    agents: [],
  });
  expect(Math.abs(Date.parse(not_after) - Date.now() - 7_200_000)).toBeLessThan(60_000);
  const header = { measurement_id: "m-1", first_probe: 0, not_after };
  const records = (await place.records()).map(({ key, value, headers }) => ({
    key,
    value: Buffer.from(value),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, JSON.parse(text)])),
  }));
  const value = Buffer.from(
    encodeProbes([probe("192.0.2.1", 33434, 7, "udp"), probe("2001:db8::1", 0, 9, "icmpv6")]),
  );
  expect(records).toEqual([
    {
      key: "m-1",
      value,
      headers: {
        west: { ...header, src_ip: "", end_of_measurement: false },
        east: { ...header, src_ip: "192.0.2.9", end_of_measurement: true },
      },
    },
    {
      key: "m-1",
      value,
      headers: { west: { ...header, src_ip: "2001:db8:7::1", end_of_measurement: true } },
    },
  ]);
  expect(readdirSync(place.folder).sort()).toEqual(["client.yaml", "input.csv", "log"]);
});

test("standard input is read when no file is named, and a measurement gets a new UUID", async () => {
  await using place = new ClientPlace();
  const child = place.start(["west"], "pipe");
  child.stdin?.write(two.slice(0, 40));
  await child.stdin?.flush();
  child.stdin?.write(two.slice(40));
  await child.stdin?.end();
  const { exitCode, stdout } = await place.endOf(child);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^Measurement [\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\n {2}2 probes /,
  );
  expect((await place.records()).map(({ key }) => key)).toEqual([stdout.slice(12, 48)]);
});

test("many lines are cut into records in order, in one lane", async () => {
  await using place = new ClientPlace();
  place.file(
    "client.yaml",
    `kafka: { brokers: "embedded:${place.folder}/log" }\nclient: { record_probes_max: 300 }`,
  );
  const { exitCode, stdout } = await place.run(["-o", "json", "a,b:[2001:db8::1]"], probeLines(10_000));
  expect([exitCode, JSON.parse(stdout).records]).toEqual([0, 34]);
  const records = await place.records();
  expect(new Set(records.map(({ partition }) => partition)).size).toBe(1);
  const headers = records.map((record) => JSON.parse(record.headers.a ?? ""));
  expect(headers.map(({ first_probe }) => first_probe)).toEqual(
    Array.from({ length: 34 }, (_, i) => 300 * i),
  );
  expect(headers.map(({ end_of_measurement }) => end_of_measurement)).toEqual([
    ...Array(33).fill(false),
    true,
  ]);
  const bytes = records.reduce((sum, { value }) => sum + value.length, 0);
  expect(bytes).toBe(10_000 * 48);
});

test("150,000 lines, which were 150 records, fit the queue of an existing agent", async () => {
  await using place = new ClientPlace();
  const { exitCode, stdout } = await place.run(["-o", "json", "west"], probeLines(150_000));
  expect([exitCode, JSON.parse(stdout).published_probes, JSON.parse(stdout).records]).toEqual([
    0, 150_000, 90,
  ]);
});

test("waits until each agent has taken everything and the last replies have come", async () => {
  await using place = new ClientPlace();
  const child = place.start([
    "--wait",
    "-o",
    "json",
    "-p",
    place.file("p.csv", probeLines(2500)),
    "west,west:192.0.2.1",
  ]);
  const broker = await place.broker();
  await broker.ensureTopic({ name: topic, partitions: 16, retentionMs: 3_600_000 });
  await using subscription = await broker.subscribe(agentGroup("west"), [topic]);
  let records = 0;
  while (records < 6) {
    for (const { partition, offset } of await subscription.next({ recordsMax: 1, waitMs: 1000 })) {
      records++;
      expect(child.exitCode).toBeNull();
      await subscription.commit(topic, partition, offset + 1n);
    }
  }
  const takenAtMs = Date.now();
  const { exitCode, stdout } = await place.endOf(child);
  expect(Date.now() - takenAtMs).toBeGreaterThan(6000);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "finished",
    agents: [{ agent: "west", probes: 5000, taken_probes: 5000, state: "finished" }],
  });
});

test("an agent that does not come ends the waiting when the measurement expires", async () => {
  await using place = new ClientPlace();
  const { exitCode, stdout } = await place.run(["--wait", "--expires", "1s", "west"], two);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("west has taken 0 of 2 probes\n  Not finished by 2");
});

describe("Ctrl-C", () => {
  test("while reading says that nothing is published", async () => {
    await using place = new ClientPlace();
    const child = place.start(["west"], "pipe");
    child.stdin?.write(two);
    await child.stdin?.flush();
    while (!readdirSync(place.folder).includes("log")) {
      await Bun.sleep(10);
    }
    child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await place.endOf(child);
    expect([exitCode, stdout, stderr]).toEqual([
      130,
      "",
      ["vantage client: Interrupted: nothing is published"],
    ]);
    expect(await place.records()).toEqual([]);
  });

  test("while waiting says what is published, and that it stays so", async () => {
    await using place = new ClientPlace();
    const child = place.start(["--wait", "-p", place.file("p.csv", two), "west"]);
    const broker = await place.broker();
    await broker.ensureTopic({ name: topic, partitions: 16, retentionMs: 3_600_000 });
    while ((await broker.positions("test", topic)).every(({ end }) => end === 0n)) {
      await Bun.sleep(10);
    }
    child.kill("SIGINT");
    const { exitCode, stdout } = await place.endOf(child);
    expect(exitCode).toBe(130);
    expect(stdout).toContain("2 probes published for west: 1 record in measure-probes");
    expect(stdout).toContain("Agents send what is published until");
  });
});

test("a terminal shows progress as it goes, a pipe does not", async () => {
  await using place = new ClientPlace();
  const lines = place.file("p.csv", probeLines(200_000));
  const piped = await place.run(["-p", lines, "west"]);
  expect([piped.exitCode, piped.stderr, piped.stdout.includes("\x1b")]).toEqual([0, [], false]);
  const shown: string[] = [];
  const decoder = new TextDecoder();
  const seen = (text: string) => shown.join("").includes(text);
  const child = Bun.spawn([...vantageCommand, "client", "-c", place.config, "-p", lines, "west"], {
    cwd: `${import.meta.dirname}/../../..`,
    terminal: {
      cols: 80,
      rows: 24,
      data: (_, bytes) => shown.push(decoder.decode(bytes, { stream: true })),
    },
  });
  while (!seen("has taken nothing yet")) {
    await Bun.sleep(20);
  }
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  expect([seen("reading     "), seen("\x1b[1A\x1b[J")]).toEqual([true, true]);
});

/** Bytes that the client needed at most, up to where it waits for agents. */
async function memoryPeakBytes(lines: number): Promise<number> {
  await using place = new ClientPlace();
  const child = place.start(["--wait", "-p", place.file("p.csv", probeLines(lines)), "west"]);
  const broker = await place.broker();
  await broker.ensureTopic({ name: topic, partitions: 16, retentionMs: 3_600_000 });
  const ends = async () => (await broker.positions("test", topic)).map(({ end }) => Number(end));
  while (Math.max(...(await ends())) < Math.min(90, lines / 1000)) {
    await Bun.sleep(50);
  }
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  child.kill("SIGINT");
  expect((await place.endOf(child)).exitCode).toBe(130);
  return 1024 * Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]);
}

test("memory does not grow with the lines", async () => {
  const [small, large] = [await memoryPeakBytes(50_000), await memoryPeakBytes(1_000_000)];
  expect(small).toBeGreaterThan(10e6);
  expect(large - small).toBeLessThan(30e6);
  expect(large).toBeLessThan(300e6);
});

test("a reader of the summary that has gone away does no harm", async () => {
  await using place = new ClientPlace();
  const child = place.start(["-p", place.file("p.csv", two), "west"]);
  await child.stdout.cancel();
  expect(await child.exited).toBe(0);
  expect(await place.records()).toHaveLength(1);
});
