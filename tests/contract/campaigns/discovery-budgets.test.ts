/** Budgets of prefixes at a gateway: the second run gives agents what the links of the first one are worth. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { assignPrefixes } from "../../../lib/measuring/discovery/agent-budgets.ts";
import { PrefixSet } from "../../../lib/measuring/discovery/prefix-set.ts";
import { mix32 } from "../../../lib/measuring/probing/mixer.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { bringForward } from "../probing-gateway/campaign-time.ts";
import { addAgent } from "../probing-gateway/gateway-home.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";
import { DiscoveryNetwork, discoveryUser, linksOf } from "./discovery-network.ts";

let engine: EngineHome;
let home: ResultsHome;
let network: DiscoveryNetwork;

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
  await addAgent(home.gateway, "east");
  network = new DiscoveryNetwork(home);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

const prefixes = 6;
const asked = {
  agents: "west,east",
  targets: Array.from({ length: prefixes }, (_, i) => `203.0.${i}.0/24`),
  ttl: "1-6",
  discover: {
    strategy: "diamond-miner",
    settle: 1,
    router_rate: 1000,
    probes_max: 5000,
    budget_prefixes: 3,
  },
};

test("says before it begins which prefixes nobody will probe", async () => {
  const wide = await network.post("/api/discoveries/estimate", asked);
  expect(wide).toMatchObject({ prefixes, prefixes_each: 3, prefixes_left: 0, probes_first_round: 6 * 36 });
  const discover = { ...asked.discover, budget_prefixes: 2 };
  const narrow = await network.post("/api/discoveries/estimate", { ...asked, discover });
  expect(narrow).toMatchObject({ prefixes_each: 2, prefixes_left: 2, probes_first_round: 4 * 36 });
});

test("each agent has its share: drawn in the first run, by its links in the second", async () => {
  const campaign = { ...asked, name: "budgets", every: "1h", max_runs: 2, spread: 0 };
  const made = await network.post("/api/campaigns", campaign);
  const { id } = (made.campaign ?? made) as { id: string };
  const first = await playRun(id, 0);
  expect(first.size).toBe(6);
  const shown = (await (await home.get(discoveryUser, `/api/discoveries/${id}`)).json()) as object;
  const each = ["east", "west"].map((agent) => ({ agent, prefixes: 3 }));
  expect(shown).toMatchObject({ run: 0, run_state: "done", shares: each });
  const { sql } = home.gateway.services.database;
  await bringForward(sql, 3600);
  const second = await playRun(id, 1);
  const agents = ["east", "west"];
  const links = [...new Set([...first.values()].flatMap(linksOf))];
  const seen = [...first].map(([place, probes]) => {
    const [agent = "", prefix] = place.split(" ");
    const own = linksOf(probes).map((link) => links.indexOf(link));
    return { agent: agents.indexOf(agent), prefix: Number(prefix), links: own };
  });
  const seed = mix32(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16), 1);
  const shares = assignPrefixes(seen, { budgets: [3, 3], prefixes, randomShare: 0.1, seed });
  const rows = await sql<{ agent: string; units: Uint8Array }[]>`
    SELECT agent, units FROM discovery_shares WHERE campaign_id = ${id} AND run = 1 ORDER BY agent`;
  expect(rows.map(({ agent, units }) => [agent, ...prefixesOf(units)])).toEqual(
    agents.map((agent, at) => [agent, ...prefixesOf(shares[at]?.bytes ?? new Uint8Array())]),
  );
  expect([...second.keys()].sort()).toEqual(
    rows.flatMap(({ agent, units }) => prefixesOf(units).map((prefix) => `${agent} ${prefix}`)),
  );
});

function prefixesOf(units: Uint8Array): number[] {
  const set = new PrefixSet(units);
  return Array.from({ length: prefixes }, (_, prefix) => prefix).filter((prefix) => set.has(prefix));
}

/** Plays parts until the run is over; gives what was sent, by `agent prefix`. */
async function playRun(id: string, run: number) {
  const { campaigns, database } = home.gateway.services;
  const probes = new Map<string, Awaited<ReturnType<typeof network.play>>>();
  const played = new Set<string>();
  for (let state = ""; state !== "done"; ) {
    const parts = await database.sql<{ id: string; agent: string }[]>`
      SELECT measurement_id::text AS id, agent_id AS agent
      FROM campaign_steps JOIN measurement_agents USING (measurement_id) WHERE campaign_id = ${id} AND run = ${run}`;
    for (const part of parts.filter((one) => !played.has(one.id))) {
      played.add(part.id);
      for (const probe of await network.play(part.id)) {
        const place = `${part.agent} ${probe.destination.split(".")[2]}`;
        probes.set(place, [...(probes.get(place) ?? []), probe]);
      }
      await home.end(part.id, 60);
    }
    campaigns.wake();
    await Bun.sleep(50);
    const [row] = await database.sql<{ state: string }[]>`
      SELECT state FROM campaign_runs WHERE campaign_id = ${id} AND run = ${run}`;
    state = row?.state ?? "";
  }
  return probes;
}
