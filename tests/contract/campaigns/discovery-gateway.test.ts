/** Discoveries at a gateway with a column store, over HTTP: every part but the agents is the real one. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { block, unblock } from "../../../apps/probing-gateway/admin/blocked-prefixes.ts";
import { formatAddress } from "../../../lib/ip/address.ts";
import { mix32 } from "../../../lib/probing/mixer.ts";
import { decodeProbe, probeMessageBytes } from "../../../lib/wire/probe-codec.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";

const user = "anna";
let engine: EngineHome;
let home: ResultsHome;

beforeAll(async () => {
  engine = await startEngine("pglite");
  home = await ResultsHome.start(engine);
}, 60_000);
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
}, 60_000);

interface Discovery {
  readonly id: string;
  readonly state: string;
  readonly links: number;
  readonly nodes: number;
  readonly probes_sent: number;
  readonly probes_rest: number | null;
  readonly run_state: string;
  readonly reason: string | null;
  readonly rounds: readonly { readonly round: number; readonly probes: number }[];
  readonly measurement_ids: readonly string[];
}

const asked = {
  agents: "west",
  targets: ["203.0.113.0/24"],
  ttl: "1-6",
  discover: { strategy: "diamond-miner", settle: 1, router_rate: 1000, probes_max: 3000 },
};

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return await home.gateway.json(user, path, init);
}

async function shown(id: string): Promise<Discovery> {
  return (await (await home.get(user, `/api/discoveries/${id}`)).json()) as Discovery;
}

interface Probe {
  readonly destination: string;
  readonly srcPort: number;
  readonly ttl: number;
}

async function probesOf(id: string): Promise<Probe[]> {
  const records = await home.gateway.records(id);
  return records.flatMap(({ value }) =>
    Array.from({ length: value.length / probeMessageBytes }, (_, i) => {
      const read = decodeProbe(value, i * probeMessageBytes);
      if (!read.ok) {
        throw new Error(read.reason);
      }
      const { dst, srcPort, ttl } = read.probe;
      return { destination: formatAddress(dst), srcPort, ttl };
    }),
  );
}

/** Routers at TTL 1 to 4, two of them at TTL 2, three at TTL 3, chosen by each alone; then the target. */
const widths: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 1 };
function answererOf({ destination, srcPort, ttl }: Probe): string {
  const width = widths[ttl];
  const flow = Number(destination.split(".")[3]) + 256 * (srcPort - 24_000);
  const branch = width === undefined ? 0 : mix32(flow, ttl) % width;
  return width === undefined ? destination : `198.51.100.${10 * ttl + branch}`;
}

/** As an agent and the ingester: all of a part, or so many of its probes, were sent and answered. */
async function play(id: string, sent: number | null = null): Promise<Probe[]> {
  let probes: Probe[] = [];
  const { sql } = home.gateway.services.database;
  await eventually(async () => {
    probes = await probesOf(id);
    const [row] = await sql`SELECT probes FROM measurements WHERE measurement_id = ${id}`;
    expect(probes).toHaveLength(Number(row?.probes));
  });
  await home.store.insertProbes(
    probes.map((probe, index) => ({ ...probe, measurement: id, agent: "west", index })),
  );
  const gone = probes.slice(0, sent ?? probes.length);
  await home.store.insertReplies(
    gone.map((probe) => {
      const from = answererOf(probe);
      const rest = { measurement: id, agent: "west", sender: "west/1", source: "192.0.2.1", rttTenthMs: 10 };
      return { ...probe, ...rest, from, ...(from === probe.destination ? { icmp: [3, 3] as const } : {}) };
    }),
  );
  return gone;
}

/** Plays parts as they come until the discovery has ended; gives all probes that were sent. */
async function toTheEnd(id: string, played: Set<string>): Promise<Probe[]> {
  const all: Probe[] = [];
  for (let one = await shown(id); one.state !== "ended"; one = await shown(id)) {
    for (const part of one.measurement_ids.filter((known) => !played.has(known))) {
      played.add(part);
      all.push(...(await play(part)));
      await home.end(part, 60);
    }
    home.gateway.services.campaigns.wake();
    await Bun.sleep(50);
  }
  return all;
}

