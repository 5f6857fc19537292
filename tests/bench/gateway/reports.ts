/** How many agents one gateway hears: reports a second, in turns by agents with keys of their own; each sends one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
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
    const script = reportScript(await enrol(rig.gateway.url, `${folder}/${round}`));
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

/** Path and key of each agent. */
async function enrol(url: string, folder: string): Promise<[string, string][]> {
  const admin = readFileSync(join(folder, "state/admin.key"), "utf8").trim();
  const made: [string, string][] = [];
  for (let i = 0; i < agents; i++) {
    const id = `agent-${i}`;
    const { agent_key: key = "" } = await post(`${url}admin/agents`, admin, {
      ...{ id, granted_prefixes: ["192.0.2.0/24"] },
    });
    await post(`${url}agent-api/agent/register`, key, { id, secret: `of ${id}` });
    const instance = { name: "main", instance_id: 1, src_ipv4_prefix: "192.0.2.0/24" };
    await post(`${url}agent-api/agent/${id}/config`, key, [instance]);
    made.push([`/agent-api/agent/${id}/health`, key]);
  }
  return made;
}

async function post(url: string, key: string, body: unknown): Promise<{ readonly agent_key?: string }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) {
    throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  }
  return (await response.json()) as { agent_key?: string };
}

function reportScript(places: readonly (readonly [string, string])[]): string {
  const rows = places.map(([path, key]) => `{"${path}", "Bearer ${key}"}`).join(",\n");
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
