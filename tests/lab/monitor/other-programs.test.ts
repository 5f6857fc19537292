/**
 * What other programs read of the collector is what the daemons have: Alice-LG by birdwatcher's routes, nxthdr's
 * command by RIPEstat's. Both are built elsewhere, unmodified: VANTAGE_ALICE and VANTAGE_NXTHDR_CLI name them.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../exchange/until.ts";
import { Alice, type AliceRoute } from "./alice.ts";
import { MonitorLab } from "./monitor-lab.ts";
import { links, listenerAsn, speakerAsn } from "./monitor-net.ts";
import { told } from "./told.ts";

const limitMs = 120_000;
const isRefused = (index: number) => index % 6 === 1 || index % 6 === 4;
const refused = told.flatMap(({ prefix }, i) => (isRefused(i) ? [prefix] : [])).sort();
const taken = told.flatMap(({ prefix }, i) => (isRefused(i) ? [] : [prefix])).sort();
const all = told.map(({ prefix }) => prefix).sort();

const routers = { bird: "192.0.2.2", frr: "127.0.0.1" };
const neighbors = {
  bird: `bgp_${links.collector.near.replaceAll(":", "_")}`,
  frr: `bgp_${links.router.near.replaceAll(":", "_")}`,
};

const { VANTAGE_ALICE: aliceBinary, VANTAGE_NXTHDR_CLI: cliBinary } = process.env;

let lab: MonitorLab;
beforeAll(async () => {
  lab = await MonitorLab.start(refused);
  await lab.tell(() => true);
  // FRR 8.4 says what it has refused when it connects, and never later.
  await until("FRR's routes", async () => (await frrPrefixes("routes")).length === taken.length, limitMs);
  await lab.startCollector();
  const isThere = async () => {
    const counts = [
      await networks("frr", `routes/protocol/${neighbors.frr}`),
      await networks("frr", `routes/filtered/${neighbors.frr}`),
      await networks("bird", `routes/protocol/${neighbors.bird}`),
    ].map((found) => found.length);
    return counts.join() === [taken.length, refused.length, told.length].join();
  };
  await until("all routes", isThere, limitMs);
});
afterAll(() => lab[Symbol.asyncDispose]());

async function birdwatcher(router: keyof typeof routers, path: string): Promise<unknown> {
  const url = `http://127.0.0.1:8096/birdwatcher/${routers[router]}/${path}`;
  return JSON.parse(await lab.runBeside(["curl", "-sS", url]));
}

async function networks(router: keyof typeof routers, path: string): Promise<string[]> {
  const { routes = [] } = (await birdwatcher(router, path)) as { routes?: { network: string }[] };
  return routes.map(({ network }) => network).sort();
}

/** Prefixes that bgpd names in its answers of both families. */
async function frrPrefixes(kind: "routes" | "filtered-routes"): Promise<string[]> {
  const answers = await Promise.all(
    ["ipv4", "ipv6"].map((family) =>
      lab.askFrr(`show bgp ${family} unicast neighbors ${links.router.near} ${kind}`),
    ),
  );
  const text = JSON.stringify(answers);
  return [...new Set([...text.matchAll(/"([\da-f.:]+\/\d+)":/g)].map(([, prefix]) => prefix ?? ""))].sort();
}

test("the routes that are shown as taken and refused are those that the daemons have taken and refused", async () => {
  expect(await frrPrefixes("routes")).toEqual(taken);
  expect(await frrPrefixes("filtered-routes")).toEqual(refused);
  expect((await lab.birdPrefixes()).sort()).toEqual(all);
  expect(await networks("frr", `routes/protocol/${neighbors.frr}`)).toEqual(taken);
  expect(await networks("frr", `routes/filtered/${neighbors.frr}`)).toEqual(refused);
  expect(await networks("frr", "routes/table/master/filtered")).toEqual(refused);
  expect(await networks("bird", `routes/peer/${links.collector.near}`)).toEqual(all);
  expect(await networks("bird", "routes/table/master6")).toEqual(all.filter((one) => one.includes(":")));
  // FRR 8.4 does not tell by BMP what it sends.
  const untold = { status: 404, code: "not_told" };
  expect(await birdwatcher("frr", `routes/noexport/${neighbors.frr}`)).toMatchObject(untold);
});

