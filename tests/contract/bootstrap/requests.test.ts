/** A client that announces what the gateway requests; the daemon is a real BIRD, the gateway is one in small. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { followChanges, type Service } from "../../../apps/peering/bootstrap/service.ts";
import { until } from "../../exchange/until.ts";
import { ClientHome, one, statusOf, two } from "./client-home.ts";
import { exchangeDevice } from "./tailscaled.ts";

let home: ClientHome;
beforeEach(() => {
  home = new ClientHome();
  const end = new Date(home.nowMs + 36_000_000).toISOString();
  home.info = { asn: 65_011, active_leases: [one, two].map((prefix) => ({ prefix, end_time: end })) };
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
});

const request = (prefix: string, server: string, how: object = {}) => ({
  ...{ prefix, server, announce: true, prepend: 0, until: null, ...how },
});

/** Runs the client until `isDone`. */
async function followUntil(service: Service, what: string, isDone: () => boolean): Promise<void> {
  const stop = new AbortController();
  const running = followChanges(service, stop.signal);
  await until(what, isDone);
  stop.abort();
  await running;
}

const groupOf = (text: string, filter: string) =>
  new RegExp(`filter ${filter}\n\\{[^}]*?\\(net ~ \\[ ([^\\]]*) \\]\\) then`).exec(text)?.[1];

test("a request is put into force, overrules orders, is reported, and outlives a restart", async () => {
  home.tailscaled.peers = [exchangeDevice(1), exchangeDevice(2)];
  // The environment has the other prefix only.
  const service = home.service({ prefixes: two, gateway: true });
  await service.client.look();
  await home.startBird();
  await service.client.order({ prefix: two, exchange: null, announce: true, prepend: 5 });
  home.announcements = {
    version: 7,
    announcements: [
      request(two, "*", { announce: false }),
      request(one, "ixp-1", { prepend: 2 }),
      request(one, "fra"),
    ],
  };
  await followUntil(service, "the report", () => home.reports.length > 0);
  expect(home.text().match(/bgp_path\.prepend\(USER_ASN\)/g)).toHaveLength(2);
  const nowNs = `${home.nowMs}000000`;
  const { states, ...report } = home.reports[0] as { states: { prefix: string; server: string }[] };
  expect(report).toEqual({ machine: "100.64.0.11", version: 7, taken_ns: nowNs });
  const at = (prefix: string, server: string) =>
    states.find((state) => state.prefix === prefix && state.server === server);
  expect(at(one, "ixp-1")).toMatchObject({
    announce: true,
    prepend: 2,
    daemon_ns: nowNs,
    daemon_reason: null,
  });
  expect(at(two, "ixp-2")).toMatchObject({ announce: false, daemon_ns: nowNs, exchange: "unknown" });
  expect(at(one, "fra")).toMatchObject({
    daemon_ns: null,
    daemon_reason: "the VPN lists no exchange server fra",
  });
  expect((await statusOf(service)).prefixes[1]?.exchanges[0]).toMatchObject({
    verdict: "withdrawn",
    advice: `To announce it again: vantage announce ${two}`,
  });

  home.info = null;
  const text = home.text();
  const again = home.service({ prefixes: two, gateway: true });
  await again.client.look();
  expect(home.text()).toBe(text);
  // Without its gateway, it does not change what it has from there.
  const alone = home.service({ prefixes: two });
  await alone.client.look();
  const refused = await alone.control.request(`/api/announcements/${encodeURIComponent(two)}`, {
    method: "DELETE",
  });
  expect(await refused.json()).toMatchObject({ status: 409, code: "requested_at_gateway" });
});

test("what local users ask for goes to the gateway that the stack follows, and its answer comes back", async () => {
  const service = home.service({ prefixes: one, gateway: true });
  await service.client.look();
  const text = home.text();
  const ask = (method: string, path: string, body: string | null = null) =>
    service.control.request(`/api/announcements${path}`, { method, body });
  const wanted = { announcements: [{ prefix: one, prepend: 2 }] };
  const put = await ask("PUT", "?check=true", JSON.stringify(wanted));
  expect(await put.json()).toEqual({ outcome: "changed", version: 8 });
  const inPath = encodeURIComponent(one);
  await ask("DELETE", `/${inPath}?server=ixp-1`);
  expect(home.requests).toEqual([
    { method: "PUT", path: "/api/announcements?check=true", body: wanted },
    { method: "DELETE", path: `/api/announcements/${inPath}?server=ixp-1`, body: null },
  ]);
  const limit = { code: "announcement_limit", message: "Too often.", left: 3 };
  home.requested = () => Response.json(limit, { status: 429, headers: { "retry-after": "540" } });
  const refused = await ask("DELETE", "");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "540"]);
  expect(await refused.json()).toMatchObject(limit);
  home.announcements = { version: 1, announcements: [] };
  expect(await (await ask("GET", "")).json()).toEqual(home.announcements);
  await home.stopGateway();
  const away = await ask("DELETE", "");
  expect([away.status, await away.json()]).toMatchObject([502, { code: "gateway_unreachable" }]);
  expect((await service.client.parts.state.read()).orders).toEqual([]);
  expect(home.text()).toBe(text);
});

