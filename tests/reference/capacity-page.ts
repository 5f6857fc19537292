/**
 * The tables of docs/operate/capacity.md, from docs/internals/benchmarks.md: `npm run generate`. A test compares them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FigurePlace, measured } from "./capacity-figures.ts";
import { type Demand, type Measured, planFor } from "./capacity-plan.ts";

const docs = join(import.meta.dirname, "../../docs");
const page = join(docs, "operate/capacity.md");
const marked = /(?<=<!-- From docs\/internals\/benchmarks\.md\b.*-->\n).*?(?=<!-- end -->)/s;

const demand: Demand = {
  agents: 10,
  rateProbesPerSec: 100_000,
  repliesPerDay: 1e9,
  keptDays: 90,
  replicas: 3,
  brokerDays: 1,
};

/** Assumed, not measured. */
const dollarsPerGbMonth = 0.1;
/** Merges, and a broker that is away, need room. */
const diskForBytes = 2;

const sizes = "What a probe and a reply take";
const places = {
  agentProbesPerSec: {
    heading: "Sending",
    row: "vantage lines to wire packet",
    column: "packets/s",
  },
  brokerRepliesPerSec: {
    heading: "Receiving",
    row: "vantage agent to Kafka, 64 a record",
    column: "replies/s",
  },
  storeRowsPerSec: {
    heading: "Receiving",
    row: "vantage agent to rows of the store, 64 a record",
    column: "replies/s",
  },
  insertRowsPerSec: { heading: "Into the store", row: "rows/s", column: "vantage, 64 replies a record" },
  logReplyBytes: { heading: sizes, row: "embedded log, a reply, 100 a record", column: "bytes" },
  logReplyAloneBytes: { heading: sizes, row: "embedded log, a reply, one a record", column: "bytes" },
  logProbeBytes: { heading: sizes, row: "embedded log, a probe", column: "bytes" },
  storeReplyBytes: { heading: sizes, row: "column store, a reply", column: "bytes" },
  storeProbeBytes: { heading: sizes, row: "column store, a probe", column: "bytes" },
  submissionsPerSec: {
    heading: "The probing gateway",
    row: "POST /api/probes, 10000 probes: requests/s",
    column: "vantage",
  },
} as const satisfies Record<string, FigurePlace>;

/** The page as it should be. */
export function capacityPage(): string {
  const figures = readFileSync(join(docs, "internals/benchmarks.md"), "utf8");
  return readFileSync(page, "utf8").replace(marked, () => `\n${tables(figures)}\n\n`);
}

function tables(figures: string): string {
  const at = (place: FigurePlace) => measured(figures, place);
  const parts: Measured = {
    repliesPerProbe: repliesPerProbe(figures),
    brokerRepliesPerSec: at(places.brokerRepliesPerSec),
    storeRowsPerSec: at(places.storeRowsPerSec),
    logReplyBytes: at(places.logReplyBytes),
    logProbeBytes: at(places.logProbeBytes),
    storeReplyBytes: at(places.storeReplyBytes),
    storeProbeBytes: at(places.storeProbeBytes),
  };
  return [...needed(parts, at(places.logReplyAloneBytes)), "", ...stops(at, parts)].join("\n");
}

