/** Holds what was accepted against the wire and the store, probe by probe, and says in which fault it went wrong. */
import { batchPacketsMax } from "../../ffi/capture.ts";
import { type KillTrace, traceKill } from "./kill-trace.ts";
import type { Played } from "./play.ts";
import { dstPortFirst, indexOf, probesPerPort } from "./probe-space.ts";
import type { Scene } from "./scene.ts";
import { noSums, type Sums, sumUp, Tally } from "./tally.ts";
import type { WireLog } from "./wire-log.ts";

interface Account {
  /** For each fault, the probes that were last on the wire from then to the next fault. */
  readonly byFault: readonly Sums[];
  /** A trace for each fault that killed an agent; null for the others. */
  readonly traces: readonly (KillTrace | null)[];
  /** Before the first fault, and never. */
  readonly outside: Sums;
  /** Packets that no submission asked for. */
  readonly strangers: number;
  /** Submitted probes that are not in the store, or there without having been submitted. */
  readonly wrongProbeRows: number;
}

/** What has left so shortly before a fault may still be on its way through agent and broker when it comes. */
const leadMs = 3000;

export async function account(scene: Scene, played: readonly Played[], wire: WireLog): Promise<Account> {
  const tallies = new Map<string, Tally>();
  const bySource = new Map<string, Tally>();
  for (const { measuring, size, submitted } of scene.campaigns) {
    for (const { id, source } of measuring.plan.agents) {
      const tally = new Tally(size);
      tallies.set(id, tally);
      bySource.set(source, tally);
      for (const { from, to } of submitted.filter(({ agents }) => agents.includes(id))) {
        tally.want(from, to);
      }
    }
  }
  let strangers = 0;
  await wire.readProbes((source, index, atMs) => {
    const tally = bySource.get(source);
    strangers += tally?.wanted[index] === 1 ? 0 : 1;
    tally?.sent(index, atMs);
  });
  await wire.readAnswers((source, index) => bySource.get(source)?.heard(index));
  await readRows(scene, tallies);
  const byFault = played.map(noSums);
  const outside = noSums();
  const indexAt = (ms: number) => played.findLastIndex(({ struckAtMs }) => struckAtMs - leadMs <= ms);
  const killBefore = (ms: number) =>
    played.findLastIndex(({ fault, struckAtMs }) => fault.killsAgent && struckAtMs - leadMs <= ms);
  const periods = {
    at: (ms: number) => byFault[indexAt(ms)] ?? outside,
    between: (firstMs: number, lastMs: number) => {
      const kill = killBefore(lastMs);
      const isByKill = (played[kill]?.struckAtMs ?? 0) >= firstMs - leadMs;
      return byFault[isByKill ? kill : indexAt(lastMs)] ?? outside;
    },
  };
  for (const tally of tallies.values()) {
    sumUp(tally, periods);
  }
  const traces = await traceKills(scene, played, tallies, wire);
  return { byFault, traces, outside, strangers, wrongProbeRows: await wrongProbeRows(scene) };
}

async function traceKills(
  { campaigns }: Scene,
  played: readonly Played[],
  tallies: ReadonlyMap<string, Tally>,
  wire: WireLog,
): Promise<(KillTrace | null)[]> {
  const kills = played.map(({ fault }) => fault.kill?.() ?? null);
  const agents = campaigns.flatMap(({ measuring }) => measuring.plan.agents);
  const heard = agents
    .filter(({ id }) => kills.some((kill) => kill?.agentId === id))
    .map(({ id, source }) => ({ id, source, indices: [] as number[], atMs: [] as number[] }));
  await wire.readAnswers((source, index, at) => {
    const own = heard.find((one) => one.source === source);
    own?.indices.push(index);
    own?.atMs.push(at);
  });
  return kills.map((kill) => {
    const arrivals = heard.find(({ id }) => id === kill?.agentId);
    const rows = tallies.get(kill?.agentId ?? "")?.rows;
    return kill === null || arrivals === undefined || rows === undefined
      ? null
      : traceKill(kill, arrivals, rows, batchPacketsMax);
  });
}

/** A destination port at a time: the rows of all of them are some hundred megabytes of text. */
async function readRows({ engines, campaigns }: Scene, tallies: ReadonlyMap<string, Tally>): Promise<void> {
  await using store = await engines.openStore();
  const query = `
    SELECT agent_id, probe_src_port, probe_dst_port, count() FROM measure.replies
    WHERE reply_icmp_type = 11 AND probe_dst_port = {port:UInt16} GROUP BY ALL`;
  const probes = Math.max(...campaigns.flatMap(({ submitted }) => submitted.map(({ to }) => to)));
  for (let port = dstPortFirst; port <= dstPortFirst + probes / probesPerPort; port++) {
    const found = await store.client.query({ query, query_params: { port }, format: "TabSeparated" });
    for (const line of (await found.text()).split("\n")) {
      const [agent = "", srcPort, dstPort, rows] = line.split("\t");
      tallies.get(agent)?.stored(indexOf(Number(srcPort), Number(dstPort)), Number(rows));
    }
  }
}

/** Each submission's probes are in the store once for each of its agents. */
async function wrongProbeRows({ campaigns, engines }: Scene): Promise<number> {
  const found = await engines.rows<{ id: string; rows: string }>(
    "SELECT toString(measurement_id) AS id, uniqExact(agent_id, probe_index) AS rows FROM measure.probes GROUP BY id",
  );
  const rows = new Map(found.map((one) => [one.id, Number(one.rows)]));
  const submitted = campaigns.flatMap((campaign) => campaign.submitted);
  return submitted.reduce(
    (sum, { id, from, to, agents }) => sum + Math.abs((rows.get(id) ?? 0) - (to - from) * agents.length),
    0,
  );
}
