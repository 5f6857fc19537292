/** How many agents one gateway hears: reports a second, in turns by agents with keys of their own; each sends one. */
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { agentPath, enrol } from "./enrol.ts";
import { GatewayRig } from "./gateway-rig.ts";
import { runWrk } from "./wrk.ts";

const agents = 500;
const secondsDefault = 10;
const report = { healthy: true, message: null, report_interval_ms: 1000 };

/** `count` = seconds of each load. Rejects when a report is refused. */
export async function benchReports(options: BenchOptions, folder: string): Promise<BenchReport> {
  const seconds = options.count ?? secondsDefault;
  const [perSec, p99Ms, memoryMb]: [number[], number[], number[]] = [[], [], []];
  for (let round = 1; round <= options.rounds; round++) {
    await using rig = await GatewayRig.start(`${folder}/${round}`);
    const script = reportScript(await enrol(rig.gateway.url, { folder: `${folder}/${round}`, agents }));
    const result = await runWrk({ url: rig.gateway.url, body: null, script, seconds, folder });
    perSec.push(result.requestsPerSec);
    p99Ms.push(result.p99Ms);
    memoryMb.push(rig.peakMb());
    process.stderr.write(`round ${round} of ${options.rounds}\n`);
  }
  const figure = (unit: string, values: number[]) => ({
    unit,
    decimals: 1,
    rounds: new Map([["vantage", values]]),
  });
  return {
    bench: "reports",
    what: `Reports of ${agents} agents in turns, ${seconds} s, median of ${options.rounds} rounds`,
    subjects: ["vantage"],
    references: [],
    figures: [figure("reports/s", perSec), figure("p99 ms", p99Ms), figure("MB", memoryMb)],
    notes: ["One core for the gateway; PostgreSQL and wrk on the other."],
  };
}

function reportScript(keys: readonly string[]): string {
  const rows = keys.map((key, n) => `{"${agentPath(n)}/health", "Bearer ${key}"}`).join(",\n");
  return `
    local places = {${rows}}
    local next = 0
    wrk.headers["Content-Type"] = "application/json"
    request = function()
      next = next % #places + 1
      wrk.headers["Authorization"] = places[next][2]
      return wrk.format("POST", places[next][1], nil, '${JSON.stringify(report)}')
    end
  `;
}
