/** What the generator answers, and to whom. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Peers } from "../../../apps/peering/generator/daemon/peers.ts";
import type { Service } from "../../../apps/peering/generator/service.ts";
import { hashOf, sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { GeneratorHome } from "./generator-home.ts";

const leasing = sampleUser(1);
const waiting = sampleUser(2, { leases: [] });
const absent = sampleUser(3, { devices: [] });
const broken = sampleUser(4, { devices: [["100.64.0.999"]] });

let home: GeneratorHome;
let service: Service;
beforeAll(async () => {
  home = await GeneratorHome.open([leasing, waiting, absent, broken]);
  service = home.service();
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
});

function ask(path: string, from: string | null = "127.0.0.1", method = "GET"): Promise<Response> {
  return Promise.resolve(service.app.request(path, { method }, { remoteAddress: from }));
}

test("before the first policy there is none to show", async () => {
  const answer = await ask("/policy");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "no_policy" });
  expect((await ask("/health")).status).toBe(503);
});

test("a refresh asks the sources and says whether something has changed", async () => {
  expect(await (await ask("/refresh", "127.0.0.1", "POST")).json()).toMatchObject({
    ok: true,
    changed: true,
  });
  expect(await (await ask("/refresh", "127.0.0.1", "POST")).json()).toMatchObject({
    ok: true,
    changed: false,
  });
  home.sources.gatewayFailure = () => new Response("", { status: 500 });
  expect(await (await ask("/refresh", "127.0.0.1", "POST")).json()).toMatchObject({ ok: false });
  home.sources.gatewayFailure = null;
});

test("the policy says why each user is in or out", async () => {
  const body = await (await ask("/policy")).json();
  expect(body).toMatchObject({ text: home.text(), reject_all: false, failure: null });
  const states = new Map(
    (body as { users: { user_hash: string; state: string }[] }).users.map((one) => [
      one.user_hash,
      one.state,
    ]),
  );
  expect(states).toEqual(
    new Map(
      [
        [hashOf(leasing), "in"],
        [hashOf(waiting), "noLease"],
      ].sort() as [string, string][],
    ),
  );
  const { excluded } = body as { excluded: { user_hash: string; reason: string }[] };
  expect(new Map(excluded.map((one) => [one.user_hash, one.reason]))).toEqual(
    new Map([
      [hashOf(absent), "noNode"],
      [hashOf(broken), "badAddress"],
    ]),
  );
});

test("a fault is logged once, and counted", async () => {
  const lines = home.log.filter((line) => line.includes("Leaves out a user"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(hashOf(broken));
  const metrics = await (await ask("/metrics")).text();
  expect(metrics).toContain('vantage_policy_exclusions_total{reason="badAddress"} 1');
});

test("metrics: age of data, users, sessions, last change, failures", async () => {
  home.nowMs += 60_000;
  const metrics = await (await ask("/metrics")).text();
  expect(metrics).toContain('vantage_policy_data_age_seconds{source="vpn"} 60');
  expect(metrics).toContain('vantage_policy_users{state="in"} 2');
  expect(metrics).toContain('vantage_policy_users{state="leasing"} 1');
  expect(metrics).toContain('vantage_policy_sessions{state="up"} 0');
  expect(metrics).toContain('vantage_policy_failures_total{step="gateway"} 1');
  expect(metrics).toContain(`vantage_policy_last_change_timestamp_seconds ${Date.UTC(2026, 0, 1) / 1000}`);
  expect(metrics).toContain("vantage_policy_reject_all 0");
});

test("health: good, degraded when nothing new comes for minutes", async () => {
  await ask("/refresh", "127.0.0.1", "POST");
  expect(await (await ask("/health")).json()).toMatchObject({ status: "healthy", reasons: [] });
  home.nowMs += 300_000;
  const health = await ask("/health");
  expect([health.status, ((await health.json()) as { status: string }).status]).toEqual([200, "degraded"]);
});

test.each([
  ["/policy", "GET", "100.64.0.1"],
  ["/refresh", "POST", "100.64.0.1"],
  ["/metrics", "GET", "100.64.0.1"],
  ["/policy", "GET", "198.51.100.1"],
  ["/status", "GET", "198.51.100.1"],
  ["/policy", "GET", null],
] as const)("%s %s is not for %p", async (path, method, from) => {
  const answer = await ask(path, from, method);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([403, "application/problem+json"]);
  expect(await answer.json()).toMatchObject({ code: "forbidden_network", status: 403 });
});

test("with the daemon away, status is a problem, and health says so", async () => {
  await home.stopBird();
  const answer = await ask("/status");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "daemon_unavailable" });
  await service.loop.refresh();
  expect((await ask("/health")).status).toBe(503);
  await home.startBird();
});

test("a crowd that asks for the status costs BIRD one look; who asks later sees another", async () => {
  const peers = new Peers(home.bird.socket, 20);
  const looks = () => home.bird.said().match(/show protocols all/g)?.length ?? 0;
  const before = looks();
  await Promise.all(Array.from({ length: 100 }, () => peers.seen()));
  expect(looks()).toBe(before + 1);
  await until("another look", async () => {
    await peers.seen();
    return looks() > before + 1;
  });
});

test("the coordination server approves what is leased, and nothing else", async () => {
  home.sources.approved.set("1", ["::/0"]);
  home.sources.approved.set("2", ["2001:db8:1::/48"]);
  await service.approver?.run();
  expect(Object.fromEntries(home.sources.approved)).toEqual({ "1": ["2001:db8:1::/48"], "2": [] });
  const { approvals } = home.sources.asked;
  await service.approver?.run();
  expect(home.sources.asked.approvals).toBe(approvals);
});

test("own routes that the coordination server has withdrawn are set again; those of other servers never", async () => {
  const restored = async () =>
    /^vantage_policy_restored_routes_total (\d+)$/m.exec(await (await ask("/metrics")).text())?.[1];
  const routes = { availableRoutes: ["2000::/3"], approvedRoutes: ["2000::/3"], subnetRoutes: [] };
  const server = (id: string, address: string) => ({
    ...{ id, ipAddresses: [address], user: {}, tags: ["tag:exchange"], ...routes },
  });
  home.sources.servers = [server("90", "100.64.9.1"), server("91", "100.64.9.2")];
  home.ownAddresses = ["127.0.0.1", "100.64.9.1"];
  await service.loop.refresh();
  await until("the routes of this machine's device", () => home.sources.approved.has("90"));
  expect(home.sources.approved.get("90")).toEqual(["2000::/3"]);
  expect(await restored()).toBe("1");
  // Another server has taken over: nothing is missing.
  home.sources.servers = [
    server("90", "100.64.9.1"),
    { ...server("91", "100.64.9.2"), subnetRoutes: ["2000::/3"] },
  ];
  await service.loop.refresh();
  await service.approver?.run();
  expect(await restored()).toBe("1");
  expect(home.sources.approved.has("91")).toBe(false);
  home.sources.servers = [];
});

test("the API describes itself", async () => {
  const document = (await (await ask("/openapi.json", null)).json()) as { paths: Record<string, unknown> };
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(["/policy", "/refresh", "/status", "/health"]),
  );
});
