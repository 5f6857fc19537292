/**
 * What each release has written is read, and written on, by today's programs.
 *
 * @tier long: what earlier releases wrote changes only with a release
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleReply } from "../contract/store/samples.ts";
import { until } from "../exchange/until.ts";
import { startPostgres } from "../postgres/postgres.ts";
import type { PostgresProcess } from "../postgres/postgres-process.ts";
import { onPeering, onProbing } from "./gateway-homes.ts";
import { type PeeringContents, peeringFacts } from "./peering-contents.ts";
import {
  peeringDatabase,
  platformFacts,
  probingDatabase,
  publishReplies,
  readKept,
  repliesIn,
  startPlatform,
} from "./platform-contents.ts";
import { call, type ProbingContents, probingFacts, submit } from "./probing-contents.ts";
import {
  contentsOf,
  dumped,
  engines,
  execute,
  loadDump,
  releases,
  releasesFolder,
  schemas,
  unpack,
} from "./release-files.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-upgrade-"));
let server: PostgresProcess;

beforeAll(async () => {
  server = await startPostgres();
  for (const version of releases()) {
    unpack(join(releasesFolder, version, "platform.tar.xz"), join(folder, version));
  }
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function loaded(version: string, schema: string): Promise<string> {
  const address = await server.createDatabase();
  loadDump(join(releasesFolder, version, `${schema}.sql`), address);
  return address;
}

async function tryProbing(address: string, { agentKey, facts }: ProbingContents): Promise<void> {
  await onProbing(address, async (home) => {
    expect(await probingFacts(home)).toEqual(facts);
    // With details, as agents of each version of ours report.
    const health = { healthy: true, message: null, details: { report_interval_ms: 1000 } };
    await call(home, agentKey, "POST", "/agent-api/agent/west/health", health);
    expect(await submit(home, "anna", 3)).toMatch(/^[0-9a-f-]{36}$/);
  });
}

async function tryPeering(address: string, { serviceKey, facts }: PeeringContents): Promise<void> {
  await onPeering(address, async (home) => {
    const today = await peeringFacts(home);
    // A lease that was live then may have ended, which is written behind the rest.
    expect<unknown>({ ...today, audit: today.audit.slice(0, facts.audit.length) }).toEqual(facts);
    expect((await home.send(serviceKey, "GET", "/service/mappings")).status).toBe(200);
    expect((await home.ask("dora", "POST", "/api/user/asn")).body.asn).toBe(65_003);
  });
}

const wideAgent = `
  INSERT INTO agents (agent_id, registered_at, config) VALUES ('wide', now(), '[
    {"name": "a", "src_ipv4_prefix": "198.18.0.1/16", "src_ipv6_prefix": "2001:da0::/28"},
    {"name": "b", "src_ipv4_prefix": "0.0.0.0/0", "src_ipv6_prefix": "2001:db8::/29"},
    {"name": "c", "src_ipv4_prefix": null, "src_ipv6_prefix": null}]'), ('bare', now(), '[]'), ('new', null, null)`;

test("there is a release to try", () => {
  expect(releases()).not.toEqual([]);
});

describe.each(releases())("of %s", (version) => {
  const contents = contentsOf(version);

  const addressOf = {
    postgres: (schema: string) => loaded(version, schema),
    pglite: async (schema: string) =>
      `pglite:${join(folder, version, schema === "probing" ? probingDatabase : peeringDatabase)}`,
  };

  test.each(engines)("the probing gateway's database, in %s", async (engine) =>
    tryProbing(await addressOf[engine]("probing"), contents.probing[engine]),
  );

  test.each(engines)("the peering gateway's database, in %s", async (engine) =>
    tryPeering(await addressOf[engine]("peering"), contents.peering[engine]),
  );

  // 0.1.0 believed whatever agents said.
  test.if(version === "0.1.0")(
    "of agents' prefixes, those no wider than one network's are granted",
    async () => {
      const old = await loaded(version, "probing");
      execute(old, wideAgent);
      await onProbing(old, async (home) => {
        const read = (id: string) => call(home, home.services.adminKey, "GET", `/admin/agents/${id}`);
        const [prefix] = ["2001:db8:1234::/48"];
        expect(await read("west")).toMatchObject({
          ...{ granted_prefixes: [prefix], pending_prefixes: [] },
          config: [{ name: "main", src_ipv6_prefix: prefix }],
        });
        expect(await read("wide")).toMatchObject({
          granted_prefixes: ["2001:db8::/29", "198.18.0.0/16"].sort(),
          pending_prefixes: ["0.0.0.0/0", "2001:da0::/28"],
          config: [
            { name: "a", src_ipv4_prefix: "198.18.0.1/16", src_ipv6_prefix: null },
            { name: "b", src_ipv4_prefix: null, src_ipv6_prefix: "2001:db8::/29" },
            { name: "c" },
          ],
        });
      });
    },
  );

  test.each(schemas)("the schema %s, brought up to date, is that of a new database", async (schema) => {
    const start = schema === "probing" ? onProbing : onPeering;
    const [old, fresh] = [await loaded(version, schema), await server.createDatabase()];
    await start(old, async () => {});
    await start(fresh, async () => {});
    expect(dumped(old, "--schema-only")).toBe(dumped(fresh, "--schema-only"));
  });

  test("the embedded log and the column store", async () => {
    const platform = join(folder, version);
    const { kept, ...facts } = contents.platform;
    expect(await readKept(platform)).toEqual([...kept]);
    await using _stack = await startPlatform(platform);
    // A row of today has more columns.
    expect(await platformFacts(platform)).toMatchObject(facts);
    await publishReplies(platform, [sampleReply(7), sampleReply(8)]);
    const rows = facts.replies.length + 2;
    await until("rows of new replies", async () => (await repliesIn(platform)).length >= rows);
    expect((await repliesIn(platform)).length).toBe(rows);
  });
});
