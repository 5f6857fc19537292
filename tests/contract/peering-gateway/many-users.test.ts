/** Mappings of 20,000 users with a lease each come in pieces, and wait for nobody. (100,000: tests/bench/peering.) */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { type EngineHome, startEngine } from "../../postgres/engines.ts";
import { flushStatistics } from "../../postgres/statistics.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { PeeringHome, serviceKey } from "./peering-home.ts";

const users = 20_000;
let engine: EngineHome;
let database: Database;
let provider: IdentityProvider;
let home: PeeringHome;

beforeAll(async () => {
  engine = await startEngine();
  provider = startIdentityProvider();
  provider.mood = "slow";
  database = await openDatabase(await engine.freshDatabase(), { applicationName: "vantage test" });
  home = await PeeringHome.start({
    database,
    yaml: `email: { provider: auth0, url: "${provider.url}", client_id: reader, client_secret: hush }`,
  });
  await makeUsers();
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  provider[Symbol.dispose]();
  await engine[Symbol.asyncDispose]();
});

/** As so many requests would have left them; the constraint on overlaps is checked for each. */
async function makeUsers(): Promise<void> {
  const { sql } = database;
  const { jwe, kid } = await home.services.cipher.seal("somebody");
  await sql`
    INSERT INTO users (user_hash, subject_jwe, subject_kid, asn)
    SELECT encode(sha256(n::text::bytea), 'hex'), ${jwe}, ${kid}, 4200000000 + n
    FROM generate_series(1, ${users}) AS n`;
  await sql`
    INSERT INTO leases (user_hash, prefix, start_time, end_time, held_until, rpki_enabled)
    SELECT user_hash, prefix_of(x'3fff00000000'::bit(48)::bigint + user_number), vantage_now(),
      vantage_now() + interval '1 day', vantage_now() + interval '1 day', true
    FROM users`;
  await sql`ANALYZE`;
}

test("all of them come in pieces, each user once, newest first", async () => {
  const response = await home.app.request("/service/mappings?email=false", {
    headers: { authorization: `Bearer ${serviceKey}` },
  });
  let piecesBytesMax = 0;
  let text = "";
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    piecesBytesMax = Math.max(piecesBytesMax, piece.length);
    text += piece;
  }
  const { mappings } = JSON.parse(text);
  expect(mappings).toHaveLength(users);
  expect(new Set(mappings.map(({ user_hash }: { user_hash: string }) => user_hash)).size).toBe(users);
  expect(mappings[0]).toMatchObject({ asn: 4_200_020_000, email: null, prefixes: ["3fff:0:4e20::/48"] });
  expect(piecesBytesMax).toBeLessThan(text.length / 5);
});

test("each lease is read once, whatever the number of pages", async () => {
  const { sql } = database;
  const read = async () => {
    await flushStatistics(database);
    const [row] = await sql<{ tuples: string }[]>`
      SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'leases') AS tuples
      FROM pg_stat_user_tables WHERE relname = 'leases'`;
    return Number(row?.tuples);
  };
  const before = await read();
  await home.service("/service/mappings?email=false");
  const tuples = (await read()) - before;
  expect(tuples).toBeGreaterThanOrEqual(users);
  expect(tuples).toBeLessThan(2 * users);
});

test("a reader that stops makes the gateway stop", async () => {
  const { body } = await home.app.request("/service/mappings", {
    headers: { authorization: `Bearer ${serviceKey}` },
  });
  const reader = body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  expect((await home.service("/service/changes")).status).toBe(200);
});
