/**
 * `npm run bench -- BENCH… [options]`: ours beside other tools or known values, in turns, in one run.
 *
 * Needs root (namespaces, raw sockets). Files and namespaces are removed at the end, however it comes.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeBenchFolder } from "./bench-folder.ts";
import { calmLoad, commitText, isBusy, loadText, loudWarning, machineText, stolenText } from "./machine.ts";
import { type BenchOptions, type BenchOrder, readOrder } from "./options.ts";
import { type BenchReport, printReport } from "./report.ts";
import { figuresPage, writeFigures } from "./written-page.ts";

type Bench = (options: BenchOptions, folder: string) => Promise<BenchReport>;

interface BenchEntry {
  readonly purpose: string;
  readonly load: () => Promise<Bench>;
  /** Its figures are counts, which are the same on a busy machine. */
  readonly isCounting?: true;
}

const benches: Readonly<Record<string, BenchEntry>> = {
  send: {
    purpose: "packets/s and CPU per packet, beside zmap, masscan and plain C loops",
    load: async () => (await import("./send/bench.ts")).benchSend,
  },
  sized: {
    purpose: "packets/s and CPU per packet at 1,400 bytes, beside plain C loops",
    load: async () => (await import("./send/sized-bench.ts")).benchSized,
  },
  departure: {
    purpose: "µs that probes leave after their time code, by the kernel's stamps at the far end",
    load: async () => (await import("./send/departure-bench.ts")).benchDeparture,
  },
  receive: {
    purpose: "live answers/s that the engine and an agent take, beside what a C flooder sends",
    load: async () => (await import("./receive/bench.ts")).benchReceive,
  },
  parse: {
    purpose: "replies/s from a pcap file, beside tcpdump",
    load: async () => (await import("./parse/bench.ts")).benchParse,
  },
  pace: {
    purpose: "ns that the limits of a destination cost the agent for each probe",
    load: async () => (await import("./pace/bench.ts")).benchPace,
  },
  rate: {
    purpose: "packets/s that arrive, beside the rate that was asked for",
    load: async () => (await import("./rate/bench.ts")).benchRate,
  },
  rtt: {
    purpose: "error of round-trip times, against delays that are known",
    load: async () => (await import("./rtt/bench.ts")).benchRtt,
  },
  trace: {
    purpose: "s that a person waits for traces, and routers named, beside scamper, traceroute and mtr",
    load: async () => (await import("./trace/bench.ts")).benchTrace,
  },
  "trace-from": {
    purpose: "s that a person waits for traces by agents of a gateway, beside the same trace from their host",
    load: async () => (await import("./trace/from-agents-bench.ts")).benchTraceFromAgents,
  },
  pipeline: {
    purpose: "rows/s from lines in a file to rows in the store, with CPU and memory of each process",
    load: async () => (await import("./pipeline/bench.ts")).benchPipeline,
  },
  latency: {
    purpose: "ms from the capture of an answer to a row that a query shows, at a low rate",
    load: async () => (await import("./latency/bench.ts")).benchLatency,
  },
  pressure: {
    purpose: "what waits where, and for how long, while the store stops and while the broker is full",
    load: async () => (await import("./pressure/bench.ts")).benchPressure,
  },
  memory: {
    purpose: "time, CPU and peak memory of a probe from line to wire, by the size of its campaign",
    load: async () => (await import("./memory/bench.ts")).benchMemory,
  },
  idle: {
    purpose: "CPU and memory of an agent that has nothing to do, beside their limits",
    load: async () => (await import("./idle/bench.ts")).benchIdle,
  },
  gateway: {
    purpose: "requests/s, p99 and memory of the probing gateway, beside what existing ones gave",
    load: async () => (await import("./gateway/bench.ts")).benchGateway,
  },
  sql: {
    purpose: "50 queries in SQL through the gateway, over 50 million replies, beside the bare store",
    load: async () => (await import("./sql/bench.ts")).benchSql,
  },
  "sql-crowd": {
    purpose: "ten users' queries in SQL, beside a noisy user and without",
    load: async () => (await import("./sql/bench.ts")).benchSqlCrowd,
  },
  history: {
    purpose: "MB of the history per GB of raw rows of three kinds, and its figures beside theirs",
    load: async () => (await import("./history/bench.ts")).benchHistory,
  },
  campaigns: {
    purpose: "ms that runs of 10,000 campaigns of 60 s begin late, CPU, and runs that alerts look at",
    load: async () => (await import("./campaigns/bench.ts")).benchCampaigns,
  },
  reports: {
    purpose: "reports of agents/s that a probing gateway takes: how many agents it can have",
    load: async () => (await import("./gateway/reports.ts")).benchReports,
  },
  many: {
    purpose:
      "a gateway with 1,000 agents and 10,000 measurements: reports, ms until agents hear of an end, CPU",
    load: async () => (await import("./gateway/many.ts")).benchMany,
  },
  "gateway-memory": {
    purpose:
      "peak memory of the probing gateway while one request brings millions of lines, beside its limit",
    load: async () => (await import("./gateway/memory.ts")).benchGatewayMemory,
  },
  peering: {
    purpose: "requests/s, p99 and memory of the peering gateway by size of its pool, and 100,000 mappings",
    load: async () => (await import("./peering/bench.ts")).benchPeering,
  },
  exchange: {
    purpose: "ms from leases to a policy, to a daemon that has it in force, to a route that is gone",
    load: async () => (await import("./exchange/bench.ts")).benchExchange,
  },
  "exchange-size": {
    purpose: "an exchange of 10,000 users, by sessions that are up: policy, configure, a lease's end, memory",
    load: async () => (await import("./exchange/size.ts")).benchExchangeSize,
  },
  start: {
    purpose: "ms until the executable has said its version or its help, beside other programs",
    load: async () => (await import("./start/bench.ts")).benchStart,
  },
  store: {
    purpose: "rows/s from reply records into the embedded column store, beside inserts of objects",
    load: async () => (await import("./store/bench.ts")).benchStore,
  },
  discovery: {
    purpose:
      "links, probes and rounds of each strategy of discovery on simulated networks, beside others' tools",
    load: async () => (await import("./discovery/bench.ts")).benchDiscovery,
    isCounting: true,
  },
  aim: {
    purpose: "targets that aims forecast right, goals met and changes that took, in drawn Internets",
    load: async () => (await import("./aim/bench.ts")).benchAim,
    isCounting: true,
  },
  "discovery-scale": {
    purpose:
      "s of the rounds of a discovery of a quarter and a whole million prefixes, probes/s, memory: is it linear",
    load: async () => (await import("./discovery/scale.ts")).benchDiscoveryScale,
  },
  console: {
    purpose: "ms from rows to the pictures of the console: path graphs of 49 to 2,080 links, a heat map",
    load: async () => (await import("./console/bench.ts")).benchConsole,
  },
  results: {
    purpose: "s and MB of each view of small and large measurements in a large store, beside plain SQL",
    load: async () => (await import("./results/bench.ts")).benchResults,
  },
  context: {
    purpose:
      "origins of addresses/s a core, s and MB to load 1.2 million prefixes, beside libraries; views with and without",
    load: async () => (await import("./context/bench.ts")).benchContext,
  },
  routes: {
    purpose: "rows/s of updates that a router tells by BMP; memory and look-ups of full tables of ten peers",
    load: async () => (await import("./routes/bench.ts")).benchRoutes,
  },
  disk: {
    purpose: "bytes on disk of a probe and of a reply, in the embedded log and the column store",
    load: async () => (await import("./disk/bench.ts")).benchDisk,
  },
  broker: {
    purpose: "records/s into and out of the embedded log, beside a real Kafka",
    load: async () => (await import("./broker/bench.ts")).benchBroker,
  },
};