const shown = (routes: readonly AliceRoute[]) => routes.map(({ network }) => network).sort();

test.skipIf(aliceBinary === undefined)("Alice-LG, unmodified, shows what the daemons have", async () => {
  const alice = await Alice.start(lab, aliceBinary ?? "", routers);
  const { routeservers } = (await alice.get("routeservers")) as { routeservers: { id: string }[] };
  expect(routeservers.map(({ id }) => id).sort()).toEqual(["bird", "frr"]);
  const status = await alice.get("routeservers/frr/status");
  const message = "The collector receives this router's routes";
  expect(status).toMatchObject({ status: { message, router_id: routers.frr } });
  for (const [source, [received, filtered]] of Object.entries({
    frr: [taken, refused],
    bird: [all, []],
  } as const)) {
    const name = source as keyof typeof neighbors;
    const found = (await alice.get(`routeservers/${source}/neighbors`)) as { neighbors: object[] };
    expect(found.neighbors).toMatchObject([
      {
        ...{ id: neighbors[name], asn: speakerAsn, state: "up", routes_accepted: received.length },
        ...{ routes_received: told.length, routes_filtered: filtered.length },
      },
    ]);
    const taken = await alice.routes(source, neighbors[name], "received");
    expect(shown(taken)).toEqual([...received]);
    expect(shown(await alice.routes(source, neighbors[name], "filtered"))).toEqual([...filtered]);
    expect(await alice.routes(source, neighbors[name], "not-exported")).toEqual([]);
    for (const { network, address_family: family, bgp } of taken) {
      const truth = told.find(({ prefix }) => prefix === network);
      const own = source === "frr" ? [listenerAsn] : [];
      expect({ ...bgp, family }).toMatchObject({
        ...{ origin: truth?.origin === "INCOMPLETE" ? "Incomplete" : truth?.origin },
        ...{ as_path: [...own, ...(truth?.asPath ?? [])], med: truth?.med },
        ...{ communities: truth?.communities ?? [], large_communities: truth?.largeCommunities ?? [] },
        family: network.includes(":") ? 2 : 1,
      });
    }
  }
  const { imported, filtered } = (await alice.get(`lookup/prefix?q=${refused[0]}`)) as Record<
    "imported" | "filtered",
    { routes: (AliceRoute & { routeserver: { id: string } })[] }
  >;
  const places = ({ routes }: typeof imported) =>
    routes.map(({ network, routeserver: { id } }) => [network, id]);
  expect(places(imported)).toEqual([[refused[0] ?? "", "bird"]]);
  expect(places(filtered)).toEqual([[refused[0] ?? "", "frr"]]);
});

test.skipIf(cliBinary === undefined)(
  "nxthdr's command, unmodified, shows how far a prefix is seen",
  async () => {
    const [{ prefix, asPath } = { prefix: "", asPath: [] }] = told.filter((_, i) => i % 2 === 1);
    const ask = async (form: string) =>
      await lab.runBeside([
        ...["env", "NXTHDR_RIS_URL=http://127.0.0.1:8096", cliBinary ?? ""],
        ...["-o", form, "peering", "route", "lookup", prefix],
      ]);
    const origin = String(asPath.at(-1));
    const path = asPath.join(" ");
    const rows: unknown = JSON.parse(await ask("json"));
    expect(rows).toEqual([
      { origin, as_path: path, peers: "1", collectors: "1" },
      { origin, as_path: `${listenerAsn} ${path}`, peers: "1", collectors: "1" },
    ]);
    expect(await ask("text")).toMatch(/100% of 2 full-feed RIS peers/);
  },
);
