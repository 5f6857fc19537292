/**
 * What a request asks of the exchange, of a user whose daemon is FRR: the same communities and paths as of BIRD.
 *
 * @tier long: client-frr.test.ts announces from FRR, too
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
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
const user = sampleUser(66, { subject: GatewayProcess.subject, asn, leases: [] });

beforeAll(async () => {
  gateway = await GatewayProcess.start(
    leased,
    `announcements: {prefix_minutes: 0, per_hour_max: 100, neighbors: [
    {name: transit, asn: ${plan.upstreamAsn}}, {name: rs1, asn: ${plan.serverAsn}}]}`,
  );
  await gateway.ask("POST", "/api/user/prefix", { duration_hours: 1 });
  lab = await ExchangeLab.start({ users: [user], gatewayUrl: gateway.url, announcementsPerHour: 1000 });
  client = await LabClient.start(lab, { asn, prefixes: [], daemon: "frr", gatewayUrl: gateway.url });
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

const pathAt = async (where: "upstream" | "server" | "exchange") =>
  (await lab.birds[where].routes(`where net = ${leased}`))[0]?.path ?? null;
const times = (count: number, hop: number) => Array<number>(count).fill(hop).join(" ");
const actions = async () => (await lab.sessionsSeenFrom(plan.rogueAddress))[0]?.accepted[0]?.actions;

test("prepends, communities and their absence come from FRR as from BIRD", async () => {
  const how = { prepend: 1, prepend_to: { transit: 3 }, not_to: ["rs1"], only_to: ["transit"] };
  await gateway.ask("PUT", path, { ...how, no_export: true, graceful_shutdown: true });
  await until("five hops", async () => (await pathAt("upstream")) === times(5, plan.platformAsn));
  expect(await pathAt("exchange")).toBe(times(2, asn));
  expect(await pathAt("server")).toBe(null);
  expect(await lab.birds.upstream.ask(`show route ${leased} all`)).toContain(
    "\tBGP.community: (65535,0) (65535,65281)",
  );
  const [platform, ours] = [plan.platformAsn, plan.upstreamAsn];
  expect(await actions()).toEqual([
    `${platform}:0:4`,
    `${platform}:0:5`,
    `${platform}:10:${plan.serverAsn}`,
    `${platform}:11:${ours}`,
    `${platform}:23:${ours}`,
  ]);
  await gateway.ask("PUT", path, { prepend: 10 });
  await until("eleven hops", async () => (await pathAt("server")) === times(11, plan.platformAsn));
  expect(await actions()).toEqual([]);
  await gateway.ask("PATCH", `/admin/users/${gateway.userHash}`, { may_poison: true });
  await gateway.ask("PUT", path, { prepend: 1, poison: [64_499, 64_498] });
  await until(
    "a poisoned path",
    async () => (await pathAt("exchange")) === `${asn} ${asn} 64499 64498 ${asn}`,
  );
  await gateway.ask("PATCH", `/admin/users/${gateway.userHash}`, { may_blackhole: true });
  await gateway.ask("PUT", path, { blackhole: ["2001:db8:20ab::5"] });
  const discarded = "where net = 2001:db8:20ab::5/128 && dest = RTD_BLACKHOLE";
  await until("an address discarded", async () => (await lab.birds.exchange.routes(discarded)).length === 1);
  await until("the path", async () => (await pathAt("upstream")) === String(plan.platformAsn));
});
