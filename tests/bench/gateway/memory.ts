/** Peak memory of the gateway while one request brings it millions of probe lines, beside its limit. */
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { agentId, GatewayRig } from "./gateway-rig.ts";

const linesDefault = 10_000_000;
const limitMb = 400;
/** Lines of one piece of the body. */
const pieceLines = 5000;
const subject = "vantage probing-gateway";
const reference = "limit";

/** `count` = lines. Rejects when the submission is refused. */
export async function benchGatewayMemory(options: BenchOptions, folder: string): Promise<BenchReport> {
  const count = options.count ?? linesDefault;
  const peaks: number[] = [];
  const rates: number[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    await using rig = await GatewayRig.start(`${folder}/${round}`);
    const startedAtMs = performance.now();
    await submit(rig, count);
    await published(rig);
    rates.push((1000 * count) / (performance.now() - startedAtMs));
    peaks.push(rig.peakMb());
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  return {
    bench: "gateway-memory",
    what: `${count} probe lines in one request until the broker has them, median of ${options.rounds} rounds`,
    subjects: [subject, reference],
    references: [reference],
    figures: [
      {
        unit: "MB",
        decimals: 0,
        rounds: new Map([
          [subject, peaks],
          [reference, [limitMb]],
        ]),
      },
    ],
    notes: [
      `Probes/s: ${rates.map((rate) => Math.round(rate).toLocaleString("en")).join(", ")}.`,
      "Embedded broker.",
    ],
  };
}

async function submit(rig: GatewayRig, count: number): Promise<void> {
  const response = await fetch(`${rig.gateway.url}api/probes?agents=${agentId}`, {
    method: "POST",
    headers: { "content-type": "text/csv" },
    body: bodyOf(count),
  });
  const said = await response.text();
  if (!response.ok) {
    throw new Error(`The gateway refused ${count} lines: ${response.status} ${said}`);
  }
}

/** Made as it is sent. */
function bodyOf(count: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let made = 0;
  return new ReadableStream({
    pull(controller) {
      const lines = Math.min(pieceLines, count - made);
      if (lines === 0) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(Array.from({ length: lines }, (_, i) => lineOf(made + i)).join("")));
      made += lines;
    },
  });
}

function lineOf(index: number): string {
  const host = `${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  return `10.${host},${24_000 + (index % 1000)},33434,${1 + (index % 32)},udp\n`;
}

async function published(rig: GatewayRig): Promise<void> {
  const open = () => rig.database.sql`SELECT FROM measurements WHERE published_at IS NULL`;
  while ((await open()).length > 0) {
    await Bun.sleep(100);
  }
}
