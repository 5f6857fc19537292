/**
 * A name server at two anycast sites, NSD at each, behind routers of their own: which site each agent reaches, by
 * traces and pings from here and by agents, and by the view of stored results.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { runToEnd } from "../run/said.ts";
import { isLongRun } from "../run/tier.ts";
import { vantageCommand } from "../run/vantage-command.ts";
import { Internet } from "./internet.ts";
import { logIn } from "./login.ts";
import { ipBatch } from "./namespaces.ts";
import { Pipeline } from "./pipeline.ts";
import { end, startReady } from "./ready-process.ts";
import { identity, interfaceTo, linkEnds, nodeNamed } from "./routing.ts";
import { internet, type Topology } from "./topology.ts";

const service = { v4: "198.18.0.53", v6: "2001:db8:53::53" };
const prefix = { v4: `${service.v4}/32`, v6: `${service.v6}/128` };
const sites = ["east", "west"] as const;
const families = ["v4", "v6"] as const;

/** The lab's Internet, with a router and a name server beside each vantage point's first router. */
const topology: Topology = {
  nodes: [
    ...internet.nodes,
    ...sites.flatMap((site, i) => [
      { name: `${site}Hop`, role: "router" as const, id: 31 + i },
      { name: `${site}Ns`, role: "target" as const, id: 41 + i },
    ]),
  ],
  links: [
    ...internet.links,
    ...sites.flatMap((site) => [
      { a: `${site}Access`, b: `${site}Hop` },
      { a: `${site}Hop`, b: `${site}Ns` },
    ]),
  ],
};

let net: Internet;
let pipeline: Pipeline;
const servers: Subprocess[] = [];

beforeAll(async () => {
  net = await Internet.start(topology);
  pipeline = await Pipeline.start(net, { hasGateway: true, isUnicast: true, dnsSites: sites });
  await Promise.all(sites.map(startServer));
  await logIn(pipeline, "anna", () => undefined);
});
afterAll(async () => {
  await Promise.all(servers.map(end));
  await pipeline?.[Symbol.asyncDispose]();
  await net?.stop();
});

/** Routes the service's addresses there; others of the lab's routers have no way to them. */
async function announce(site: (typeof sites)[number]): Promise<void> {
  for (const [node, next] of [
    [`${site}Access`, `${site}Hop`],
    [`${site}Hop`, `${site}Ns`],
  ] as const) {
    const end = linkEnds(topology, node).find(({ interfaceName }) => interfaceName === interfaceTo(next));
    await ipBatch(
      families.map((family) => `route add ${prefix[family]} via ${end?.peer[family]}`),
      "-n",
      net.namespaceOf(node),
    );
  }
}

async function startServer(site: (typeof sites)[number]): Promise<void> {
  await announce(site);
  const folder = join(pipeline.folder, `nsd-${site}`);
  const node = `${site}Ns`;
  mkdirSync(folder);
  await ipBatch(
    Object.values(prefix).map((one) => `address add ${one} dev lo`),
    "-n",
    net.namespaceOf(node),
  );
  const config = join(folder, "nsd.conf");
  writeFileSync(
    config,
    `server:
  ip-address: ${service.v4}
  ip-address: ${service.v6}
  server-count: 1
  username: ""
  identity: "b1.${site}.example"
  nsid: "ascii_n1.${site}.example"
  answer-cookie: ${site === "east" ? "yes" : "no"}
  zonesdir: "${folder}"
  zonelistfile: "${folder}/zone.list"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
remote-control:
  control-enable: no
`,
  );
  await startReady(net.at(node, ["nsd", "-d", "-c", config]), "nsd started", (child) => servers.push(child));
}

/** A user's command where the stack is. */
function user(...args: string[]) {
  return runToEnd(pipeline.command([...vantageCommand, ...args]), { env: pipeline.environment });
}

interface Trace {
  readonly reached: boolean;
  readonly hops: readonly { readonly routers: readonly Router[] }[];
}

interface Router {
  readonly address: string | null;
  readonly says: string;
  readonly sites?: readonly string[];
}

const questions = [
  ["hostname.bind", "DNS answer", "b1"],
  ["nsid", "DNS answer REFUSED", "n1"],
  ...(isLongRun ? [["id.server", "DNS answer", "b1"] as const] : []),
] as const;

const options = ["--flows", "1", "-q", "1", "-o", "ndjson"];

test.each(families.flatMap((family) => questions.map((question) => [...question, family] as const)))(
  "a trace that asks %s names the site and the hops ahead of it",
  async (question, says, name, family) => {
    for (const site of sites) {
      const command = [...vantageCommand, "trace", "--dns", question, ...options, service[family]];
      const { stdout, stderr } = await runToEnd(net.at(site, command));
      expect(stderr).toBe("");
      const { reached, hops }: Trace = JSON.parse(stdout);
      expect(reached).toBe(true);
      expect(hops.map(({ routers: [router] }) => [router?.address, router?.says, router?.sites])).toEqual([
        ...[`${site}Access`, `${site}Hop`].map((node) => [
          identity(nodeNamed(topology, node))[family],
          "",
          undefined,
        ]),
        [service[family], says, [`${name}.${site}.example`]],
      ]);
    }
  },
);

test("agents reach different sites, which the view of stored results lists", async () => {
  for (const family of families) {
    const from = sites.flatMap((site) => ["--from", site]);
    const { stderr } = await user("ping", ...from, "--dns", "id.server", "-c", "2", service[family]);
    expect(stderr).toBe("");
    const [{ measurement_id: id }] = JSON.parse((await user("measurements", "-n", "1", "-o", "json")).stdout);
    expect(JSON.parse((await user("replies", "-v", "sites", id, "-o", "json")).stdout)).toMatchObject(
      sites.map((agent) => ({
        ...{ agent, address: service[family], site: `b1.${agent}.example` },
        ...{ answers: 2, share_percent: 100, errors: 0, rtt_min_ms: expect.any(Number) },
      })),
    );
  }
});

test("a host without a name server answers that the port is closed", async () => {
  const other = identity(nodeNamed(topology, "target")).v4;
  const command = [...vantageCommand, "ping", "--dns", "nsid", "-c", "1", other];
  expect((await runToEnd(net.at("west", command))).stdout).toContain("port unreachable");
});
