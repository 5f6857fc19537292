/**
 * The collector: full tables of an exchange's peers in memory, look-ups in them, and updates from a router's connection
 * to rows in the store, all on this machine.
 */
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { LabError } from "../../lab/namespaces.ts";
import { freePortsFor } from "../../server/free-ports.ts";
import { linesOf } from "../lines.ts";
import type { BenchOptions } from "../options.ts";
import { peakKbOf, treeOf, usageOf } from "../pipeline/process-usage.ts";
import { StackRig } from "../receive/stack-rig.ts";
import type { BenchReport } from "../report.ts";
import { bmpMessage, updateMessage } from "./told-routes.ts";

const updatesDefault = 1_000_000;
const prefixes = 200_000;
const peers = 10;
const lookEveryMs = 50;
/** Updates that are written at once. */
const piece = 2000;
const settleMsMax = 300_000;

const subject = "vantage collector";
const vantage = join(import.meta.dirname, "../../../apps/vantage.ts");

interface TableFigures {
  readonly paths: number;
  readonly attributes: number;
  readonly pathsPerSec: number;
  readonly peakMb: number;
  readonly exactMs: number;
  readonly longestMs: number;
  readonly moreMs: number;
}

interface RateFigures {
  readonly rowsPerSec: number;
  readonly peakMb: number;
  /** CPU time of each row. */
  readonly collectorUs: number;
  readonly stackUs: number;
}

/** `--count` is the number of updates; the table is as large for a million of them, and smaller with fewer. */
export async function benchRoutes(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? updatesDefault;
  const own = Math.min(prefixes, count);
  const tables: TableFigures[] = [];
  const rates: RateFigures[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    tables.push(await tableFigures(own));
    rates.push(await rowsPerSec(join(folder, String(round)), count));
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const figure = (unit: string, decimals: number, values: readonly number[]) => ({
    ...{ unit, decimals, rounds: new Map([[subject, values]]) },
  });
  const ofTable = (of: (table: TableFigures) => number) => tables.map(of);
  return {
    bench: "routes",
    what: `${count} updates by BMP to rows; ${own} prefixes from ${peers} peers; median of ${options.rounds} rounds`,
    subjects: [subject],
    references: [],
    figures: [
      figure(
        "rows/s",
        0,
        rates.map((one) => one.rowsPerSec),
      ),
      figure(
        "peak MB of the collector",
        0,
        rates.map((one) => one.peakMb),
      ),
      figure(
        "CPU µs a row, collector",
        1,
        rates.map((one) => one.collectorUs),
      ),
      figure(
        "CPU µs a row, ingester and store",
        1,
        rates.map((one) => one.stackUs),
      ),
      figure(
        "paths/s into the table",
        0,
        ofTable((one) => one.pathsPerSec),
      ),
      figure(
        "peak MB of the tables",
        0,
        ofTable((one) => one.peakMb),
      ),
      figure(
        "ms, a prefix",
        3,
        ofTable((one) => one.exactMs),
      ),
      figure(
        "ms, an address",
        3,
        ofTable((one) => one.longestMs),
      ),
      figure(
        "ms, a /20 with its more specific ones",
        3,
        ofTable((one) => one.moreMs),
      ),
    ],
    notes: [
      "Rows: from the first byte of the router to the last row that the ingester has put into the store.",
      "Look-ups: of 20,000, the slowest but one in a hundred.",
      `${tables[0]?.attributes ?? 0} different sets of attributes in ${tables[0]?.paths ?? 0} paths.`,
    ],
  };
}

async function tableFigures(own: number): Promise<TableFigures> {
  const script = join(import.meta.dirname, "table-subject.ts");
  const child = Bun.spawn([process.execPath, script, String(own), String(peers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await new Response(child.stdout).text()) as TableFigures;
}

async function rowsPerSec(folder: string, count: number): Promise<RateFigures> {
  const told = toldUpdates(count);
  await using stack = await StackRig.start();
  const ports = freePortsFor("http", "bmp");
  const file = `${folder}.yaml`;
  writeFileSync(
    file,
    `collector: {address: "127.0.0.1:${ports.http}", state_dir: "${folder}-state"}
bmp: {address: "127.0.0.1:${ports.bmp}", routers: [127.0.0.1]}
kafka: {brokers: "${stack.broker}"}
`,
  );
  const child = Bun.spawn([process.execPath, vantage, "collector", "-c", file], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    await serving(child.stderr, child.stdout);
    const before = [cpuSecOf(child.pid), cpuSecOf(stack.pid)] as const;
    const startedAtMs = performance.now();
    await speak(ports.bmp, told);
    const deadlineMs = startedAtMs + settleMsMax;
    while ((await stack.storedUpdates()) < count) {
      if (performance.now() > deadlineMs) {
        throw new LabError(`${await stack.storedUpdates()} of ${count} updates were stored`);
      }
      await Bun.sleep(lookEveryMs);
    }
    const elapsedSec = (performance.now() - startedAtMs) / 1000;
    return {
      rowsPerSec: count / elapsedSec,
      peakMb: (peakKbOf(child.pid) * 1024) / 1e6,
      collectorUs: ((cpuSecOf(child.pid) - before[0]) * 1e6) / count,
      stackUs: ((cpuSecOf(stack.pid) - before[1]) * 1e6) / count,
    };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

/** Its log says when routers may connect; what comes behind is read, so that it never waits for a reader. */
async function serving(...streams: ReadableStream<Uint8Array>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const stream of streams) {
    void (async () => {
      for await (const line of linesOf(stream)) {
        if (line.includes('"Serving"')) {
          resolve();
        }
      }
    })();
  }
  await promise;
}

function cpuSecOf(root: number): number {
  return treeOf(root).reduce((sum, pid) => sum + usageOf(pid).cpuSec, 0);
}

/** One prefix an update, in turns of all prefixes and peers; made before the clock runs. */
function toldUpdates(count: number): Buffer[] {
  return Array.from({ length: Math.ceil(count / piece) }, (_, nth) => {
    const first = nth * piece;
    const messages = Array.from({ length: Math.min(piece, count - first) }, (_one, i) => {
      const peer = 1 + ((first + i) % peers);
      const index = Math.floor((first + i) / peers) % prefixes;
      return bmpMessage(peer, updateMessage(peer, index, 1, index * 7 + peer));
    });
    return Buffer.concat(messages);
  });
}

async function speak(port: number, told: readonly Buffer[]): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  for (const bytes of told) {
    if (!socket.write(bytes)) {
      await new Promise((resolve) => socket.once("drain", resolve));
    }
  }
  socket.end();
}
