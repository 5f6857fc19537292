/** What a client does with what the VPN, the gateway and the user say; the daemon is a real BIRD. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../../../apps/peering/bootstrap/service.ts";
import { birdComplaint } from "../../exchange/bird-parses.ts";
import { ClientHome, one, statusOf, two } from "./client-home.ts";
import { exchangeDevice } from "./tailscaled.ts";

let home: ClientHome;
beforeEach(() => {
  home = new ClientHome();
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
});

const put = (service: Service, request: string | object) => {
  const body = typeof request === "string" ? request : JSON.stringify({ announcements: [request] });
  return service.control.request("/api/announcements", { method: "PUT", body });
};
const sessionsIn = (text: string) => [...text.matchAll(/^protocol bgp (\S+)/gm)].map(([, name]) => name);

test("a first look writes a configuration that BIRD starts with, and BIRD then has it in force", async () => {
  const { client } = home.service();
  await client.look();
  expect(sessionsIn(home.text())).toEqual(["ixp_100_64_0_1"]);
  expect(client.snapshot.failures.daemon).toContain("is it running");
  await home.startBird();
  await client.look();
  expect(client.snapshot).toMatchObject({ isInForce: true, failures: {} });
  expect(readdirSync(home.folder).filter((name) => /\.(new|check)$/.test(name))).toEqual([]);
});

test("a new exchange is joined, and the session that was there is not touched", async () => {
  const { client } = home.service();
  await client.look();
  const bird = await home.startBird();
  await client.look();
  const before = (await bird.ask("show protocols")).find((line) => line.startsWith("ixp_100_64_0_1"));
  home.tailscaled.peers = [exchangeDevice(1), exchangeDevice(2)];
  await client.look();
  const after = await bird.ask("show protocols");
  expect(after.find((line) => line.startsWith("ixp_100_64_0_2"))).toBeDefined();
  expect(after.find((line) => line.startsWith("ixp_100_64_0_1"))?.slice(0, 60)).toBe(
    before?.slice(0, 60) ?? "",
  );
});

test("while the VPN is away or logged out, for however long, the sessions stay", async () => {
  const { client } = home.service();
  await client.look();
  const text = home.text();
  await home.tailscaled.stop();
  home.elapsedMs += 3_600_000;
  await client.look();
  expect(client.snapshot.failures.vpn).toContain("Cannot ask tailscaled");
  home.tailscaled.start();
  home.tailscaled.state = "NeedsLogin";
  home.tailscaled.peers = [];
  home.elapsedMs += 3_600_000;
  await client.look();
  expect(client.snapshot.failures.vpn).toBeUndefined();
  expect(home.text()).toBe(text);
});

test("an exchange that the VPN no longer lists is left after a minute", async () => {
  const { client } = home.service();
  await client.look();
  home.tailscaled.peers = [exchangeDevice(2)];
  home.elapsedMs += 60_000;
  await client.look();
  expect(sessionsIn(home.text())).toEqual(["ixp_100_64_0_1", "ixp_100_64_0_2"]);
  home.elapsedMs += 1;
  await client.look();
  expect(sessionsIn(home.text())).toEqual(["ixp_100_64_0_2"]);
});

test("a client that restarts while the VPN knows nobody yet keeps what its daemon has", async () => {
  await home.service().client.look();
  const text = home.text();
  home.tailscaled.peers = [];
  const { client } = home.service();
  await client.look();
  expect(home.text()).toBe(text);
  home.elapsedMs += 120_000;
  await client.look();
  expect(sessionsIn(home.text())).toEqual([]);
});

test("a gateway that does not state the platform's AS number is reported, with what to set", async () => {
  const service = home.service({ gateway: true, platformAsn: null });
  home.info = { asn: 65_011, active_leases: [] };
  await service.client.look();
  expect((await statusOf(service)).problems).toContainEqual({
    text: "The gateway does not state the platform's AS number, so no session can start",
    advice: "Set platform.asn in the configuration",
  });
});

test("what a user puts into the snippets' folder is used, and never touched", async () => {
  const snippet = join(home.snippets, "mine.conf");
  writeFileSync(snippet, "define MINE = 42;\n");
  const { client } = home.service();
  await client.look();
  const bird = await home.startBird();
  await client.look();
  expect(await bird.ask("eval MINE")).toEqual(["42"]);
  expect(readdirSync(home.snippets)).toEqual(["mine.conf"]);
  expect(readFileSync(snippet, "utf8")).toBe("define MINE = 42;\n");
});

test("a snippet that BIRD cannot read leaves the last good configuration in force, and is named", async () => {
  const { client, app } = home.service();
  await client.look();
  await home.startBird();
  await client.look();
  const text = home.text();
  writeFileSync(join(home.snippets, "broken.conf"), "protocol nonsense {}\n");
  home.tailscaled.peers = [exchangeDevice(1), exchangeDevice(2)];
  await client.look();
  expect(home.text()).toBe(text);
  expect(client.snapshot.failures.daemon).toContain("broken.conf:1");
  expect(await (await app.request("/")).text()).toContain("broken.conf:1");
});

test("while BIRD is away too, what it could not read is not put in place", async () => {
  const { client } = home.service();
  await client.look();
  const text = home.text();
  writeFileSync(join(home.snippets, "broken.conf"), "protocol nonsense {}\n");
  home.tailscaled.peers = [exchangeDevice(1), exchangeDevice(2)];
  await client.look();
  expect(home.text()).toBe(text);
  expect(readdirSync(home.folder).filter((name) => /\.(new|check)$/.test(name))).toEqual([]);
});

test("orders are put into force, outlive a restart, and reach only the exchange that they name", async () => {
  const service = home.service();
  home.tailscaled.peers = [exchangeDevice(1), exchangeDevice(2)];
  await service.client.look();
  const bird = await home.startBird();
  await service.client.look();
  const answer = await put(service, { prefix: one, servers: ["ixp-2"], announce: false });
  expect(answer.status).toBe(200);
  await put(service, { prefix: two, prepend: 2 });
  const verdicts = (await statusOf(service)).prefixes.map(({ exchanges }) =>
    exchanges.map(({ verdict, prepend }) => [verdict, prepend]),
  );
  expect(verdicts).toEqual([
    [
      ["down", 0],
      ["withdrawn", 0],
    ],
    [
      ["down", 2],
      ["down", 2],
    ],
  ]);
  const text = home.text();
  expect(text.match(/bgp_path\.prepend/g)?.length).toBe(4);
  await home.service().client.look();
  expect(home.text()).toBe(text);
  expect((await bird.ask("show protocols")).length).toBeGreaterThan(3);
});

test.each([
  ["a strange prefix", { prefix: "2001:db8:9::/48" }, 404, "not in USER_PREFIXES"],
  ["a strange exchange", { prefix: one, servers: ["ixp-9"] }, 404, "known are ixp-1"],
  ["no name", { prefix: one, servers: ["a\nb"] }, 422, "name of an exchange"],
  ["too many prepends", { prefix: one, prepend: 99 }, 422, "announcements.0.prepend"],
  ["a neighbour's name", { prefix: one, not_to: ["transit"] }, 422, "give its ASN"],
  ["a poisoned path", { prefix: one, poison: [64_999] }, 403, "need a right"],
  ["a long text", "x".repeat(33_000), 413, "more than 32768 bytes"],
])(
  "an order that cannot be followed is refused, and nothing is kept: %s",
  async (_name, body, status, words) => {
    const service = home.service();
    await service.client.look();
    const text = home.text();
    const answer = await put(service, body);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toHaveProperty("message", expect.stringContaining(words));
    await service.client.look();
    expect(home.text()).toBe(text);
  },
);

test("leased prefixes are offered to the VPN, and routes of others stay offered", async () => {
  home.tailscaled.routes = ["10.0.0.0/8"];
  await home.service().client.look();
  expect(home.tailscaled.changes).toEqual([
    { AdvertiseRoutes: ["10.0.0.0/8", one, two], AdvertiseRoutesSet: true },
  ]);
  const { client } = home.service({ prefixes: two });
  await client.look();
  await client.look();
  expect(home.tailscaled.routes).toEqual(["10.0.0.0/8", two]);
  expect(home.tailscaled.changes.length).toBe(2);
});

test("a lease that ends while the gateway is known is withdrawn here, and the page says so", async () => {
  const end = new Date(home.nowMs + 3_600_000).toISOString();
  home.info = { asn: 65_011, active_leases: [one, two].map((prefix) => ({ prefix, end_time: end })) };
  const service = home.service({ gateway: true });
  await service.client.look();
  expect(home.text()).toContain(`if (net ~ [ ${one}, ${two} ]) then accept;`);
  expect((await statusOf(service)).prefixes[0]).toMatchObject({ lease: "leased", seconds_left: 3600 });
  home.info = null;
  home.nowMs += 3_600_000;
  home.elapsedMs += 3_600_000;
  await service.client.look();
  expect(home.text()).not.toContain("then accept;");
  expect(home.tailscaled.routes).toEqual([]);
  expect((await statusOf(service)).prefixes[0]).toMatchObject({ lease: "ended", seconds_left: 0 });
  expect(await (await service.app.request("/")).text()).toContain("the lease has ended");
});

test.each([
  ["refuses", () => new Response("denied", { status: 403 }), "tailscaled's operator"],
  ["is not tailscaled", () => new Response("<html>"), "no JSON"],
  ["has another form", () => Response.json({ Peer: 7 }), "another form"],
])("a service at the socket that %s is reported, and nothing is written", async (_name, failure, words) => {
  home.tailscaled.failure = failure;
  const { client } = home.service();
  await client.look();
  expect(client.snapshot.failures.vpn).toContain(words);
  expect(existsSync(home.configFile)).toBe(false);
});

test("text of strangers in names reaches neither the configuration nor the page's markup", async () => {
  const hostile = [
    'x";\nprotocol bgp evil {}\n#',
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "ixp-1\u0000\u2028",
    "a".repeat(5000),
    "",
  ];
  home.tailscaled.peers = hostile.map((name, index) =>
    exchangeDevice(20 + index, { HostName: name, DNSName: name }),
  );
  const { client, app } = home.service();
  await client.look();
  expect(sessionsIn(home.text())).toEqual(hostile.map((_name, index) => `ixp_100_64_0_${20 + index}`));
  expect(home.text()).not.toMatch(/evil|script|passwd|aaaa/);
  const beside = home.text().replace(/^include ".*";$/m, "");
  expect(birdComplaint(beside)).toBe("");
  const page = await (await app.request("/")).text();
  expect(page).not.toContain("<script>alert");
});

test("routes that the VPN does not deliver, as after a crash, are offered anew", async () => {
  const { client } = home.service({ prefixes: one });
  await client.look();
  expect(home.tailscaled.routes).toEqual([one]);
  home.tailscaled.isServed = false;
  const changes = home.tailscaled.changes.length;
  await client.look();
  expect(home.tailscaled.changes).toHaveLength(changes);
  home.elapsedMs += 31_000;
  await client.look();
  expect(home.tailscaled.changes.slice(changes)).toEqual([
    { AdvertiseRoutes: [], AdvertiseRoutesSet: true },
    { AdvertiseRoutes: [one], AdvertiseRoutesSet: true },
  ]);
});
