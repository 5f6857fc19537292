/** How discoveries end at a gateway: complete, or by a limit, and then it says so; the command that waits for it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { eventually } from "../probing-gateway/measurement-helpers.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";
import { askedDiscovery as asked, commandOrder, ran } from "./discovery-command.ts";
import { type Discovery, DiscoveryNetwork, discoveryUser } from "./discovery-network.ts";

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

test("by its budget it ends incomplete, says what is unfinished, and the command ends with 3", async () => {
  await using server = home.listen();
  const order = commandOrder.map((word) => (word === "3000" ? "40" : word));
  const waiting = ran(server.url, "discover", ...order, "--name", "small", "--wait", "-o", "json");
  let id = "";
  await eventually(async () => {
    const [newest] = (await (
      await home.get(discoveryUser, "/api/discoveries?limit=1")
    ).json()) as Discovery[];
    expect(newest).toMatchObject({ name: "small", complete: null });
    id = newest?.id ?? "";
  });
  const all = await network.toTheEnd(id, new Set());
  expect(all).toHaveLength(36);
  const reason = "budget used up (probes_max 40): 1 of 1 prefixes are unfinished";
  const { code, out, err } = await waiting.ended;
  expect(code).toBe(3);
  expect(JSON.parse(out)).toMatchObject({
    id,
    state: "ended",
    run_state: "done",
    complete: false,
    reason,
    units: 1,
  });
  expect(err).toContain("about 351 in all, at most 40");
  expect(err).toContain("which is too few");
  expect(err).toContain(`Incomplete: ${reason}`);
  expect(err).toContain("start again with a larger --probes-max");
  const runs = (await (await home.get(discoveryUser, `/api/campaigns/${id}/runs`)).json()) as object[];
  expect(runs[0]).toMatchObject({ state: "done", reason });
});

test("by its rounds it ends incomplete, too; one that found all is complete, without a reason", async () => {
  const ended = async (name: string, discover: object) => {
    const made = await network.post("/api/discoveries", { ...asked, name, discover });
    const { id } = made.discovery as Discovery;
    await network.toTheEnd(id, new Set());
    return await network.shown(id);
  };
  const reason = "rounds used up (rounds_max 1): 1 of 1 prefixes are unfinished";
  const cut = await ended("one round", { ...asked.discover, rounds_max: 1 });
  expect(cut).toMatchObject({ complete: false, reason });
  expect(await ended("whole", asked.discover)).toMatchObject({ complete: true, reason: null });
});

test("without a limit of its own it may send the quota, leaves room for another, and ends by the quota", async () => {
  const { probes_max: _, ...discover } = asked.discover;
  const own = { ...asked, discover };
  const forecast = await network.post("/api/discoveries/estimate", own);
  const { quota_per_day: quota } = forecast;
  expect(forecast).toMatchObject({ probes_expected: 351, probes_max: quota, quota_share: 1 });
  const made = await network.post("/api/discoveries", { ...own, name: "of the quota" });
  expect(made).toMatchObject({ status_code: 201 });
  expect(await network.post("/api/discoveries", { ...own, name: "beside it" })).toMatchObject({
    status_code: 201,
  });
  const other = (await (await home.get(discoveryUser, "/api/discoveries?limit=1")).json()) as Discovery[];
  await network.post(`/api/campaigns/${other[0]?.id}/stop`, {});
  const { id } = made.discovery as Discovery;
  let part = "";
  await eventually(async () => {
    part = (await network.shown(id)).measurement_ids[0] ?? "";
    expect(part).not.toBe("");
  });
  const { sql } = home.gateway.services.database;
  const rows = await sql`UPDATE users SET probes_per_day_max = 36 RETURNING user_hash`;
  expect(rows.length).toBeGreaterThan(0);
  await network.toTheEnd(id, new Set());
  await sql`UPDATE users SET probes_per_day_max = NULL`;
  const shown = await network.shown(id);
  expect(shown).toMatchObject({ run_state: "refused", complete: false });
  expect(shown.reason).toStartWith("budget used up: Daily probe limit exceeded");
});

test("the command that waits outlives a restart of its gateway", async () => {
  const first = home.listen();
  const { port } = first;
  const waiting = ran(first.url, "discover", ...commandOrder, "--name", "restart", "--wait", "-o", "json");
  let id = "";
  await eventually(async () => {
    const [newest] = (await (
      await home.get(discoveryUser, "/api/discoveries?limit=1")
    ).json()) as Discovery[];
    expect(newest).toMatchObject({ name: "restart" });
    id = newest?.id ?? "";
  });
  await waiting.says("Ctrl-C");
  await first[Symbol.asyncDispose]();
  await waiting.says("trying again, the discovery continues");
  await using second = home.listen(port);
  expect(second.port).toBe(port);
  await network.toTheEnd(id, new Set());
  const { code, out } = await waiting.ended;
  expect([code, JSON.parse(out)]).toMatchObject([0, { id, complete: true }]);
});
