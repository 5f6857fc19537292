/**
 * Announcements by the gateway, on real parts: a request reaches the user's BIRD and the exchange's, what they make of
 * it comes back, and withdrawing everything does not need the client stack.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type * as v from "valibot";
import { announcementRows } from "../../../apps/user/client/peering/announcement-rows.ts";
import type { announcementsAnswer } from "../../../lib/base/api/announcements.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { LabClient } from "./lab-client.ts";
import * as plan from "./plan.ts";

let lab: ExchangeLab;
let gateway: GatewayProcess;
let client: LabClient;
const leased = "2001:db8:20ab::/48";
const path = `/api/announcements/${encodeURIComponent(leased)}`;
const asn = 65_000;
/** Far more than the tests make. */
const changesMax = 100;
const user = sampleUser(66, { subject: GatewayProcess.subject, asn, leases: [] });

beforeAll(async () => {
  gateway = await GatewayProcess.start(
    leased,
    `announcements: {prefix_minutes: 0, per_hour_max: 100, neighbors: [
    {name: transit, asn: ${plan.upstreamAsn}}, {name: rs1, asn: ${plan.serverAsn}}]}`,
  );
  await gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
  lab = await ExchangeLab.start({
    ...{ users: [user], gatewayUrl: gateway.url, announcementsPerHour: 1000 },
    prefixBudget: [changesMax, 600],
  });
  client = await LabClient.start(lab, { asn, prefixes: [], gatewayUrl: gateway.url });
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

const isReceived = () => lab.birds.upstream.hears(leased);
const list = async () =>
  (await gateway.ask("GET", "/api/announcements")) as v.InferOutput<typeof announcementsAnswer>;
const pathAtExchange = async () => (await lab.birds.exchange.routes(`where net = ${leased}`))[0]?.path;
/** The row of the request of which the exchange says so. */
const outcome = (exchange: string) =>
  until(`the exchange's word: ${exchange}`, async () => {
    return announcementRows(await list()).find(({ state }) => state?.exchange === exchange) ?? false;
  });

/** At the upstream, or the route server: null without the route. */
const pathAt = async (where: "upstream" | "server") =>
  (await lab.birds[where].routes(`where net = ${leased}`))[0]?.path ?? null;
const communitiesAt = async (where: "exchange" | "upstream" | "server" | "two") =>
  (await lab.birds[where].ask(`show route ${leased} all`)).flatMap(
    (line) => /^\s+(BGP\.(?:\S*community|local_pref): .*)$/.exec(line.replace("bgp_", "BGP."))?.[1] ?? [],
  );
const hops = (count: number) => Array<number>(count).fill(plan.platformAsn).join(" ");
const accepted = (...actions: string[]) =>
  until(`the exchange's word for ${actions}`, async () => {
    const row = announcementRows(await list()).find(({ state }) => state?.exchange === "accepted");
    const session = (await lab.sessionsSeenFrom(plan.rogueAddress))[0];
    return row !== undefined && Bun.deepEquals(session?.accepted[0]?.actions, actions) && row;
  });

test("a prefix that no environment names is announced by a request, and all sides say so in order", async () => {
  await gateway.ask("PUT", path, { prepend: 2 });
  await until("the route at the upstream", isReceived);
  expect(await pathAtExchange()).toBe([asn, asn, asn].join(" "));
  const { state, askedNs, server } = await outcome("accepted");
  expect([server, state?.daemon_reason]).toEqual(["ixp-1", null]);
  expect(state?.heard_by.map(({ name }) => name).toSorted()).toContain("upstream_transit");
  const { report } = await list();
  // The gateway's clock has microseconds, the client's milliseconds.
  const times = [askedNs, report?.taken_ns, state?.daemon_ns, state?.exchange_ns].map((ns) =>
    Math.floor(Number(BigInt(ns ?? 0) / 1_000_000n)),
  );
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // Both ask the same clock here, and the client stack finds that out.
  const clock = await until("the clocks are compared", async () => (await list()).report?.states[0]?.clock);
  expect(Math.abs(clock.offset_ms)).toBeLessThanOrEqual(clock.within_ms + 1);
});

test("each change is taken off what the exchange takes of them, and the gateway says how many are left", async () => {
  const told = async () => (await list()).budget.prefixes[0]?.exchanges[0];
  // The generator does not count what it sees first, which may be some changes later.
  let [prepend, changedMs] = [4, Number.NEGATIVE_INFINITY];
  const first = await until("the exchange's count", async () => {
    if (performance.now() - changedMs > 3000) {
      changedMs = performance.now();
      prepend = 5 - prepend;
      await gateway.ask("PUT", path, { prepend });
    }
    const one = await told();
    return one !== undefined && one.changes_left < changesMax && one;
  });
  expect(first).toMatchObject({ server: "ixp-1", changes_max: changesMax, held_until: null });
  await gateway.ask("PUT", path, { prepend: 3 });
  await until("one less", async () => ((await told())?.changes_left ?? 0) < first.changes_left);
  const inMs = Date.parse((await told())?.one_more_at ?? "") - Date.now();
  expect([inMs > 0, inMs <= 600_000]).toEqual([true, true]);
  await gateway.ask("PUT", path, { prepend: 2 });
});

test("prepends reach networks outside as the platform's own, up to ten, and no ASN of users does", async () => {
  await until("three hops", async () => (await pathAt("upstream")) === hops(3));
  await gateway.ask("PUT", path, { prepend: 10 });
  await until("eleven hops", async () => (await pathAt("upstream")) === hops(11));
  expect(await pathAt("server")).toBe(hops(11));
  expect(await pathAtExchange()).toBe(Array<number>(11).fill(asn).join(" "));
  await gateway.ask("PUT", path, {});
  await until("one hop", async () => (await pathAt("upstream")) === hops(1));
});

test("the exchange passes a route on to whom the user names, with as many prepends, and hides that", async () => {
  await gateway.ask("PUT", path, { not_to: ["transit"] });
  await until("no route at the upstream", async () => (await pathAt("upstream")) === null);
  const { state } = await accepted(`${plan.platformAsn}:10:${plan.upstreamAsn}`);
  expect(state?.heard_by.map(({ asn: heard }) => heard)).toEqual([plan.serverAsn]);
  expect(await pathAt("server")).toBe(hops(1));
  await gateway.ask("PUT", path, { only_to: [plan.upstreamAsn], prepend_to: { transit: 3, rs1: 1 } });
  await until("the longer path at the upstream", async () => (await pathAt("upstream")) === hops(4));
  expect(await pathAt("server")).toBe(null);
  await gateway.ask("PUT", path, { prepend: 1, prepend_to: { rs1: 2 } });
  await until("the longer path at the server", async () => (await pathAt("server")) === hops(4));
  await until("the path at the upstream", async () => (await pathAt("upstream")) === hops(2));
  expect(await communitiesAt("server")).toEqual(["BGP.local_pref: 100"]);
  expect(await communitiesAt("two")).toEqual(["BGP.local_pref: 100"]);
});

test("a command at the client stack reaches the gateway, and comes back from there", async () => {
  await client.command("announce", leased, "--prepend", "4", "--not-to", "rs1", "--wait");
  expect((await list()).announcements).toMatchObject([{ server: "*", prepend: 4, not_to: [plan.serverAsn] }]);
  await until("five hops", async () => (await pathAt("upstream")) === hops(5));
  await client.command("withdraw", leased, "--wait");
  await until("no route at the upstream", async () => !(await isReceived()));
  expect((await list()).announcements).toMatchObject([{ server: "*", announce: false }]);
  await expect(client.command("announce", leased, "--not-to", "nobody")).rejects.toThrow("transit");
});

test("NO_EXPORT goes on, and GRACEFUL_SHUTDOWN with the least preference at the exchange", async () => {
  await gateway.ask("PUT", path, { no_export: true, graceful_shutdown: true });
  const known = "BGP.community: (65535,0) (65535,65281)";
  await until("both at the upstream", async () => (await communitiesAt("upstream")).includes(known));
  expect(await communitiesAt("two")).toContain("BGP.community: (65535,0)");
  expect(await communitiesAt("exchange")).toContain("BGP.local_pref: 0");
  await accepted(`${plan.platformAsn}:0:4`, `${plan.platformAsn}:0:5`);
  await gateway.ask("PUT", path, {});
  await until("none of them", async () =>
    Bun.deepEquals(await communitiesAt("upstream"), ["BGP.local_pref: 100"]),
  );
  expect(await communitiesAt("exchange")).toContain("BGP.local_pref: 100");
});

test("a path is poisoned by who may, and only so long; its origin outside is the platform's AS", async () => {
  const admin = `/admin/users/${gateway.userHash}`;
  await gateway.ask("PATCH", admin, { may_poison: true });
  await gateway.ask("PUT", path, { prepend: 1, poison: [64_499, 64_498] });
  const [own, others] = [plan.platformAsn, "64499 64498"];
  await until(
    "the poisoned path",
    async () => (await pathAt("upstream")) === `${own} ${own} ${others} ${own}`,
  );
  expect(await pathAtExchange()).toBe(`${asn} ${asn} ${others} ${asn}`);
  await outcome("accepted");
  await gateway.ask("PATCH", admin, { may_poison: false });
  await until("no route", async () => !(await isReceived()));
  expect((await outcome("refused")).state?.exchange_reason).toContain("names another AS");
  await gateway.ask("PUT", path, {});
  await until("the plain path", async () => (await pathAt("upstream")) === hops(1));
});

test("an address is discarded for who may have that, beside the prefix, and only so long", async () => {
  const admin = `/admin/users/${gateway.userHash}`;
  const address = leased.replace("/48", "5");
  const isDiscarded = () => lab.birds.exchange.hears(`${address}/128`);
  await gateway.ask("PATCH", admin, { may_blackhole: true });
  await gateway.ask("PUT", path, { blackhole: [address] });
  await until("the address", isDiscarded);
  await outcome("accepted");
  expect(await pathAt("upstream")).toBe(hops(1));
  await gateway.ask("PATCH", admin, { may_blackhole: false });
  await until("no route", async () => !(await isDiscarded()));
  expect((await outcome("refused")).state?.exchange_reason).toContain("discarding a single address");
  expect(await isReceived()).toBe(true);
  await gateway.ask("PUT", path, {});
  await outcome("accepted");
});

test("a request for one server overrules the one for all there, and withdrawing at it is confirmed", async () => {
  await gateway.ask("PUT", path, { servers: ["ixp-1"] });
  await until("the plain path", async () => (await pathAtExchange()) === String(asn));
  await gateway.ask("DELETE", `${path}?server=ixp-1`);
  await until("no route at the upstream", async () => !(await isReceived()));
  expect((await outcome("withdrawn")).state?.announce).toBe(false);
});

test("an announcement ends at its time at the exchange and at the client, with the gateway's word for it", async () => {
  const ends = new Date(Date.now() + 3000);
  await gateway.ask("PUT", path, { until: ends.toISOString() });
  await until("the route", isReceived);
  await until("no route", async () => !(await isReceived()));
  expect(Date.now()).toBeGreaterThanOrEqual(ends.getTime());
  await until("the end at the gateway", async () => (await list()).announcements[0]?.announce === false);
});

test("withdrawing everything leaves the exchange while the client stack hangs", async () => {
  await gateway.ask("PUT", path, {});
  await until("the route", isReceived);
  client.halt();
  const askedAtMs = performance.now();
  expect(await gateway.ask("DELETE", "/api/announcements")).toEqual({ prefixes: 1 });
  await until("no route", async () => !(await isReceived()));
  process.stderr.write(`everything is withdrawn after ${Math.round(performance.now() - askedAtMs)} ms\n`);
  // The user's own daemon still announces it.
  expect(await client.bird.routes(`where net = ${leased}`)).toHaveLength(1);
  client.resume();
  await outcome("withdrawn");
  await gateway.ask("PUT", path, {});
  await until("the route again", isReceived);
});