/** The share of answered probes in the campaign of `bench disk`, whose text counts both. */
function repliesPerProbe(figures: string): number {
  const found = /bench -- disk`: Bytes on disk of (\d+) probes and the (\d+) replies/.exec(figures);
  const [probes = Number.NaN, replies = Number.NaN] = (found ?? []).slice(1).map(Number);
  if (!(replies / probes > 0)) {
    throw new Error("Cannot find the probes and replies of `bench disk` in docs/internals/benchmarks.md");
  }
  return replies / probes;
}

function needed(parts: Measured, aloneBytes: number): string[] {
  const plan = planFor(demand, parts);
  const alone = planFor(demand, { ...parts, logReplyBytes: aloneBytes });
  const reads = plan.agentReadBytesPerSec;
  const diskBytes = (plan.brokerBytes + plan.storeBytes) * diskForBytes;
  const rates = `${whole(plan.meanRepliesPerSec)} / ${whole(plan.peakRepliesPerSec)}`;
  const logged = `${terabytes(plan.brokerBytes)} (one reply a record: ${terabytes(alone.brokerBytes)})`;
  const read = `${megabytes(reads.shared)}/s when all share each measurement, else ${megabytes(reads.apart)}/s`;
  const waiting = `${billions(plan.waitingRows)}, for ${minutes(plan.catchUpSec)}`;
  const perBroker = `into a real Kafka: ${whole(parts.brokerRepliesPerSec)} replies/s`;
  const logBytes = `${parts.logReplyBytes} bytes a reply, ${parts.logProbeBytes} a probe`;
  const storeBytes = `${parts.storeReplyBytes} bytes a reply, ${parts.storeProbeBytes} a probe`;
  const price = `at ${dollarsPerGbMonth.toFixed(2)} USD for a GB and month: assumed`;
  const cost = `${whole((diskBytes / 1e9) * dollarsPerGbMonth)} USD`;
  return [
    row("what", "figure", "from"),
    "|---|---|---|",
    row("replies a probe", parts.repliesPerProbe.toFixed(2), "`bench disk`, a made-up campaign"),
    row("probes a day", billions(plan.probesPerDay), "replies a day / replies a probe"),
    row("replies/s, mean / all agents at full rate", rates, "probes/s x replies a probe"),
    row("time at full rate a day", minutes(plan.burstSec), "probes a day / probes/s of all agents"),
    row(
      `brokers, ${demand.replicas} replicas, that take full rate`,
      `${plan.brokers}`,
      `\`bench receive\`, ${perBroker}, for each replica`,
    ),
    row(`disk of all brokers, ${demand.brokerDays} day`, logged, `\`bench disk\`: ${logBytes}`),
    row("an agent reads from the broker at full rate", read, "`bench disk`"),
    row(
      "one ingester and store: rows that wait after full rate",
      waiting,
      `\`bench receive\`, rows of the store: ${whole(parts.storeRowsPerSec)}/s`,
    ),
    row("stores that would keep up with full rate", `${plan.storesToKeepUp}`, "the same"),
    row(
      `rows kept ${demand.keptDays} days, on disk`,
      terabytes(plan.storeBytes),
      `\`bench disk\`: ${storeBytes}`,
    ),
    row("disks to have, half free", terabytes(diskBytes), "brokers and store"),
    row("these disks a month", cost, price),
  ];
}

function stops(at: (place: FigurePlace) => number, parts: Measured): string[] {
  const probesPerSec = demand.agents * demand.rateProbesPerSec;
  const agent = at(places.agentProbesPerSec);
  const gateway = at(places.submissionsPerSec) * 10_000;
  const inserts = at(places.insertRowsPerSec);
  const dayRows = parts.storeRowsPerSec * 86_400;
  const ofGateway = `${share(probesPerSec, gateway)} when each probe is for one agent`;
  return [
    row("part", "stops at", "of which this plan uses"),
    "|---|---|---|",
    row(
      "an agent, `packet`: `bench send`",
      `${whole(agent)} probes/s`,
      share(demand.rateProbesPerSec, agent),
    ),
    row("a gateway, submissions of 10,000: `bench gateway`", `${whole(gateway)} probes/s`, ofGateway),
    row(
      "inserts alone, one after another: `bench store`",
      `${whole(inserts)} rows/s`,
      `${share(demand.repliesPerDay / 86_400, inserts)} on average`,
    ),
    row(
      "one ingester and store: `bench receive`",
      `${billions(dayRows)} rows a day`,
      share(demand.repliesPerDay, dayRows),
    ),
  ];
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function billions(value: number): string {
  return `${(value / 1e9).toFixed(2)} billion`;
}

function minutes(sec: number): string {
  return `${Math.round(sec / 60)} min`;
}

function terabytes(bytes: number): string {
  return `${(bytes / 1e12).toFixed(1)} TB`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function share(part: number, all: number): string {
  return `${((100 * part) / all).toFixed(1)} %`;
}

if (import.meta.main) {
  writeFileSync(page, capacityPage());
}
