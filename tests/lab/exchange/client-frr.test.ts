/** A user whose daemon is FRR: real zebra, staticd and bgpd on the configuration that `vantage bootstrap` renders. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { routerLooks } from "../../../apps/peering/bootstrap/checkup/router.ts";
import { readBootstrapConfig } from "../../../apps/peering/bootstrap/config.ts";
import { examine } from "../../../lib/command/checkup/examine.ts";
import { exchangeDevice } from "../../contract/bootstrap/tailscaled.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { until } from "../../exchange/until.ts";
import { run } from "../namespaces.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { LabClient } from "./lab-client.ts";
import type { FrrNeighbor } from "./lab-frr.ts";
import * as plan from "./plan.ts";

const leased = "2001:db8:20ab::/48";
const user = sampleUser(66, { leases: [{ prefix: leased, end_time: "2035-01-01T00:00:00Z" }] });
let lab: ExchangeLab;
let client: LabClient;
let before: FrrNeighbor | null;

beforeAll(async () => {
  lab = await ExchangeLab.start({ users: [...plan.users.filter(({ asn }) => asn !== user.asn), user] });
  client = await LabClient.start(lab, { asn: user.asn, prefixes: [leased], daemon: "frr" });
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});

const session = () => client.frr.neighbor(plan.exchangeMember.v4);
const pathAtExchange = async () => {
  const [route] = await lab.birds.exchange.routes(`where net = ${leased}`);
  return route?.path ?? null;
};
const exchangeAt = async (index: number) => (await client.status()).exchanges[index];

test("a user with FRR joins: the prefix is heard at the upstream, and the status knows the full table", async () => {
  await until("the route at the upstream", () => lab.birds.upstream.hears(leased));
  const full = plan.farRoutes - plan.invalidRoutes;
  const exchange = await until("the full table", async () => {
    const now = await exchangeAt(0);
    return now !== undefined && now.accepted_routes > full && now;
  });
  expect(exchange).toMatchObject({ name: "ixp-1", is_up: true, state: "Established", last_error: null });
  await until("the exchange's word", async () => {
    const [own] = (await client.status()).prefixes;
    return own?.exchanges[0]?.verdict === "announced";
  });
  before = await session();
});

test("nothing of the table is in the kernel, and its forwarding is as it was", async () => {
  const routes = await run(lab.net.at("rogue", ["ip", "-6", "route"]));
  expect(routes).not.toContain(plan.farPrefix(plan.farRoutes - 1).split("/")[0] ?? "?");
  expect(routes).not.toContain("proto bgp");
  const forwarding = await run(lab.net.at("rogue", ["sysctl", "-n", "net.ipv6.conf.all.forwarding"]));
  expect(forwarding.trim()).toBe("0");
});

const order = (announce: boolean, prepend: number) =>
  client.order({ prefix: leased, exchange: null, announce, prepend });

test("a withdrawal, another exchange and what the user has added come into force together", async () => {
  writeFileSync(join(client.snippets, "mine.conf"), "ipv6 prefix-list mine seq 5 permit 2001:db8:77::/48\n");
  client.tailscaled.peers = [exchangeDevice(1), exchangeDevice(98)];
  await order(false, 0);
  await until("no route", async () => (await pathAtExchange()) === null);
  const other = await until("the other session's state", async () => {
    const now = await exchangeAt(1);
    return now !== undefined && now.state !== "unknown" && now;
  });
  expect(other).toMatchObject({ name: "ixp-98", is_up: false });
  expect(other.last_error).not.toBeNull();
  expect(await client.frr.ask("show running-config")).toContain("ipv6 prefix-list mine");
});

test("an announcement with prepends reaches the exchange", async () => {
  await order(true, 2);
  const thrice = [user.asn, user.asn, user.asn].join(" ");
  await until("the long path", async () => (await pathAtExchange()) === thrice);
});

test("the doctor reads FRR: its version, its file, a session that is up and one that is not", async () => {
  const file = join(client.folder, "bootstrap.yaml");
  const source = { name: file, text: readFileSync(file, "utf8") };
  const { daemon } = readBootstrapConfig(source, { USER_ASN: String(user.asn) });
  const findings = await examine(routerLooks(daemon));
  expect(findings.map(({ level, what }) => `${level} ${what}`)).toEqual([
    "ok FRR",
    "ok FRR's configuration",
    "ok session with 100.64.0.1",
    "fail session with 100.64.0.98",
  ]);
  const broken = join(client.folder, "broken.conf");
  writeFileSync(broken, "router nonsense 7\n");
  const [, unread, away] = await examine(
    routerLooks({ ...daemon, configFile: broken, controlSocket: "/proc/none" }),
  );
  expect([unread?.level, unread?.found]).toEqual(["fail", expect.stringContaining("Unknown command")]);
  expect([away?.level, away?.what]).toEqual(["fail", "sessions"]);
});

test.each([
  ["cannot read", "router nonsense 7\n", "Unknown command"],
  // Its own address, which only bgpd knows.
  [
    "reads and then refuses",
    `router bgp ${user.asn}\n neighbor 100.64.0.66 remote-as 64500\n`,
    "local system",
  ],
])("what FRR %s is named, and changes nothing", async (_name, text, complaint) => {
  const good = readFileSync(client.daemonFile, "utf8");
  const broken = join(client.snippets, "broken.conf");
  writeFileSync(broken, text);
  const problem = await until("the complaint", async () => (await client.status()).problems[0]);
  expect(problem.text).toContain(complaint);
  await until("the good file", () => readFileSync(client.daemonFile, "utf8") === good);
  rmSync(broken);
  await until("peace", async () => (await client.status()).problems.length === 0);
});

test("all that time the first session stayed up", async () => {
  const { connectionsEstablished, connectionsDropped } = before ?? {};
  expect(await session()).toMatchObject({
    bgpState: "Established",
    connectionsEstablished,
    connectionsDropped,
  });
});
