/** `vantage campaign run`: a campaign without a gateway, killed again and again while it does a run. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileJournal } from "../../../apps/probing/campaigns/file-journal.ts";
import { LocalMeasure } from "../../../apps/user/client/campaign/local-measure.ts";
import { readClientConfig } from "../../../apps/user/client/config.ts";
import { decodeTargetHeader } from "../../../lib/net/wire/target-header.ts";
import { saidBy, saidUpTo } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { ClientPlace, probeLines, topic } from "./client-process.ts";

const probes = 30_000;
const recordProbes = 500;

const place = new ClientPlace();
const broker = `embedded:${place.folder}/log`;
const config = place.file(
  "run.yaml",
  `kafka: { brokers: "${broker}" }\nclient: { record_probes_max: ${recordProbes} }\n`,
);
const plain = { name: "path watch", agents: ["west"], every: 60, spread: 0, slip: "1h", max_runs: 1 };
const file = place.file("watch.json", JSON.stringify({ ...plain, probes: probeLines(probes) }));

beforeAll(async () => {
  const opened = await place.broker();
  await opened.ensureTopic({ name: topic, partitions: 16, retentionMs: 3_600_000 });
});
afterAll(() => place[Symbol.asyncDispose]());

function start(args: readonly string[] = [], definition = file) {
  const words = [...vantageCommand, "campaign", "run", "-c", config, ...args, definition];
  return Bun.spawn(words, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

async function said(child: ReturnType<typeof start>) {
  return await saidBy(child);
}

async function published(): Promise<number> {
  const positions = await (await place.broker()).positions("nobody", topic);
  return positions.reduce((sum, { committed, end }) => sum + Number(end - committed), 0);
}

/** Takes all records as the agent `west` does: each but once by its first probe. */
async function takeAll() {
  const headers = (await place.records("vantage-agent-west")).flatMap(({ headers: { west = "" } }) => {
    const read = decodeTargetHeader(west);
    return read.ok ? [read.header] : [];
  });
  const opened = await place.broker();
  await using subscription = await opened.subscribe("vantage-agent-west", [topic]);
  for (const { partition, end } of await opened.positions("vantage-agent-west", topic)) {
    await subscription.commit(topic, partition, end);
  }
  return headers;
}

test("a run that is killed while it is published goes on at later starts, as one measurement", async () => {
  const journal = join(`${file}.journal`, "journal.ndjson");
  const written = () => (existsSync(journal) ? readFileSync(journal, "utf8") : "");
  for (let kills = 0; kills < 3; kills++) {
    const child = start();
    while (!written().includes('"state":"open"')) {
      await Bun.sleep(1);
    }
    await Bun.sleep(kills === 0 ? 0 : Math.random() * 300);
    child.kill("SIGKILL");
    await child.exited;
  }
  // What a kill in the middle of a write leaves behind.
  writeFileSync(journal, `${written()}{"campaign":{"sta`);
  const child = start();
  const lines = child.stdout.pipeThrough(new TextDecoderStream());
  while (!written().includes('"state":"taken"')) {
    await Bun.sleep(10);
  }
  const headers = await takeAll();
  expect(new Set(headers.map((header) => `${header.measurementId} ${header.notAfterMs}`)).size).toBe(1);
  const firsts = new Set(headers.map((header) => header.firstProbe));
  expect([...firsts].toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: probes / recordProbes }, (_, record) => record * recordProbes),
  );
  let text = "";
  for await (const chunk of lines) {
    text += chunk;
  }
  expect(text).toMatch(new RegExp(`run 0  planned .*Z  done  ${headers[0]?.measurementId}\n$`));
  expect(await child.exited).toBe(0);
});

test("what was begun is published with the expiry that it began with, or not at all, and once", async () => {
  const options = { nowMs: Date.now, isEnded: () => Promise.resolve(false), onRun: () => {} };
  using journal = FileJournal.open(join(place.folder, "half.journal"), options);
  const measure = new LocalMeasure({
    ...{ config: readClientConfig(config, {}), broker: await place.broker(), spoolDir: place.folder },
    ...{ journal: () => journal, signal: new AbortController().signal },
  });
  const submit = (key: string) =>
    measure.submit({
      ...{ key, agents: "west", probes: probeLines(10) },
      userHash: "",
      step: { campaignId: "half", run: 0, round: null },
    });
  const notAfterMs = Date.now() + 300_000;
  const begun = { published: null, agents: "west" };
  journal.note("campaign half 0 0", { ...begun, notAfterMs });
  const id = await submit("campaign half 0 0");
  const headers = await takeAll();
  expect(headers.map((header) => [header.measurementId, header.notAfterMs])).toEqual([[id, notAfterMs]]);
  journal.note("campaign half 1 0", { ...begun, notAfterMs: Date.now() - 1 });
  await expect(submit("campaign half 1 0")).rejects.toThrow("not all of it published before it expired");
  expect(await submit("campaign half 0 0")).toBe(id);
  expect(await takeAll()).toEqual([]);
});

test("one that has ended does nothing more, and two processes do not share a journal", async () => {
  const before = await published();
  const again = await said(start(["-o", "json"]));
  expect([again.exitCode, again.stdout]).toEqual([0, ""]);
  expect(await published()).toBe(before);
  const endless = { ...plain, max_runs: 1000, start: "2100-01-01T00:00:00Z", targets: "192.0.2.1" };
  const later = place.file("later.json", JSON.stringify(endless));
  const child = start([], later);
  await saidUpTo(child.stderr, "its journal is in");
  const second = await said(start([], later));
  expect([second.exitCode, second.stderr]).toEqual([
    1,
    expect.stringContaining("another process runs a campaign there"),
  ]);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  truncateSync(join(`${later}.journal`, "journal.ndjson"), 3);
  writeFileSync(join(`${later}.journal`, "journal.ndjson"), "nonsense\n");
  expect((await said(start([], later))).stderr).toContain("journal.ndjson:1: is not a line of a campaign");
});

test("what cannot run is refused before anything is written, and --check only counts", async () => {
  const refused = async (given: object) =>
    (await said(start([], place.file("bad.json", JSON.stringify({ ...plain, ...given }))))).stderr;
  expect(await refused({ targets: "192.0.2.1", agents: "tag:eu" })).toContain("chooses agents at a gateway");
  expect(await refused({ targets: "192.0.2.1", follow_up: { ping: "responders" } })).toContain(
    "store.address",
  );
  expect(await refused({ targets: "192.0.2.1", every: 5 })).toContain("every must be 60 to 604800 seconds");
  const cost = place.file(
    "cost.json",
    JSON.stringify({ ...plain, max_runs: 5, targets: "192.0.2.0/24", ttl: "1-8" }),
  );
  const { exitCode, stderr } = await said(start(["--check"], cost));
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("8 probes a run, 40 a day, until")]);
});