/** Links that probes have shown, counted the simple way. */
function linksOf(all: readonly Probe[]): number {
  const answerers = new Map(all.map((probe) => [keyOf(probe), answererOf(probe)]));
  const links = all.flatMap((probe) => {
    const far = answerers.get(keyOf({ ...probe, ttl: probe.ttl + 1 }));
    return far === undefined || far === probe.destination ? [] : [`${answererOf(probe)} ${far}`];
  });
  return new Set(links.filter((link) => !link.startsWith("203."))).size;
}

const keyOf = ({ destination, srcPort, ttl }: Probe) => `${destination} ${srcPort} ${ttl}`;

test("says what it will do, measures round after round, and finds all links, with no probe sent twice", async () => {
  const forecast = await post("/api/discoveries/estimate", asked);
  expect(forecast).toMatchObject({
    agents: 1,
    prefixes: 1,
    subnets: 1,
    probes_first_round: 36,
    probes_max: 3000,
  });
  const made = await post("/api/discoveries", asked);
  expect(made).toMatchObject({ status_code: 201 });
  const { id } = made.discovery as Discovery;
  const all = await toTheEnd(id, new Set());
  const last = await shown(id);
  expect(last).toMatchObject({
    run_state: "done",
    links: linksOf(all),
    nodes: 7,
    probes_sent: all.length,
    probes_rest: 0,
  });
  expect(last.rounds.length).toBeGreaterThan(2);
  expect(new Set(all.map(keyOf)).size).toBe(all.length);
}, 120_000);

test("stopped in the middle of a part it goes on with what was not sent, and sends nothing twice", async () => {
  const made = await post("/api/discoveries", { ...asked, name: "held" });
  const { id } = made.discovery as Discovery;
  let part = "";
  await eventually(async () => {
    part = (await shown(id)).measurement_ids[0] ?? "";
    expect(part).not.toBe("");
  });
  const before = await play(part, 15);
  const { sql } = home.gateway.services.database;
  await sql`UPDATE measurement_agents SET sent_probes = 15, status = 'running' WHERE measurement_id = ${part}`;
  expect(await post(`/api/discoveries/${id}/stop`, {})).toMatchObject({ state: "stopped" });
  const [stopped] = await sql`SELECT status FROM measurement_agents WHERE measurement_id = ${part}`;
  expect(stopped?.status).toBe("cancelled");
  await sql`UPDATE measurement_agents SET settled_at = now() WHERE measurement_id = ${part}`;
  await sql`UPDATE measurements SET ended_at = now() - interval '1 min' WHERE measurement_id = ${part}`;
  const steps = await sql`SELECT FROM campaign_steps WHERE campaign_id = ${id} AND state = 'due'`;
  expect(steps).toHaveLength(0);
  expect(await post(`/api/discoveries/${id}/resume`, {})).toMatchObject({ state: "running" });
  const after = await toTheEnd(id, new Set([part]));
  const all = [...before, ...after];
  expect(new Set(all.map(keyOf)).size).toBe(all.length);
  const sent = new Set(all.map(keyOf));
  expect((await probesOf(part)).filter((probe) => !sent.has(keyOf(probe)))).toEqual([]);
  expect(await shown(id)).toMatchObject({ run_state: "done", links: linksOf(all), nodes: 7 });
}, 120_000);

test("every strategy's question to the store is one that it understands", async () => {
  const discover = { ...asked.discover, strategy: "paris", split_ttl: 3 };
  const made = await post("/api/discoveries", {
    ...asked,
    targets: ["203.0.113.0/24", "192.0.2.0/23"],
    discover,
    name: "paris",
  });
  expect(made).toMatchObject({ status_code: 201 });
  const { id } = made.discovery as Discovery;
  const all = await toTheEnd(id, new Set());
  expect(await shown(id)).toMatchObject({ run_state: "done", reason: null });
  // The stop set: only one of the paths goes back to the first router.
  expect(all.filter(({ ttl }) => ttl === 1)).toHaveLength(1);
  // A flow's TTLs are asked in different rounds, and a link joins them.
  const path = `/api/campaigns/${id}/links?limit=1000&format=json`;
  const rows = (await (await home.get(user, path)).json()) as { readonly far_addr: string }[];
  const between = rows.filter(({ far_addr }) => !/^(203|192)\./.test(far_addr));
  expect(linksOf(all)).toBeGreaterThan(2);
  expect(between).toHaveLength(linksOf(all));
}, 120_000);

