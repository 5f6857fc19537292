/**
 * `vantage experiment run` at both gateways: what it does once, whatever kills it, and what it leaves behind. The
 * user's client stack and the agents are played; gateways, databases, column store and the command are the real ones.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSweep } from "../../../apps/peering-gateway/sweep.ts";
import { openDatabase } from "../../../lib/store/postgres/open.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { DiscoveryNetwork } from "../campaigns/discovery-network.ts";
import { PeeringHome } from "../peering-gateway/peering-home.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const user = "anna";
const targets = [1, 2, 3, 4].map((host) => `2001:db8:9::${host}`);
const folder = mkdtempSync(join(tmpdir(), "vantage-experiment-"));

let engine: EngineHome;
let probing: ResultsHome;
let peering: PeeringHome;
let owned: AsyncDisposableStack;
let variables: Record<string, string | undefined>;

beforeAll(async () => {
  await using undo = new AsyncDisposableStack();
  engine = undo.use(await startEngine("pglite"));
  probing = undo.use(await ResultsHome.start(engine));
  const database = undo.use(await openDatabase(await engine.freshDatabase(), { applicationName: "test" }));
  peering = undo.use(
    await PeeringHome.start({
      database,
      leases: '{ pool: ["2001:db8:100::/40"], per_user_max: 8 }',
      yaml: "announcements: { prefix_minutes: 0, per_hour_max: 100 }",
    }),
  );
  undo.use(startSweep(peering.services));
  const gateway = undo.use(probing.listen());
  const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => peering.app.fetch(request) });
  undo.defer(() => other.stop(true));
  variables = {
    PATH: process.env.PATH,
    VANTAGE_GATEWAY: gateway.url,
    VANTAGE_PEERING_GATEWAY: `http://127.0.0.1:${other.port}`,
    VANTAGE_TOKEN: user,
  };
  owned = undo.move();
}, 60_000);
afterAll(async () => {
  await owned?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

function vantage(...args: string[]) {
  const child = Bun.spawn([...vantageCommand, "experiment", ...args], {
    env: variables,
    stdout: "pipe",
    stderr: "pipe",
  });
  const ended = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]).then(([out, err, code]) => ({ out, err, code }));
  return { child, ended };
}

/** A file with two catchments, 4 s apart, of a prefix that is announced at two sites. */
async function experimentFile(name: string, probe = "catchment: { after: 1, times: 2, every: 4 }") {
  const prefix = await peering.lease(user, 2);
  for (const agent of ["west", "east"]) {
    await addAgent(probing.gateway, agent, { prefixes: ["2001:db8:1234::/48", prefix] });
  }
  const path = join(folder, `${name}.yaml`);
  writeFileSync(
    path,
    `experiment: ${name}
prefix: "${prefix}"
probe: { agents: [west, east], targets: ["${targets.join('", "')}"], protocol: udp }
steps:
  - { at: 0, announce: { sites: [ixp-1], prepend: 1 } }
  - { at: 0, announce: { sites: [ixp-2], prepend: 2 }, probe: { ${probe} } }
`,
  );
  return { path, prefix, journal: `${path}.journal` };
}

const runOptions = ["--interval", "5s", "--settle", "1s"];

async function announced(prefix: string): Promise<string[]> {
  const { body } = await peering.ask(user, "GET", "/api/announcements");
  const rows: { prefix: string; server: string; announce: boolean; prepend: number }[] = body.announcements;
  return rows
    .filter((row) => row.prefix === prefix && row.announce)
    .map((row) => `${row.server} ${row.prepend}`)
    .sort();
}

/** As the client stack: all that is wished for has been done, and the exchange has taken it. */
async function report(): Promise<void> {
  const { body } = await peering.ask(user, "GET", "/api/announcements");
  const now = String(BigInt(Date.now()) * 1_000_000n);
  const states = body.announcements.map((row: Record<string, unknown>) => {
    const { until: _until, version: _version, asked_ns: _asked, ...state } = row;
    const times = { daemon_ns: now, daemon_reason: null, exchange_ns: now, exchange_reason: null };
    return { ...state, ...times, exchange: row.announce ? "accepted" : "withdrawn", heard_by: [] };
  });
  await peering.ask(user, "PUT", "/api/announcement-report", {
    version: body.version,
    taken_ns: now,
    states,
  });
}

/** In the first round the last target is at east, from the second on two are. */
const siteOf = (target: string, round: number) =>
  Number(target.split("::")[1]) > targets.length - 1 - round ? "east" : "west";

/** Answers measurements as they come, as agents and the ingester would; gives what was sent, by measurement. */
class PlayedAgents {
  readonly sent: string[][] = [];
  readonly #network = new DiscoveryNetwork(probing);
  #isOver = false;

  async play(): Promise<void> {
    const { sql } = probing.gateway.services.database;
    const ids = async () => {
      const rows = await sql<{ id: string }[]>`SELECT measurement_id::text AS id FROM measurements`;
      return rows.map(({ id }) => id);
    };
    const seen = new Set(await ids());
    while (!this.#isOver) {
      await report();
      for (const id of (await ids()).filter((one) => !seen.has(one))) {
        seen.add(id);
        const probes = await this.#network.probesOf(id);
        const round = this.sent.push(probes.map(({ destination }) => destination)) - 1;
        await probing.store.insertProbes(
          probes.map((probe, index) => ({ ...probe, measurement: id, agent: "west", index })),
        );
        await probing.store.insertReplies(
          probes.map((probe) => ({
            ...{ ...probe, measurement: id, sender: "west/1", source: "2001:db8:100::1", rttTenthMs: 10 },
            ...{ from: probe.destination, agent: siteOf(probe.destination, round), icmp: [3, 3] as const },
          })),
        );
        await probing.end(id, 1);
      }
      await Bun.sleep(100);
    }
  }

