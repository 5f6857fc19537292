/**
 * `bench exchange-size`: an exchange of many users, with ever more sessions that are up, each with a route: what grows
 * with which, and where it stops. Every session gets the routes of all others, so BIRD's work grows with the square.
 */
import { readHeadscaleNodes } from "../../../lib/peering/policy/headscale-nodes.ts";
import { joinDevices } from "../../../lib/peering/policy/join.ts";
import { readMappings } from "../../../lib/peering/policy/mapping.ts";
import { policyAt } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { issuer, mappingsAnswer, nodesAnswer, type SampleUser, sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import type { BenchOptions } from "../options.ts";
import type { BenchReport } from "../report.ts";
import { HealthWatch } from "./health-watch.ts";
import { parseMs, pool, routesIn, SizeRig } from "./size-rig.ts";

const usersDefault = 10_000;
/** Sessions that are up, one after the other; more than users are left out. */
const steps = [1000, 2000, 4000, 6000, 8000, 10_000];
/** Milliseconds for a step's sessions to come up, and for its routes to be everywhere: more is too many sessions. */
const stepMsMax = 120_000;
/** Time for the generator to hear of a lease's end before it comes. */
const noticeMs = 8000;
const goneMsMax = 120_000;

const figures = [
  { unit: "s until all are up, routes at the upstream", decimals: 0 },
  { unit: "ms to make the policy", decimals: 0 },
  { unit: "ms bird -p", decimals: 0 },
  { unit: "ms configure", decimals: 0 },
  { unit: "s from a lease's end to no route at the upstream", decimals: 1 },
  { unit: "ms GET /health, slowest", decimals: 0 },
  { unit: "MB BIRD", decimals: 0 },
  { unit: "MB generator", decimals: 0 },
] as const;
type Unit = (typeof figures)[number]["unit"];

export async function benchExchangeSize(options: BenchOptions, folder: string): Promise<BenchReport> {
  const users = Array.from({ length: options.count ?? usersDefault }, (_, n) => userOf(n));
  await using rig = await SizeRig.start(folder, users);
  await using health = new HealthWatch(rig.url);
  await until("the policy", () => policyUsers(rig) === users.length, stepMsMax);
  const found = new Map<string, Map<Unit, number[]>>();
  const notes = [
    `Policy of ${users.length} users; rounds of a row are rounds of all but the first and the memory.`,
  ];
  let up = 0;
  for (const count of sessionCounts(users.length)) {
    const row = new Map<Unit, number[]>();
    try {
      row.set(figures[0].unit, [await bringUp(rig, users.slice(up, count), count)]);
      for (let round = 0; round < options.rounds; round++) {
        await measure({ rig, users, health, row, user: users[round] });
      }
    } catch (error) {
      notes.push(`It stops at ${count} sessions: ${error instanceof Error ? error.message : String(error)}`);
      notes.push(`${rig.sessionsUp} sessions were up.`);
      break;
    }
    row.set("MB BIRD", [rig.peakMb("exchange.conf")]).set("MB generator", [rig.peakMb("generator.yaml")]);
    found.set(`${count} sessions`, row);
    up = count;
    process.stderr.write(
      `${count} sessions: ${[...row].map(([unit, values]) => `${values.map(Math.round)} ${unit}`).join("; ")}\n`,
    );
  }
  notes.push(`/health said: ${health.said()}.`);
  return {
    bench: "exchange-size",
    what: `An exchange with ${users.length} users, by sessions that are up, each with a route`,
    subjects: [...found.keys()],
    references: [],
    figures: figures.map(({ unit, decimals }) => ({
      unit,
      decimals,
      rounds: new Map([...found].map(([subject, row]) => [subject, row.get(unit) ?? []])),
    })),
    notes,
  };
}

function sessionCounts(users: number): number[] {
  const fitting = steps.filter((count) => count <= users);
  return fitting.length === 0 ? [users] : fitting;
}

function userOf(n: number): SampleUser {
  const address = `100.64.${128 + (n >> 8)}.${n & 255}`;
  return sampleUser(n, { asn: pool.start + n, devices: [[address]] });
}

/** Users of the policy that is on disk: the generator's first one has nobody. */
function policyUsers(rig: SizeRig): number {
  return rig.policy().match(/^ {2}# User: /gm)?.length ?? 0;
}

/** Seconds. */
async function bringUp(rig: SizeRig, users: readonly SampleUser[], count: number): Promise<number> {
  const startMs = performance.now();
  rig.dial(
    users.map(({ asn, devices, leases }) => ({
      asn,
      source: devices[0]?.[0] ?? "",
      prefix: leases[0]?.prefix ?? "",
    })),
  );
  await until(`${count} sessions`, () => rig.sessionsUp >= count, stepMsMax);
  await until("their routes upstream", async () => (await routesIn(rig.upstream, "")) === count, stepMsMax);
  return (performance.now() - startMs) / 1000;
}

interface Moment {
  readonly rig: SizeRig;
  readonly users: readonly SampleUser[];
  readonly health: HealthWatch;
  readonly row: Map<Unit, number[]>;
  readonly user: SampleUser | undefined;
}

/** The user's lease ends, and comes back. */
async function measure({ rig, users, health, row, user }: Moment): Promise<void> {
  const add = (unit: Unit, value: number) => row.set(unit, [...(row.get(unit) ?? []), value]);
  health.begin();
  add("ms to make the policy", await timed(() => makePolicy(users)));
  add("ms bird -p", await parseMs(rig.configFile));
  add("ms configure", await timed(() => rig.exchange.ask("configure")));
  const [lease] = user?.leases ?? [];
  const endMs = Math.ceil((Date.now() + noticeMs) / 1000) * 1000;
  const ending = { prefix: lease?.prefix ?? "", end_time: new Date(endMs).toISOString() };
  rig.sources.change(users.map((one) => (one === user ? { ...one, leases: [ending] } : one)));
  await Bun.sleep(endMs - Date.now());
  await until("no route upstream", async () => !(await rig.upstream.hears(ending.prefix)), goneMsMax);
  add("s from a lease's end to no route at the upstream", (Date.now() - endMs) / 1000);
  rig.sources.change(users);
  await until("the route again", () => rig.upstream.hears(ending.prefix), goneMsMax);
  add("ms GET /health, slowest", health.slowestMs);
}

async function timed(work: () => unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function makePolicy(users: readonly SampleUser[]): string {
  const mappings = readMappings(mappingsAnswer(users), pool)?.mappings ?? [];
  const nodes = readHeadscaleNodes(nodesAnswer(users))?.nodes ?? [];
  const membership = joinDevices({ mappings, nodes, excluded: [] }, { issuer, allowEmailJoin: false });
  return policyText(
    policyAt(membership, { nowMs: Date.now(), suspended: new Map(), held: new Map(), emails: new Map() }),
  ).text;
}
