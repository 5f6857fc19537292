/**
 * From lines in a file to rows in the store: client, embedded broker, agent, ingester and column store, all on this
 * machine. A program in the kernel answers each probe where it arrives, so that time and CPU are the product's and the
 * kernel's. What has come is read off the ingester's page, and counted in the store once, at the end.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../../lib/engines/store/clickhouse/open.ts";
import { AgentRig } from "../../lab/agent-rig.ts";
import { responderDevice, responderFarEnd } from "../../lab/commands.ts";
import { Internet } from "../../lab/internet.ts";
import { LabError, run } from "../../lab/namespaces.ts";
import type { Topology } from "../../lab/topology.ts";
import type { BenchOptions } from "../options.ts";
import { StackRig } from "../receive/stack-rig.ts";
import type { BenchReport } from "../report.ts";
import { type Usage, usageByName } from "./process-usage.ts";

const probesDefault = 2_000_000;
/** The agent's rates: at higher ones, two cores that also store cannot always empty the capture's ring in time. */
const subjects = [
  { name: "one reply a record", repliesPerRecord: 1, rateProbesPerSec: 120_000 },
  { name: "64 replies a record", repliesPerRecord: 64, rateProbesPerSec: 200_000 },
] as const;
type Subject = (typeof subjects)[number];
/** Two hops and the target behind them answer, at once. */
const destination = "198.51.100.10";
const ttls = [1, 2, 3, 4];
const settleMsMax = 120_000;
const lookEveryMs = 50;

const host = "host";
const agentId = "east";
const source = { v4: "10.101.0.0/24", v6: "2001:db8:e000::/48" };
const everything = { v4: "0.0.0.0/0", v6: "::/0" };
/** A host whose one link leads straight to the process that answers. */
const oneLink: Topology = {
  nodes: [
    {
      name: host,
      role: "vantage",
      id: 101,
      routed: source,
      responder: { port: "veth", prefixes: [everything] },
    },
  ],
  links: [],
};

const parts: Readonly<Record<string, string>> = {
  "agent --config": "agent",
  "stack ingest": "ingester",
  "stack store": "store",
  "vantage.ts client": "client",
};

const vantage = [process.execPath, join(import.meta.dirname, "../../../apps/vantage.ts")];

interface Round {
  readonly rowsPerSec: number;
  readonly usages: ReadonlyMap<string, Usage>;
}

/** `folder` is for the probe lines. Throws when rows are missing at the end. */
export async function benchPipeline(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? probesDefault;
  const lines = join(folder, "probes.csv");
  writeFileSync(lines, probeLines(count));
  const rounds = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const subject of subjects) {
      rounds.get(subject.name)?.push(await measure(subject, lines, count));
    }
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const each = (of: (round: Round) => number) =>
    new Map([...rounds].map(([name, measured]) => [name, measured.map(of)]));
  const ofParts = (unit: string, decimals: number, of: (usage: Usage) => number) =>
    Object.values(parts).map((part) => ({
      unit: `${unit}, ${part}`,
      decimals,
      rounds: each(({ usages }) => of(usages.get(part) ?? nothing)),
    }));
  return {
    bench: "pipeline",
    what: `${count} probe lines to as many rows, median of ${options.rounds} rounds`,
    subjects: subjects.map(({ name }) => name),
    references: [],
    figures: [
      { unit: "rows/s", decimals: 0, rounds: each(({ rowsPerSec }) => rowsPerSec) },
      ...ofParts("CPU µs/row", 2, ({ cpuSec }) => (1e6 * cpuSec) / count),
      ...ofParts("peak MB", 0, ({ peakMb }) => peakMb),
    ],
    notes: [
      "From the start of the client to the last row seen; starting the stack and the agent is in no figure but MB.",
      "Everything shares the machine's cores. Answers are made in the kernel, in the agent's CPU time.",
      `The agent sends at most ${subjects.map(({ rateProbesPerSec }) => rateProbesPerSec).join(" and ")} probes/s.`,
    ],
  };
}