test("what is announced without a request is reported too, once the gateway has answered", async () => {
  const service = home.service({ prefixes: one, gateway: true });
  home.announcements = { version: 0, announcements: [] };
  await service.client.look();
  await home.startBird();
  await service.link()?.report();
  expect(home.reports).toEqual([]);
  await followUntil(service, "the report", () => home.reports.length > 0);
  expect(home.reports[0]).toMatchObject({ version: 0, states: [{ prefix: one, announce: true }] });
});

test("how often an exchange takes a change is reported as it says it, and what cannot be read is nothing", async () => {
  const service = home.service({ prefixes: one, gateway: true });
  const changes = {
    ...{ max: 5, every_seconds: 600 },
    ...{ spent_until: new Date(home.nowMs + 700_000).toISOString(), held_until: null },
  };
  const session = {
    ...{ address: "100.64.0.11", asn: 65_011, is_up: true, remark: null, suspended_until: null },
    ...{ accepted: [], refused: [] },
  };
  const say = (told: unknown) => {
    home.status = { sessions: [{ ...session, leases: [{ prefix: one, end_time: null, changes: told }] }] };
  };
  say(changes);
  await service.client.look();
  expect(service.client.snapshot.states[0]).toMatchObject({ prefix: one, server: "ixp-1", changes });
  home.elapsedMs += 60_000;
  say({ ...changes, every_seconds: 0 });
  await service.client.look();
  expect(service.client.snapshot.states[0]).toMatchObject({ exchange: "unknown", changes: null });
  expect(service.client.snapshot.received.get("100.64.0.1")?.failure).toBeNull();
});

test("the clock is compared with the gateway's at each report, and anew when it is set", async () => {
  const service = home.service({ prefixes: one, gateway: true });
  await service.client.look();
  await home.startBird();
  home.announcements = { version: 1, announcements: [request(one, "*")] };
  const clocks = () =>
    (home.reports as { states: { clock: { offset_ms: number; within_ms: number } | null }[] }[]).map(
      ({ states }) => states[0]?.clock,
    );
  await followUntil(service, "a report with the clock", () => clocks().at(-1) != null);
  expect(clocks()[0]).toBeNull();
  const { offset_ms: offsetMs = 0, within_ms: withinMs = 0 } = clocks().at(-1) ?? {};
  expect(withinMs).toBeLessThan(2);
  expect(Math.abs(offsetMs - 5000)).toBeLessThanOrEqual(withinMs);
  const count = home.reports.length;
  await service.link()?.report();
  expect(home.reports).toHaveLength(count);
  home.nowMs += 60_000;
  home.gatewayAheadMs -= 60_000;
  // Not at once: the last report may still be in flight, and only one is sent at a time.
  const reportUntil = (what: string, isDone: () => boolean) =>
    until(what, async () => {
      await service.link()?.report();
      return isDone();
    });
  await reportUntil("a report without the clock", () => clocks().at(-1) === null);
  await reportUntil("a report with the clock", () => clocks().at(-1) != null);
  expect(Math.round(clocks().at(-1)?.offset_ms ?? 0)).toBe(-55_000);
});

test("an announcement ends at its time while the gateway is away, and the report gives the daemon's time", async () => {
  const service = home.service({ prefixes: one, gateway: true });
  await service.client.look();
  await home.startBird();
  const ends = new Date(home.nowMs + 60_000).toISOString();
  home.announcements = { version: 1, announcements: [request(one, "*", { until: ends })] };
  await followUntil(service, "the report", () => home.reports.length > 0);
  expect(groupOf(home.text(), "ExportToIXP")).toBe(one);
  home.info = null;
  home.nowMs += 59_999;
  await service.client.look();
  expect(groupOf(home.text(), "ExportToIXP")).toBe(one);
  expect(service.client.snapshot.states[0]?.daemon_ns).toBe(`${home.nowMs - 59_999}000000`);
  home.nowMs += 1;
  await service.client.look();
  expect(groupOf(home.text(), "ExportToIXP")).toBeUndefined();
  expect(service.client.snapshot.states[0]).toMatchObject({
    announce: false,
    daemon_ns: `${home.nowMs}000000`,
  });
});

test("a prefix of a request that could be more than a prefix to BIRD is never taken", async () => {
  const service = home.service({ prefixes: one, gateway: true });
  await service.client.look();
  const text = home.text();
  home.announcements = { version: 1, announcements: [request(`${one} blackhole; };`, "*")] };
  await followUntil(service, "the refusal", () => service.client.snapshot.failures.requests !== undefined);
  expect(service.client.snapshot.failures.requests).toContain("announcements.0.prefix: is not a /48");
  expect([home.text(), home.reports]).toEqual([text, []]);
});
