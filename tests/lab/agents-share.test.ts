/**
 * Several agents that share the limits of a destination, counted on the wire at the destinations: four agents on two
 * hosts, four users, the real gateway, which divides the limits, and targets behind one router.
 *
 * Each target has a flood of its own, all at the same time: to an address by one user, by all users, to a /24, to a
 * /48, and of TCP.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { serve } from "../../lib/engines/http/serve.ts";
import { GatewayHome } from "../contract/probing-gateway/gateway-home.ts";
import { AgentCaller } from "../contract/probing-gateway-agents/callers.ts";
import { until } from "../exchange/until.ts";
import { type EngineHome, startEngine } from "../postgres/engines.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { AgentRig } from "./agent-rig.ts";
import { FloodWatch } from "./flood-watch.ts";
import { Internet } from "./internet.ts";
import { interfaceTo } from "./routing.ts";
import type { Topology } from "./topology.ts";

/** Packets a second; TCP has a tenth. */
const limits = { user: 20, address: 40, network: 60 };
/** Until all agents have heard of each other, they may add some (docs/operate/probing-gateway-agents.md). */
const settleMs = 5000;
const watchMs = 6000;
const gatewayPort = 8090;
const users = ["ann", "bob", "cid", "dea"];

const floods = [
  { name: "own", prefix: { v4: "198.18.1.0/24", v6: "2001:db8:c1::/48" } },
  { name: "all", prefix: { v4: "198.18.2.0/24", v6: "2001:db8:c2::/48" } },
  { name: "net4", prefix: { v4: "198.18.3.0/24", v6: "2001:db8:c3::/48" } },
  { name: "net6", prefix: { v4: "198.18.4.0/24", v6: "2001:db8:c4::/48" } },
  { name: "tcp", prefix: { v4: "198.18.5.0/24", v6: "2001:db8:c5::/48" } },
] as const;
type FloodName = (typeof floods)[number]["name"];

const hosts = [
  { name: "east", routed: { v4: "10.101.0.0/24", v6: "2001:db8:e000::/48" } },
  { name: "west", routed: { v4: "10.102.0.0/24", v6: "2001:db8:f000::/48" } },
] as const;
const topology: Topology = {
  nodes: [
    ...hosts.map(({ name, routed }, i) => ({ name, role: "vantage" as const, id: 101 + i, routed })),
    { name: "core", role: "router", id: 1 },
    ...floods.map(({ name, prefix }, i) => {
      return { name, role: "target" as const, id: 111 + i, addresses: prefix };
    }),
  ],
  links: [
    ...hosts.map(({ name }) => ({ a: "core", b: name })),
    ...floods.map(({ name }) => ({ a: "core", b: name })),
  ],
};
const agents = hosts.flatMap(({ name: host, routed }) =>
  [0, 1].map((n) => ({
    ...{ host, id: `${host}${n}`, port: 8081 + n },
    v4: routed.v4.replace("0/24", `${128 * n}/25`),
    v6: routed.v6.replace("::/48", `:${n}00::/56`),
  })),
);

/** In a host's namespace: passes the agents' requests on to the gateway, which runs in this process. */
const relay = `
const [port, unix] = process.argv.slice(-2);
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: async (request) => {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const body = method === "GET" ? undefined : await request.arrayBuffer();
  return fetch("http://lab" + pathname + search, { unix, method, headers, body });
} });
`;

const stack = new AsyncDisposableStack();
let database: EngineHome;
let net: Internet;
let rig: AgentRig;
let gateway: GatewayHome;
beforeAll(async () => {
  database = stack.use(await startEngine());
  net = await Internet.start(topology);
  stack.defer(() => net.stop());
  rig = stack.use(await AgentRig.open(net));
  const { user, address, network } = limits;
  const rates = `user_address_rate: ${user}, address_rate: ${address}, network_rate: ${network}`;
  gateway = stack.use(
    await GatewayHome.start({
      databaseAddress: await database.freshDatabase(),
      brokers: rig.brokerAddress,
      yaml: `limits: { ${rates}, probes_per_day: 1000000 }`,
    }),
  );
  const unix = join(rig.folder, "gateway.sock");
  const server = Bun.serve({ unix, fetch: (request) => gateway.fetch(request) });
  stack.defer(() => server.stop(true));
  for (const { name } of hosts) {
    const command = net.at(name, [process.execPath, "-e", relay, String(gatewayPort), unix]);
    const child = Bun.spawn(command, { stdout: "ignore", stderr: "inherit" });
    stack.defer(async () => {
      child.kill("SIGKILL");
      await child.exited;
    });
  }
  await Promise.all(agents.map(startAgent));
});
afterAll(() => stack.disposeAsync());