const nothing: Usage = { cpuSec: 0, peakMb: 0 };

async function measure(subject: Subject, lines: string, count: number): Promise<Round> {
  await using net = await Internet.start(oneLink);
  await using _reflector = await startReflector(net);
  await using stack = await StackRig.start();
  await using rig = await AgentRig.open(net, stack.broker);
  await rig.start(host, agentId, {
    kafka: { replies_per_record: subject.repliesPerRecord, out_batch_wait_time: 200 },
    prober: [
      {
        interface: responderDevice,
        probing_rate: subject.rateProbesPerSec,
        ...{ src_ipv4_prefix: source.v4, src_ipv6_prefix: source.v6 },
      },
    ],
  });
  const clientConfig = join(rig.folder, "client.json");
  writeFileSync(clientConfig, JSON.stringify({ kafka: { brokers: stack.broker } }));
  const before = usageByName(process.pid, parts);
  const startedAtMs = performance.now();
  const measurementId = crypto.randomUUID();
  const client = await submit(clientConfig, lines, measurementId);
  await waitForRows(stack, count);
  const elapsedMs = performance.now() - startedAtMs;
  const usages = new Map<string, Usage>([["client", client]]);
  for (const [name, { cpuSec, peakMb }] of usageByName(process.pid, parts)) {
    usages.set(name, { cpuSec: cpuSec - (before.get(name)?.cpuSec ?? 0), peakMb });
  }
  await mustHaveRows(stack, measurementId, count);
  return { rowsPerSec: count / (elapsedMs / 1000), usages };
}

/** Redirected packets reach a veth only by its driver's poll, which GRO turns on. */
async function startReflector(net: Internet): Promise<AsyncDisposable> {
  await run(net.at(host, ["ethtool", "-K", responderDevice, "gro", "on"]));
  const script = join(import.meta.dirname, "reflector.ts");
  const command = net.at(host, [process.execPath, script, responderFarEnd]);
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  const { done } = await child.stdout.getReader().read();
  if (done) {
    throw new LabError("Cannot start the far end: it ended before it was ready");
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

/** What the client has used. */
async function submit(config: string, lines: string, measurementId: string): Promise<Usage> {
  const command = [...vantage, "client", "--config", config, "-p", lines, "--no-wait"];
  const target = `${agentId}:${source.v4.replace("0/24", "9")}`;
  const client = Bun.spawn([...command, "--measurement-id", measurementId, target], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = await new Response(client.stderr).text();
  if ((await client.exited) !== 0) {
    throw new LabError(`Cannot submit: ${complaint.trim()}`);
  }
  const { cpuTime, maxRSS } = client.resourceUsage() ?? { cpuTime: { total: 0 }, maxRSS: 0 };
  return { cpuSec: Number(cpuTime.total) / 1e6, peakMb: maxRSS / 2 ** 20 };
}

async function waitForRows(stack: StackRig, count: number): Promise<void> {
  const untilMs = performance.now() + settleMsMax;
  let rows = 0;
  while (rows < count) {
    if (performance.now() > untilMs) {
      throw new LabError(`Only ${rows} of ${count} rows came`);
    }
    await Bun.sleep(lookEveryMs);
    rows = await stack.storedReplies();
  }
}

/** One plain count, after the time is taken. */
async function mustHaveRows(stack: StackRig, measurementId: string, count: number): Promise<void> {
  await using store = await openStore(stack.store);
  const answer = await store.client.query({
    query: "SELECT toUInt32(count()) AS rows FROM measure.replies WHERE measurement_id = {id:String}",
    query_params: { id: measurementId },
    format: "JSONEachRow",
  });
  const [found] = await answer.json<{ rows: number }>();
  if (found?.rows !== count) {
    throw new LabError(`The store has ${found?.rows ?? 0} of ${count} rows`);
  }
}

function probeLines(count: number): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const flow = 10_000 + (Math.floor(i / ttls.length) % 50_000);
    return `${destination},${flow},33434,${ttls[i % ttls.length]},UDP`;
  });
  return `${lines.join("\n")}\n`;
}