test("subnets that must not be probed are left out and named; with nothing left it is refused", async () => {
  const { database, safety } = home.gateway.services;
  const blocked = ["203.0.113.7/32", "192.0.2.0/24"];
  await Promise.all(blocked.map((prefix) => block(database, "ada", prefix, "asked to")));
  safety.destinationsChanged();
  const targets = ["203.0.112.0/23", "192.0.2.0/25"];
  const forecast = await post("/api/discoveries/estimate", { ...asked, targets });
  expect(forecast).toMatchObject({ prefixes: 2, subnets: 3, left_out_subnets: 2, probes_first_round: 36 });
  expect(forecast.left_out).toEqual([
    { subnet: "192.0.2.0/25", reason: "it lies in 192.0.2.0/24, which must not be probed" },
    { subnet: "203.0.113.0/24", reason: "it holds 203.0.113.7/32, which must not be probed" },
  ]);
  const made = await post("/api/discoveries", { ...asked, targets, name: "left out" });
  const all = await toTheEnd((made.discovery as Discovery).id, new Set());
  expect(new Set(all.map(({ destination }) => destination.replace(/[0-9]+$/, "0")))).toEqual(
    new Set(["203.0.112.0"]),
  );
  const none = await post("/api/discoveries/estimate", { ...asked, targets: ["203.0.113.0/24"] });
  expect(none).toMatchObject({ status_code: 422 });
  await Promise.all(blocked.map((prefix) => unblock(database, "ada", prefix)));
  safety.destinationsChanged();
}, 120_000);

test("the command says what it would do, waits to the end, and shows rounds; errors name their place", async () => {
  await using server = home.listen();
  const vantage = async (...args: string[]) => {
    const child = Bun.spawn([...vantageCommand, "discover", ...args], {
      env: { PATH: process.env.PATH, VANTAGE_GATEWAY: server.url, VANTAGE_TOKEN: user },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { out, err, code: await child.exited };
  };
  const common = ["--ttl", "1-6", "--settle", "1", "--router-rate", "1000", "--probes-max", "3000"];
  const order = ["-a", "west", "--targets", "203.0.113.0/24", "--strategy", "diamond-miner", ...common];
  const [check, bad, strategy, agent] = await Promise.all([
    vantage(...order, "--check", "-o", "json"),
    vantage("-a", "west", "--targets", "203.0.113.0/33"),
    vantage("-a", "west", "--targets", "203.0.113.0/24", "--strategy", "fast"),
    vantage("-a", "nobody", "--targets", "203.0.113.0/24"),
  ]);
  expect([check.code, JSON.parse(check.out)]).toMatchObject([0, { prefixes: 1, probes_first_round: 36 }]);
  expect([bad.code === 0, bad.err]).toEqual([false, expect.stringContaining("203.0.113.0/33")]);
  expect([strategy.code, strategy.err]).toEqual([2, expect.stringContaining("fast")]);
  expect([agent.code, agent.err]).toEqual([1, expect.stringContaining("nobody")]);
  const waiting = vantage(...order, "--name", "by command", "--wait", "-o", "json");
  let id = "";
  await eventually(async () => {
    const list = (await (await home.get(user, "/api/discoveries?limit=1")).json()) as {
      id: string;
      name: string;
    }[];
    id = list[0]?.name === "by command" ? list[0].id : "";
    expect(id).not.toBe("");
  });
  const all = await toTheEnd(id, new Set());
  const done = await waiting;
  expect(done.err).toContain("Ctrl-C ends this look, not the discovery");
  expect([done.code, JSON.parse(done.out)]).toMatchObject([0, { run_state: "done", links: linksOf(all) }]);
  const [shows, stop] = await Promise.all([vantage("show", "by command", "-o", "json"), vantage("stop", id)]);
  expect([shows.code, shows.out]).toEqual([0, expect.stringContaining('"round"')]);
  expect([stop.code, stop.err]).toEqual([1, expect.stringContaining("ended")]);
}, 120_000);

test("targets that cannot be read, too many, or of another user are refused", async () => {
  expect(await post("/api/discoveries", { ...asked, targets: ["::/0"] })).toMatchObject({ status_code: 422 });
  expect(await post("/api/discoveries", { ...asked, targets: ["x"] })).toMatchObject({ status_code: 422 });
  const none = await home.get(user, `/api/discoveries/${crypto.randomUUID()}`);
  expect(none.status).toBe(404);
});
