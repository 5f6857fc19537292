/**
 * Discoveries at a gateway with a column store, over HTTP: every part but the agents is the real one.
 *
 * @alone: one of the longest
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { block, unblock } from "../../../apps/probing/gateway/admin/blocked-prefixes.ts";
import { migrate } from "../../../lib/engines/store/clickhouse/migrate.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { isLongRun } from "../../run/tier.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";
import { hasOlderVersions, OlderStore } from "../store/older/older-store.ts";
import { sqlValues } from "../store/processes.ts";
import { askedDiscovery, commandOrder, ran } from "./discovery-command.ts";
import { type Discovery, DiscoveryNetwork, discoveryUser, keyOf, linksOf } from "./discovery-network.ts";

let engine: EngineHome;
let home: ResultsHome;
let network: DiscoveryNetwork;

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
  network = new DiscoveryNetwork(home);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

const asked = askedDiscovery;

test("says what it will do, measures round after round, and finds all links, with no probe sent twice", async () => {
  const forecast = await network.post("/api/discoveries/estimate", asked);
  expect(forecast).toMatchObject({
    agents: 1,
    prefixes: 1,
    subnets: 1,
    probes_first_round: 36,
    probes_max: 3000,
  });
  const made = await network.post("/api/discoveries", asked);
  expect(made).toMatchObject({ status_code: 201 });
  const { id } = made.discovery as Discovery;
  const all = await network.toTheEnd(id, new Set());
  const last = await network.shown(id);
  expect(last).toMatchObject({
    run_state: "done",
    links: linksOf(all).length,
    nodes: 7,
    probes_sent: all.length,
    probes_rest: 0,
  });
  expect(last.rounds.length).toBeGreaterThan(2);
  expect(new Set(all.map(keyOf)).size).toBe(all.length);
});

test("stopped in the middle of a part it goes on with what was not sent, and sends nothing twice", async () => {
  const made = await network.post("/api/discoveries", { ...asked, name: "held" });
  const { id } = made.discovery as Discovery;
  let part = "";
  await eventually(async () => {
    part = (await network.shown(id)).measurement_ids[0] ?? "";
    expect(part).not.toBe("");
  });
  const before = await network.play(part, 15);
  const { sql } = home.gateway.services.database;
  await sql`UPDATE measurement_agents SET sent_probes = 15, status = 'running' WHERE measurement_id = ${part}`;
  expect(await network.post(`/api/discoveries/${id}/pause`, {})).toMatchObject({ state: "paused" });
  const [stopped] = await sql`SELECT status FROM measurement_agents WHERE measurement_id = ${part}`;
  expect(stopped?.status).toBe("cancelled");
  await sql`UPDATE measurement_agents SET settled_at = now() WHERE measurement_id = ${part}`;
  await sql`UPDATE measurements SET ended_at = now() - interval '1 min' WHERE measurement_id = ${part}`;
  const steps = await sql`SELECT FROM campaign_steps WHERE campaign_id = ${id} AND state = 'due'`;
  expect(steps).toHaveLength(0);
  expect(await network.post(`/api/discoveries/${id}/resume`, {})).toMatchObject({ state: "running" });
  const after = await network.toTheEnd(id, new Set([part]));
  const all = [...before, ...after];
  expect(new Set(all.map(keyOf)).size).toBe(all.length);
  const sent = new Set(all.map(keyOf));
  expect((await network.probesOf(part)).filter((probe) => !sent.has(keyOf(probe)))).toEqual([]);
  expect(await network.shown(id)).toMatchObject({ run_state: "done", links: linksOf(all).length, nodes: 7 });
});

test("stopped before its run has come it goes on with its first round, however late", async () => {
  // Its run comes at the next full second: the stop is before it.
  await Bun.sleep(1000 - (Date.now() % 1000));
  const made = await network.post("/api/discoveries", { ...asked, name: "early" });
  const { id } = made.discovery as Discovery;
  expect(await network.post(`/api/discoveries/${id}/pause`, {})).toMatchObject({
    state: "paused",
    run: null,
  });
  const { sql } = home.gateway.services.database;
  await sql`UPDATE campaigns SET next_at = next_at - interval '2 h' WHERE campaign_id = ${id}`;
  expect(await network.post(`/api/discoveries/${id}/resume`, {})).toMatchObject({ state: "running" });
  const all = await network.toTheEnd(id, new Set());
  const last = await network.shown(id);
  expect(last).toMatchObject({ run_state: "done", links: linksOf(all).length, nodes: 7 });
  expect(last.rounds.length).toBeGreaterThan(2);
});

test("every strategy's question to the store is one that it understands", async () => {
  const discover = { ...asked.discover, strategy: "paris", split_ttl: 3 };
  const made = await network.post("/api/discoveries", {
    ...asked,
    targets: ["203.0.113.0/24", "192.0.2.0/23"],
    discover,
    name: "paris",
  });
  expect(made).toMatchObject({ status_code: 201 });
  const { id } = made.discovery as Discovery;
  const all = await network.toTheEnd(id, new Set());
  expect(await network.shown(id)).toMatchObject({ run_state: "done", reason: null });
  // The stop set: only one of the paths goes back to the first router.
  expect(all.filter(({ ttl }) => ttl === 1)).toHaveLength(1);
  // A flow's TTLs are asked in different rounds, and a link joins them.
  const path = `/api/campaigns/${id}/links?limit=1000&format=json`;
  const rows = (await (await home.get(discoveryUser, path)).json()) as { readonly far_addr: string }[];
  const between = rows.filter(({ far_addr }) => !/^(203|192)\./.test(far_addr));
  expect(linksOf(all).length).toBeGreaterThan(2);
  expect(between).toHaveLength(linksOf(all).length);
});

test("subnets that must not be probed are left out and named; with nothing left it is refused", async () => {
  const { database, safety } = home.gateway.services;
  const blocked = ["203.0.113.7/32", "192.0.2.0/24"];
  await Promise.all(blocked.map((prefix) => block(database, "ada", prefix, "asked to")));
  safety.destinationsChanged();
  const targets = ["203.0.112.0/23", "192.0.2.0/25"];
  const forecast = await network.post("/api/discoveries/estimate", { ...asked, targets });
  expect(forecast).toMatchObject({ prefixes: 2, subnets: 3, left_out_subnets: 2, probes_first_round: 36 });
  expect(forecast.left_out).toEqual([
    { subnet: "192.0.2.0/25", reason: "it lies in 192.0.2.0/24, which must not be probed" },
    { subnet: "203.0.113.0/24", reason: "it holds 203.0.113.7/32, which must not be probed" },
  ]);
  const made = await network.post("/api/discoveries", { ...asked, targets, name: "left out" });
  const all = await network.toTheEnd((made.discovery as Discovery).id, new Set());
  expect(new Set(all.map(({ destination }) => destination.replace(/[0-9]+$/, "0")))).toEqual(
    new Set(["203.0.112.0"]),
  );
  const none = await network.post("/api/discoveries/estimate", { ...asked, targets: ["203.0.113.0/24"] });
  expect(none).toMatchObject({ status_code: 422 });
  await Promise.all(blocked.map((prefix) => unblock(database, "ada", prefix)));
  safety.destinationsChanged();
});

test("the command says what it would do; errors name their place", async () => {
  await using server = home.listen();
  const vantage = (...args: string[]) => ran(server.url, "discover", ...args).ended;
  const [check, bad, strategy, agent] = await Promise.all([
    vantage(...commandOrder, "--check", "-o", "json"),
    vantage("-a", "west", "--targets", "203.0.113.0/33"),
    vantage("-a", "west", "--targets", "203.0.113.0/24", "--strategy", "fast"),
    vantage("-a", "nobody", "--targets", "203.0.113.0/24"),
  ]);
  expect([check.code, JSON.parse(check.out)]).toMatchObject([0, { prefixes: 1, probes_first_round: 36 }]);
  expect([bad.code === 0, bad.err]).toEqual([false, expect.stringContaining("203.0.113.0/33")]);
  expect([strategy.code, strategy.err]).toEqual([2, expect.stringContaining("fast")]);
  expect([agent.code, agent.err]).toEqual([1, expect.stringContaining("nobody")]);
});

test("the command holds a running discovery, goes on with it, and Ctrl-C ends only the look", async () => {
  await using server = home.listen();
  const vantage = (...args: string[]) => ran(server.url, "discover", ...args).ended;
  const looking = ran(server.url, "discover", ...commandOrder, "--name", "by command", "--wait");
  let id = "";
  await eventually(async () => {
    const list = (await (await home.get(discoveryUser, "/api/discoveries?limit=1")).json()) as {
      id: string;
      name: string;
    }[];
    id = list[0]?.name === "by command" ? list[0].id : "";
    expect(id).not.toBe("");
  });
  await looking.says(id);
  await eventually(async () => expect((await network.shown(id)).measurement_ids).not.toEqual([]));
  looking.child.kill("SIGINT");
  const look = await looking.ended;
  expect([look.code, look.err]).toEqual([
    130,
    expect.stringContaining("Ctrl-C stops watching; the discovery continues"),
  ]);
  expect(look.err).toContain(`vantage discover show|pause|stop ${id}`);
  const stopped = await vantage("pause", id, "-o", "json");
  expect([stopped.code, JSON.parse(stopped.out)]).toMatchObject([0, { state: "paused" }]);
  const resumed = await vantage("resume", "by command", "-o", "json");
  expect([resumed.code, JSON.parse(resumed.out)]).toMatchObject([0, { state: "running" }]);
  const all = await network.toTheEnd(id, new Set());
  const [shows, stop] = await Promise.all([vantage("show", "by command", "-o", "json"), vantage("stop", id)]);
  expect([shows.code, shows.out]).toEqual([0, expect.stringContaining('"round"')]);
  expect([stop.code, stop.err]).toEqual([1, expect.stringContaining("ended")]);
  await showsTheSame(server.url, "by command", linksOf(all));
});

test("the command that waits ends by itself when the discovery has ended, and prints its rest", async () => {
  await using server = home.listen();
  const waiting = ran(server.url, "discover", ...commandOrder, "--name", "waited", "--wait", "-o", "json");
  let id = "";
  await eventually(async () => {
    const list = (await (await home.get(discoveryUser, "/api/discoveries?limit=1")).json()) as Discovery[];
    expect(list[0]).toMatchObject({ name: "waited" });
    id = list[0]?.id ?? "";
  });
  const all = await network.toTheEnd(id, new Set());
  const { code, out, err } = await waiting.ended;
  expect([code, err]).toEqual([0, expect.stringContaining("36 probes first")]);
  expect(JSON.parse(out)).toMatchObject({
    ...{ id, state: "ended", run_state: "done", probes_sent: all.length, probes_rest: 0 },
    ...{ links: linksOf(all).length, nodes: 7 },
  });
});

test("targets that cannot be read, too many, or of another user are refused", async () => {
  expect(await network.post("/api/discoveries", { ...asked, targets: ["::/0"] })).toMatchObject({
    status_code: 422,
  });
  expect(await network.post("/api/discoveries", { ...asked, targets: ["x"] })).toMatchObject({
    status_code: 422,
  });
  const none = await home.get(discoveryUser, `/api/discoveries/${crypto.randomUUID()}`);
  expect(none.status).toBe(404);
});

const older = hasOlderVersions ? test : test.skip;
(isLongRun ? older : () => undefined)(
  "on ClickHouse 24.8, by its address as a server, it finds and shows all links",
  async () => {
    const store = await OlderStore.start("24.8");
    await migrate(store.store, sqlValues);
    await using own = await ResultsHome.on(store, engine);
    const net = new DiscoveryNetwork(own);
    const made = await net.post("/api/discoveries", { ...asked, name: "server" });
    const { id } = made.discovery as Discovery;
    const all = await net.toTheEnd(id, new Set());
    expect(await net.shown(id)).toMatchObject({ run_state: "done", links: linksOf(all).length, nodes: 7 });
    await using server = own.listen();
    await showsTheSame(server.url, "server", linksOf(all));
  },
  120_000,
);

/** The tables and the graph of a campaign have the links and routers of the plain count, the private one too. */
async function showsTheSame(url: string, name: string, links: readonly string[]): Promise<void> {
  const show = (...args: string[]) => ran(url, "replies", "--campaign", name, ...args).ended;
  const graph = await show("-v", "graph", "-o", "json");
  expect(JSON.parse(graph.out)).toMatchObject([{ router_link_count: links.length }]);
  const [table, nodes, dot] = await Promise.all([
    show("-v", "links", "-o", "json"),
    show("-v", "nodes", "-o", "json"),
    show("-v", "graph", "-o", "dot"),
  ]);
  expect([table.err, nodes.err, dot.err, dot.code]).toEqual(["", "", "", 0]);
  const rows = JSON.parse(table.out) as { near_addr: string; far_addr: string }[];
  const found = rows.map(({ near_addr, far_addr }) => `${near_addr} ${far_addr}`);
  expect(found.filter((link) => !link.includes(" 203.")).sort()).toEqual([...links]);
  const arrows = dot.out.matchAll(/"([^"]+)" -> "((?!203)[^"]+)"/g);
  expect([...arrows].map(([, near, far]) => `${near} ${far}`).sort()).toEqual([...links]);
  const routers = (JSON.parse(nodes.out) as { address: string }[]).map(({ address }) => address);
  expect(new Set(routers.filter((address) => !address.startsWith("203.")))).toEqual(
    new Set(links.flatMap((link) => link.split(" "))),
  );
}

test("stop ends it, as it ends a campaign: it cannot be resumed", async () => {
  const made = await network.post("/api/discoveries", { ...asked, name: "ended by hand" });
  const { id } = made.discovery as Discovery;
  expect(await network.post(`/api/discoveries/${id}/stop`, {})).toMatchObject({ state: "ended" });
  await eventually(async () => {
    expect(await network.post(`/api/discoveries/${id}/resume`, {})).toMatchObject({ status_code: 409 });
  });
});