/** For others to end what they do, where figures are to be kept. */
const calmWaitMs = 120_000;

const usage = `Usage: npm run bench -- <bench>… [--rounds N] [--count N] [--json] [--write]

Benches:
${Object.entries(benches)
  .map(([name, { purpose }]) => `  ${name.padEnd(16)}${purpose}`)
  .join("\n")}
  ${"all".padEnd(16)}all of these, one after the other: some hours

Options:
  --rounds N  times that each subject runs (5); the table shows the median
  --count N   packets, replies, lines or milliseconds (rate) in a round
  --json      one object a line: {"bench","subject","reference","value","referenceValue","unit","ratio","rounds"}
  --write     puts figures, machine, commit and load into ${figuresPage} too; refused on a busy machine,
              but for counts (discovery, aim)
`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(usage);
    return 0;
  }
  const order = orderOf(args);
  if (order === null) {
    return 2;
  }
  const names = order.names.includes("all") ? Object.keys(benches) : order.names;
  const unknown = names.find((name) => benches[name] === undefined);
  if (names.length === 0 || unknown !== undefined) {
    process.stderr.write(
      `${unknown === undefined ? "Name a bench" : `Unknown bench "${unknown}"`}\n\n${usage}`,
    );
    return 2;
  }
  const folder = makeBenchFolder();
  let failed = 0;
  for (const name of names) {
    try {
      await runBench(name, order, join(folder, name));
    } catch (error) {
      process.stderr.write(`${name}: ${reasonOf(error)}\n`);
      failed++;
    }
  }
  return failed > 0 ? 1 : 0;
}

/** Throws where figures cannot be made, or not kept. */
async function runBench(name: string, { options, write }: BenchOrder, folder: string): Promise<void> {
  const isTimed = benches[name]?.isCounting !== true;
  const load = await calmLoad(write && isTimed ? calmWaitMs : 0);
  if (isTimed && isBusy(load)) {
    process.stderr.write(loudWarning(load));
    if (write) {
      throw new Error("Cannot keep figures of a busy machine: end what else runs, or leave out --write");
    }
  }
  const commit = commitText(figuresPage);
  const before = `commit ${commit}; ${machineText()}; ${loadText(load)} before`;
  process.stderr.write(`${name}: ${before}\n`);
  mkdirSync(folder, { mode: 0o711 });
  const beganMs = performance.now();
  const found = await (await benches[name]?.load())?.(options, folder);
  rmSync(folder, { recursive: true, force: true });
  process.stderr.write(`${name}: took ${Math.round((performance.now() - beganMs) / 1000)} s\n`);
  if (found === undefined) {
    return;
  }
  const circumstances = `${before}, ${stolenText(load)} meanwhile`;
  printReport({ ...found, notes: [...found.notes, `Made at ${circumstances}.`] }, options.json);
  if (write) {
    writeFigures(found, circumstances);
  }
}

/** Also when tidying up fails after it. */
function reasonOf(error: unknown): string {
  if (error instanceof SuppressedError) {
    return `${reasonOf(error.suppressed)}; then, tidying up: ${reasonOf(error.error)}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function orderOf(args: readonly string[]): BenchOrder | null {
  try {
    return readOrder(args);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    return null;
  }
}

process.exit(await main(Bun.argv.slice(2)));