  end(): void {
    this.#isOver = true;
  }
}

async function played(act: (agents: PlayedAgents) => Promise<void>): Promise<void> {
  const agents = new PlayedAgents();
  const playing = agents.play();
  try {
    await act(agents);
  } finally {
    agents.end();
    await playing;
  }
}

/** Changes that the user has left in this hour. */
async function changesLeft(): Promise<number> {
  return (await peering.ask(user, "GET", "/api/announcements")).body.budget.left;
}

test("announces, asks, tells who catches what, and withdraws; killed in the middle it goes on", async () => {
  const { path, prefix, journal } = await experimentFile("catchments");
  await played(async (agents) => {
    const before = await changesLeft();
    const first = vantage("run", path, ...runOptions);
    await eventually(() =>
      Promise.resolve(
        expect(readFileSync(join(journal, "journal.ndjson"), "utf8")).toContain('"kind":"round"'),
      ),
    );
    expect(await announced(prefix)).toEqual(["ixp-1 1", "ixp-2 2"]);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await vantage("run", path, ...runOptions).ended;
    expect([second.code, second.err]).toEqual([0, expect.stringContaining("Ended: finished")]);
    expect(agents.sent).toEqual([targets, targets]);
    expect(await announced(prefix)).toEqual([]);
    // Going on, nothing was announced anew: one change for both sites, each in its own way, and the withdrawal.
    expect(await changesLeft()).toBe(before - 2);
  });
  const [show, timeline, again] = await Promise.all([
    vantage("show", journal, "-o", "json").ended,
    vantage("timeline", journal, "-o", "json").ended,
    vantage("run", path, ...runOptions).ended,
  ]);
  const rows: { round: number; site: string; targets: number; moved_here: number | null }[] = JSON.parse(
    show.out,
  );
  const both = "ixp-1 +1, ixp-2 +2";
  expect(rows.filter(({ targets: count }) => count > 0).map((row) => Object.values(row))).toEqual([
    [0, both, "east", 1, null],
    [0, both, "west", 3, null],
    [1, both, "east", 2, 1],
    [1, both, "west", 2, 0],
  ]);
  const events: { plane: string; subject: string; event: string }[] = JSON.parse(timeline.out);
  const kinds = new Set(events.map(({ plane, subject, event }) => `${plane} ${event} ${subject}`));
  for (const kind of ["control asked ixp-1", "control daemon ixp-1", "control exchange ixp-2"]) {
    expect([...kinds]).toContain(kind);
  }
  expect(events.filter(({ event }) => event === "catchment").map(({ subject }) => subject)).toEqual([
    "round 0",
    "round 1",
  ]);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("has ended: finished")]);
}, 120_000);

test("what a killed command has announced ends by itself within two intervals", async () => {
  const { path, prefix } = await experimentFile("dead", "catchment: { after: 300 }");
  const { child, ended } = vantage("run", path, ...runOptions);
  await eventually(async () => expect(await announced(prefix)).toHaveLength(2));
  // It has been renewed at least once.
  await Bun.sleep(7000);
  expect(await announced(prefix)).toHaveLength(2);
  child.kill("SIGKILL");
  await ended;
  const killedMs = Date.now();
  while ((await announced(prefix)).length > 0) {
    expect(Date.now() - killedMs).toBeLessThan(12_000);
    await Bun.sleep(100);
  }
}, 60_000);

test("stop withdraws at once, whether the command is alive or not, and Ctrl-C does", async () => {
  const alive = await experimentFile("alive", "catchment: { after: 300 }");
  const running = vantage("run", alive.path, ...runOptions);
  await eventually(async () => expect(await announced(alive.prefix)).toHaveLength(2));
  expect((await vantage("stop", alive.journal).ended).code).toBe(0);
  expect(await announced(alive.prefix)).toEqual([]);
  expect((await running.ended).err).toContain("Ended: stopped");
  const dead = await experimentFile("gone", "catchment: { after: 300 }");
  const killed = vantage("run", dead.path, ...runOptions);
  await eventually(async () => expect(await announced(dead.prefix)).toHaveLength(2));
  killed.child.kill("SIGKILL");
  await killed.ended;
  expect((await vantage("stop", dead.journal).ended).code).toBe(0);
  expect(await announced(dead.prefix)).toEqual([]);
  const left = await experimentFile("left", "catchment: { after: 300 }");
  const interrupted = vantage("run", left.path, ...runOptions);
  await eventually(async () => expect(await announced(left.prefix)).toHaveLength(2));
  interrupted.child.kill("SIGINT");
  expect((await interrupted.ended).code).toBe(130);
  expect(await announced(left.prefix)).toEqual([]);
}, 120_000);

test("what may not run says why, and announces nothing", async () => {
  const { path, prefix } = await experimentFile("long", "catchment: { after: 2h }");
  const { code, err } = await vantage("run", path, ...runOptions).ended;
  expect([code, err]).toEqual([1, expect.stringContaining("renew it first")]);
  const { path: other } = await experimentFile("elsewhere");
  await addAgent(probing.gateway, "east", { prefixes: ["2001:db8:1234::/48"] });
  const elsewhere = await vantage("run", other, ...runOptions).ended;
  expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("gives you no address in")]);
  expect(await announced(prefix)).toEqual([]);
}, 60_000);
