/** Targets of a discovery as a list of text: at a gateway with a column store, over HTTP and by the command. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listBytesMax } from "../../../apps/probing/campaigns/discovery/limits.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { ResultsHome } from "../probing-gateway-reads/results-home.ts";
import { type Discovery, DiscoveryNetwork, discoveryUser, linksOf } from "./discovery-network.ts";

let engine: EngineHome;
let home: ResultsHome;
let network: DiscoveryNetwork;
const folder = mkdtempSync(join(tmpdir(), "vantage-lists-"));

beforeAll(async () => {
  engine = await startEngine();
  home = await ResultsHome.start(engine);
  network = new DiscoveryNetwork(home);
});
afterAll(async () => {
  await home?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const discover = { strategy: "diamond-miner", settle: 1, router_rate: 1000, probes_max: 3000 };
const order = { agents: "west", ttl: "1-6", discover };
const inside = 170_000;
/** One prefix, and all of its addresses again and again: more bytes than a JSON body may have. */
const list = `# ours\n203.0.113.0/24\n${Array.from({ length: inside }, (_, i) => `203.0.113.${i % 256}\n`).join("")}`;

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  given: object = order,
  packed = false,
) {
  const init = {
    method: "POST",
    headers: { "content-type": "text/plain", ...(packed ? { "content-encoding": "gzip" } : {}) },
    body,
  };
  const query = new URLSearchParams({ order: JSON.stringify(given) });
  return await home.gateway.json(discoveryUser, `${path}?${query}`, init);
}

test("a list beyond a JSON body's size is forecast and discovered like its prefixes", async () => {
  expect(list.length).toBeGreaterThan(2 ** 21);
  const few = await network.post("/api/discoveries/estimate", { ...order, targets: ["203.0.113.0/24"] });
  const { status_code: _, ...known } = few;
  expect(await post("/api/discoveries/estimate", list)).toMatchObject({ ...known, contained: inside });
  const made = await post("/api/discoveries", Bun.gzipSync(list), { ...order, name: "listed" }, true);
  expect(made).toMatchObject({ status_code: 201 });
  const { id } = made.discovery as Discovery;
  const all = await network.toTheEnd(id, new Set());
  expect(await network.shown(id)).toMatchObject({
    ...{ run_state: "done", links: linksOf(all).length, nodes: 7 },
    definition: { targets: [`a list of ${inside + 1}`] },
  });
  const { sql } = home.gateway.services.database;
  const [kept] = await sql`
    SELECT octet_length(targets) AS packed, probes FROM campaign_revisions WHERE campaign_id = ${id}`;
  expect(kept).toMatchObject({ probes: "" });
  expect(Number(kept?.packed)).toBeWithin(1, 100_000);
});

test("a bad line is named by its number, and nothing is kept", async () => {
  const { sql } = home.gateway.services.database;
  const count = async () => Number((await sql`SELECT count(*) FROM campaigns`)[0]?.count);
  const before = await count();
  const bad = await post("/api/discoveries", `${list}203.0.113.1/24\n`);
  expect(bad).toMatchObject({
    status_code: 422,
    fields: [
      {
        path: "targets",
        reason: expect.stringMatching(
          new RegExp(`^line ${inside + 3}: "203.0.113.1/24" is not an address or a prefix: .*203.0.113.0/24`),
        ),
      },
    ],
  });
  expect(await post("/api/discoveries", "# none\n")).toMatchObject({ status_code: 422 });
  expect(await post("/api/discoveries", "::/0")).toMatchObject({ status_code: 422 });
  const large = Bun.gzipSync(Buffer.alloc(listBytesMax + 1, "\n"));
  expect(await post("/api/discoveries", large, order, true)).toMatchObject({ status_code: 413 });
  for (const given of [
    [],
    { ...order, targets: ["192.0.2.0/24"] },
    { ...order, nonsense: 1 },
    { ttl: "1" },
  ]) {
    expect(await post("/api/discoveries", list, given)).toMatchObject({ status_code: 422 });
  }
  expect(await count()).toBe(before);
});

test("a campaign that discovers takes a list; another one does not", async () => {
  const campaign = { ...order, name: "again", every: "1h", max_runs: 2, start: "2100-01-01T00:00:00Z" };
  expect(await post("/api/campaigns", list, campaign)).toMatchObject({ status_code: 201 });
  const { discover: _, ...plain } = campaign;
  const refused = await post("/api/campaigns", list, { ...plain, name: "plain" });
  expect(refused).toMatchObject({
    status_code: 422,
    fields: [{ path: "targets", reason: expect.stringContaining('only with "discover"') }],
  });
});

test("the command sends a large file as a list, and names the line of a bad one", async () => {
  await using server = home.listen();
  const [good, bad] = [join(folder, "good.txt"), join(folder, "bad.txt")];
  writeFileSync(good, list);
  writeFileSync(bad, `${list}203.0.113.256`);
  const check = async (file: string) => {
    const {
      stdout: out,
      stderr: err,
      exitCode,
    } = await runToEnd(
      [
        ...vantageCommand,
        "discover",
        "-a",
        "west",
        "--targets",
        file,
        "--ttl",
        "1-6",
        "--check",
        "-o",
        "json",
      ],
      { env: { PATH: process.env.PATH, VANTAGE_GATEWAY: server.url, VANTAGE_TOKEN: discoveryUser } },
    );
    return { out, err, code: exitCode };
  };
  const said = await check(good);
  expect([said.err, said.code]).toEqual(["", 0]);
  expect(JSON.parse(said.out)).toMatchObject({ prefixes: 1, contained: inside });
  const refused = await check(bad);
  expect([refused.code === 0, refused.err]).toEqual([
    false,
    expect.stringContaining(`bad.txt, line ${inside + 3}: "203.0.113.256" is not an address or a prefix`),
  ]);
});
