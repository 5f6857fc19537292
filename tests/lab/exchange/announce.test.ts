/**
 * Announcements by the gateway, on real parts: a wish reaches the user's BIRD and the exchange's, what they make of it
 * comes back, and withdrawing everything does not need the client stack.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type * as v from "valibot";
import { announcementRows } from "../../../apps/client/peering/announcement-rows.ts";
import type { announcementsAnswer } from "../../../lib/api/announcements.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { LabClient } from "./lab-client.ts";

setDefaultTimeout(60_000);
let lab: ExchangeLab;
let gateway: GatewayProcess;
let client: LabClient;
const leased = "2001:db8:20ab::/48";
const path = `/api/announcements/${encodeURIComponent(leased)}`;
const asn = 65_000;
const user = sampleUser(66, { subject: GatewayProcess.subject, asn, leases: [] });

beforeAll(async () => {
  gateway = await GatewayProcess.start(leased, "announcements: {prefix_minutes: 0, per_hour_max: 100}");
  await gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
  lab = await ExchangeLab.start({ users: [user], gatewayUrl: gateway.url });
  client = await LabClient.start(lab, { asn, prefixes: [], gatewayUrl: gateway.url });
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

const isHeard = () => lab.birds.upstream.hears(leased);
const list = async () =>
  (await gateway.ask("GET", "/api/announcements")) as v.InferOutput<typeof announcementsAnswer>;
const pathAtExchange = async () => (await lab.birds.exchange.routes(`where net = ${leased}`))[0]?.path;
/** The row of the wish of which the exchange says so. */
const outcome = (exchange: string) =>
  until(`the exchange's word: ${exchange}`, async () => {
    return announcementRows(await list()).find(({ state }) => state?.exchange === exchange) ?? false;
  });

test("a prefix that no environment names is announced by a wish, and all sides say so in order", async () => {
  await gateway.ask("PUT", path, { prepend: 2 });
  await until("the route at the upstream", isHeard);
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
});

test("a wish for one server overrules the one for all there, and withdrawing at it is confirmed", async () => {
  await gateway.ask("PUT", path, { servers: ["ixp-1"] });
  await until("the plain path", async () => (await pathAtExchange()) === String(asn));
  await gateway.ask("DELETE", `${path}?server=ixp-1`);
  await until("no route at the upstream", async () => !(await isHeard()));
  expect((await outcome("withdrawn")).state?.announce).toBe(false);
});

test("an announcement ends at its time at the exchange and at the client, with the gateway's word for it", async () => {
  const ends = new Date(Date.now() + 3000);
  await gateway.ask("PUT", path, { until: ends.toISOString() });
  await until("the route", isHeard);
  await until("no route", async () => !(await isHeard()));
  expect(Date.now()).toBeGreaterThanOrEqual(ends.getTime());
  await until("the end at the gateway", async () => (await list()).announcements[0]?.announce === false);
});

test("withdrawing everything leaves the exchange while the client stack hangs", async () => {
  await gateway.ask("PUT", path, {});
  await until("the route", isHeard);
  client.halt();
  const askedAtMs = performance.now();
  expect(await gateway.ask("DELETE", "/api/announcements")).toEqual({ prefixes: 1 });
  await until("no route", async () => !(await isHeard()));
  process.stderr.write(`everything is withdrawn after ${Math.round(performance.now() - askedAtMs)} ms\n`);
  // The user's own daemon still announces it.
  expect(await client.bird.routes(`where net = ${leased}`)).toHaveLength(1);
  client.resume();
  await outcome("withdrawn");
  await gateway.ask("PUT", path, {});
  await until("the route again", isHeard);
});
