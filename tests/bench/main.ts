/**
 * `npm run bench -- BENCH [options]`: ours beside other tools or known values, in turns, in one run.
 *
 * Needs root (namespaces, raw sockets). Files and namespaces are removed at the end, however it comes.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BenchOptions, readOptions } from "./options.ts";
import { type BenchReport, printReport } from "./report.ts";

type Bench = (options: BenchOptions, folder: string) => Promise<BenchReport>;

const benches: Readonly<Record<string, { purpose: string; load: () => Promise<Bench> }>> = {
  send: {
    purpose: "packets/s and CPU per packet, beside zmap, masscan and plain C loops",
    load: async () => (await import("./send/bench.ts")).benchSend,
  },
  receive: {
    purpose: "live answers/s that the engine and an agent take, beside what a C flooder sends",
    load: async () => (await import("./receive/bench.ts")).benchReceive,
  },
  parse: {
    purpose: "replies/s from a pcap file, beside tcpdump",
    load: async () => (await import("./parse/bench.ts")).benchParse,
  },
  rate: {
    purpose: "packets/s that arrive, beside the rate that was asked for",
    load: async () => (await import("./rate/bench.ts")).benchRate,
  },
  rtt: {
    purpose: "error of round-trip times, against delays that are known",
    load: async () => (await import("./rtt/bench.ts")).benchRtt,
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
  reports: {
    purpose: "reports of agents/s that a probing gateway takes: how many agents it can have",
    load: async () => (await import("./gateway/reports.ts")).benchReports,
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
  start: {
    purpose: "ms until the executable has said its version or its help, beside other programs",
    load: async () => (await import("./start/bench.ts")).benchStart,
  },
  store: {
    purpose: "rows/s from reply records into the embedded column store, beside inserts of objects",
    load: async () => (await import("./store/bench.ts")).benchStore,
  },
  results: {
    purpose: "s and MB of each view of small and large measurements in a large store, beside plain SQL",
    load: async () => (await import("./results/bench.ts")).benchResults,
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

const usage = `Usage: npm run bench -- <bench> [--rounds N] [--count N] [--json]

Benches:
${Object.entries(benches)
  .map(([name, { purpose }]) => `  ${name.padEnd(16)}${purpose}`)
  .join("\n")}

Options:
  --rounds N  times that each subject runs (5); the table shows the median
  --count N   packets, replies, lines or milliseconds (rate) in a round
  --json      one object a line: {"bench","subject","reference","value","referenceValue","unit","ratio","rounds"}
`;

async function main(args: readonly string[]): Promise<number> {
  const [name = "", ...rest] = args;
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(usage);
    return 0;
  }
  const bench = benches[name];
  if (bench === undefined) {
    process.stderr.write(`${name === "" ? "Name a bench" : `Unknown bench "${name}"`}\n\n${usage}`);
    return 2;
  }
  const options = optionsOf(rest);
  if (options === null) {
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "vantage-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
  try {
    printReport(await (await bench.load())(options, folder), options.json);
    return 0;
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    return 1;
  }
}

/** Also when tidying up fails after it. */
function reasonOf(error: unknown): string {
  if (error instanceof SuppressedError) {
    return `${reasonOf(error.suppressed)}; then, tidying up: ${reasonOf(error.error)}`;
  }
  return error instanceof Error ? error.message : String(error);
}

function optionsOf(args: readonly string[]): BenchOptions | null {
  try {
    return readOptions(args);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    return null;
  }
}

process.exit(await main(Bun.argv.slice(2)));
