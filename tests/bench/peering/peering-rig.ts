/** A peering gateway on one core, with a real PostgreSQL, a pool of any size, and users with issued tokens. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { configText, serviceKey } from "../../contract/peering-gateway/peering-home.ts";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { startTestIssuer } from "../../issuer/issuer.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import { peakKbOf } from "../pipeline/process-usage.ts";

/** Users x leases of each: more than the pool that is filled, as loads do not ask for all users equally often. */
const users = 1536;
const leasesPerUser = 64;

export class PeeringRig implements AsyncDisposable {
  readonly gateway: GatewayProcess;
  readonly database: Database;
  readonly tokens: readonly string[];
  readonly #owned: AsyncDisposableStack;

  private constructor(
    gateway: GatewayProcess,
    database: Database,
    tokens: readonly string[],
    owned: AsyncDisposableStack,
  ) {
    this.gateway = gateway;
    this.database = database;
    this.tokens = tokens;
    this.#owned = owned;
  }

  /** `folder` is made for it. */
  static async start(folder: string, poolPrefixes: number): Promise<PeeringRig> {
    mkdirSync(folder);
    await using undo = new AsyncDisposableStack();
    const postgres = undo.use(await startPostgres());
    const issuer = undo.use(await startTestIssuer());
    const address = await postgres.createDatabase();
    const pool = join(folder, "pool.txt");
    writeFileSync(pool, poolText(poolPrefixes));
    const config = join(folder, "gateway.yaml");
    const leases = `{ pool_file: "${pool}", per_user_max: ${leasesPerUser} }`;
    const yaml = `oidc: { issuer: "${issuer.url}", audiences: ["${issuer.audience}"] }`;
    const asns = '{ pool: ["4200000000-4294967294"] }';
    writeFileSync(config, configText({ leases, asns, yaml }, folder, address));
    const gateway = await GatewayProcess.start(config, ["taskset", "-c", "0"], "peering-gateway");
    undo.defer(() => gateway.kill());
    const database = undo.use(await openDatabase(address, { applicationName: "bench" }));
    const tokens = await Promise.all(Array.from({ length: users }, (_, i) => issuer.tokenFor(`user${i}`)));
    return new PeeringRig(gateway, database, tokens, undo.move());
  }

  /** So many users with a lease each, besides those that have tokens. */
  async addUsers(count: number): Promise<void> {
    const { sql } = this.database;
    await sql`
      INSERT INTO users (user_hash, subject_jwe, subject_kid, asn)
      SELECT encode(sha256(n::text::bytea), 'hex'), '', 'first', n FROM generate_series(1, ${count}) AS n`;
    await sql`
      INSERT INTO leases (user_hash, prefix, start_time, end_time, held_until, rpki_enabled)
      SELECT user_hash, prefix_of(x'3ffe00000000'::bit(48)::bigint + asn), now, now + '1 day', now + '1 day', true
      FROM users, (SELECT vantage_now()) AS clock (now) WHERE asn <= ${count}`;
    await sql`ANALYZE`;
  }

  /** Milliseconds until all mappings have come, and how many. */
  async readMappings(): Promise<{ readonly elapsedMs: number; readonly users: number }> {
    const startedAtMs = performance.now();
    const response = await fetch(`${this.gateway.url}service/mappings`, {
      headers: { authorization: `Bearer ${serviceKey}` },
    });
    const text = await response.text();
    const elapsedMs = performance.now() - startedAtMs;
    return { elapsedMs, users: JSON.parse(text).mappings.length };
  }

  /** Most memory that the gateway has had. */
  peakMb(): number {
    return peakKbOf(this.gateway.pid) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

/** A /48 a line, as people write them. */
function poolText(prefixes: number): string {
  const line = (i: number) => `3fff:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::/48`;
  return Array.from({ length: prefixes }, (_, i) => line(i)).join("\n");
}