async function startAgent({ host, id, port, v4, v6 }: (typeof agents)[number]): Promise<void> {
  const { key } = await AgentCaller.create(gateway, id, { granted_prefixes: [v4, v6] });
  const uplink = { name: "uni", interface: interfaceTo("core"), probing_rate: 5000 };
  const config = {
    prober: [{ ...uplink, src_ipv4_prefix: v4, src_ipv6_prefix: v6 }],
    gateway: {
      url: `http://127.0.0.1:${gatewayPort}`,
      agent_key: key,
      agent_secret: `the secret of ${id} here`,
    },
  };
  await rig.start(host, id, config, port);
  await until(`agent ${id}`, async () => {
    const { health } = await gateway.json(null, `/api/agent/${id}`);
    return (health as { healthy: boolean } | null)?.healthy === true;
  });
}

/** By all agents, so many from each: more than any limit lets through in the time of the test. */
async function flood(user: string, targets: readonly string[], each: number, protocol = "udp") {
  const lines = targets.flatMap((target) =>
    Array.from({ length: each }, (_, i) => `${target},${20_000 + i},33434,20,${protocol}\n`),
  );
  const query = `?agents=${agents.map(({ id }) => id).join()}`;
  const response = await gateway.submit(user, lines.join(""), { type: "text/csv", query });
  expect([200, 202]).toContain(response.status);
  return ((await response.json()) as { id: string }).id;
}

async function run(...args: string[]): Promise<string> {
  await using server = serve((request) => gateway.fetch(request), { host: "127.0.0.1", port: 0 });
  const child = Bun.spawn([...vantageCommand, ...args, "--gateway", server.url], {
    env: { ...process.env, VANTAGE_TOKEN: "ann" },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "inherit" },
  });
  return await new Response(child.stdout).text();
}

test("all agents together keep to the limits of an address, a /24, a /48 and of TCP; a campaign says so", async () => {
  const watches = new Map<FloodName, FloodWatch>();
  for (const { name } of floods) {
    const watch = await FloodWatch.start({ net, folder: rig.folder, node: name, neighbour: "core" });
    watches.set(name, stack.use(watch));
  }
  const spread = Array.from({ length: 32 }, (_, i) => i + 1);
  const own = await flood("ann", ["198.18.1.7"], 300);
  await flood("ann", ["198.18.5.7"], 300, "tcp");
  for (const user of users) {
    await flood(user, ["198.18.2.7"], 300);
    await flood(
      user,
      spread.map((i) => `198.18.3.${i}`),
      20,
    );
    await flood(
      user,
      spread.map((i) => `2001:db8:c4:${i}::7`),
      20,
    );
  }
  await Bun.sleep(settleMs + watchMs);

  const seen = new Map<FloodName, number[]>();
  for (const [name, watch] of watches) {
    seen.set(name, await watch.times());
  }
  const last = Math.max(...[...seen.values()].flat());
  const perSec = (name: FloodName) => {
    const times = (seen.get(name) ?? []).filter((at) => at > last - watchMs);
    return (1000 * times.length) / watchMs;
  };
  const found = floods.map(({ name }) => [name, perSec(name)] as const);
  const allowed = [limits.user, limits.address, limits.network, limits.network, limits.user / 10];
  // A probe that waits may leave a moment late, and the next one in time.
  const tooFast = found.filter(([, rate], i) => rate > 1.1 * (allowed[i] ?? 0) + 1);
  const tooSlow = found.filter(([, rate], i) => rate < 0.6 * (allowed[i] ?? 0));
  expect({ found, tooFast, tooSlow }).toEqual({ found, tooFast: [], tooSlow: [] });

  expect(await gateway.json("ann", `/api/measurements/${own}/status`)).toMatchObject({ status: "running" });
  expect(await run("show", own)).toMatch(
    /^[\d,]+ probes had to wait, as their destinations had enough for the moment/m,
  );
  const shown = await run("limits");
  expect(shown).toContain("20 packets/s, 40 with others; TCP a tenth");
  expect(shown).toContain("60 packets/s; TCP a tenth");
});
