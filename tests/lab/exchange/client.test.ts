/** A user who joins the exchange with `vantage bootstrap`: a real BIRD on the configuration that it renders. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { elapsedSec } from "../../../lib/peering/bird/elapsed.ts";
import { exchangeDevice } from "../../contract/bootstrap/tailscaled.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { LabClient } from "./lab-client.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const strange = "2001:db8:20ac::/48";
const user = sampleUser(66, { leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }] });
const others = plan.users.filter(({ asn }) => asn !== user.asn);
let lab: ExchangeLab;
let client: LabClient;
let upSince: string;

beforeAll(async () => {
  lab = await ExchangeLab.start({ users: [...others, user] });
  client = await LabClient.start(lab, { asn: user.asn, prefixes: [leased, strange] });
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});

const isReceived = () => lab.birds.upstream.hears(leased);
const verdictOn = async (prefix: string) => {
  const { prefixes } = await client.status();
  return prefixes.find((one) => one.prefix === prefix)?.exchanges[0];
};
const session = async () => (await client.bird.sessions()).find(({ name }) => name === "ixp_100_64_0_1");
/** Up, and since the same time: BIRD works that time out for each answer, and its last digit moves. */
const isUntouched = async () => {
  const { isUp, since } = (await session()) ?? { isUp: false, since: "" };
  return isUp && elapsedSec(upSince, since) === 0;
};

test("a user who starts it receives the full table, and the leased prefix is heard at the upstream", async () => {
  await until("the route at the upstream", isReceived);
  await until("the full table", () => client.bird.hears(plan.farPrefix(plan.farRoutes - 1)));
  upSince = (await session())?.since ?? "";
  const [exchange] = await until("the session's state", async () => {
    const { exchanges } = await client.status();
    return exchanges[0]?.is_up === true && exchanges[0].accepted_routes > plan.farRoutes / 2 && exchanges;
  });
  expect(exchange).toMatchObject({ name: "ixp-1", state: "Established", is_up: true });
});

test("the status tells what the exchange has taken, and what it refuses with the reason and what to do", async () => {
  await until("the exchange's word", async () => (await verdictOn(leased))?.verdict === "announced");
  expect(await verdictOn(leased)).toMatchObject({ as_path: String(user.asn) });
  const outside = await until("who hears it outside", async () => {
    const { heard_by: heardBy = [] } = (await verdictOn(leased)) ?? {};
    return heardBy.length > 1 && heardBy;
  });
  expect(outside.toSorted((a, b) => a.asn - b.asn)).toEqual([
    { name: "upstream_transit", asn: plan.upstreamAsn },
    { name: "route_server_rs1", asn: plan.serverAsn },
  ]);
  await until("the refusal", async () => (await verdictOn(strange))?.verdict === "refused");
  expect(await verdictOn(strange)).toMatchObject({
    explanation: "the prefix is not exactly one that the user has leased",
    advice: "Lease the prefix at the gateway, or take it out of USER_PREFIXES",
  });
  expect((await client.status()).prefixes.map(({ lease }) => lease)).toEqual(["leased", "missing"]);
});

test("announce, withdraw and prepend by command reach the upstream, and leave it", async () => {
  await client.command("withdraw", leased, "--at", "ixp-1");
  await until("no route at the upstream", async () => !(await isReceived()));
  expect(await verdictOn(leased)).toMatchObject({ verdict: "withdrawn" });
  await client.command("announce", leased, "--prepend", "2", "--wait");
  await until("the route again", isReceived);
  const [route] = await lab.birds.exchange.routes(`where net = ${leased}`);
  expect(route?.path).toBe([user.asn, user.asn, user.asn].join(" "));
  await client.command("announce", leased, "--wait");
  await until("the plain path", async () => {
    const [plain] = await lab.birds.exchange.routes(`where net = ${leased}`);
    return plain?.path === String(user.asn);
  });
  await expect(client.command("announce", "2001:db8:9::/48")).rejects.toThrow("not in USER_PREFIXES");
});

test("another exchange that appears is joined, and the session that is up is not touched", async () => {
  client.tailscaled.peers = [exchangeDevice(1), exchangeDevice(99)];
  await until("the other session", async () =>
    (await client.bird.sessions()).some(({ name }) => name === "ixp_100_64_0_99"),
  );
  expect(await isUntouched()).toBe(true);
});

test("a lease that ends leaves the upstream, and the status says so", async () => {
  lab.sources.change([...others, { ...user, leases: [] }]);
  await until("no route at the upstream", async () => !(await isReceived()));
  await until("its end in the status", async () => (await client.status()).prefixes[0]?.lease === "missing");
  await until("the refusal", async () => (await verdictOn(leased))?.verdict === "refused");
});

test("all that time the session stayed up, and the user's own snippet is in force as it was", async () => {
  expect(await isUntouched()).toBe(true);
  expect(await client.bird.ask("eval MINE")).toEqual(["42"]);
  expect(readdirSync(client.snippets)).toEqual(["mine.conf"]);
});
