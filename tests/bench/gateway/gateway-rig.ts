/** A probing gateway on one core, with a real PostgreSQL and the embedded broker, for one user without token. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { insertAgent } from "../../contract/probing-gateway/gateway-home.ts";
import { GatewayProcess } from "../../contract/probing-gateway/gateway-process.ts";
import { startPostgres } from "../../postgres/postgres.ts";
import { peakKbOf } from "../pipeline/process-usage.ts";

export const agentId = "west";

export class GatewayRig implements AsyncDisposable {
  readonly gateway: GatewayProcess;
  readonly database: Database;
  readonly #owned: AsyncDisposableStack;

  private constructor(gateway: GatewayProcess, database: Database, owned: AsyncDisposableStack) {
    this.gateway = gateway;
    this.database = database;
    this.#owned = owned;
  }

  /** `folder` is made for it. */
  static async start(folder: string): Promise<GatewayRig> {
    mkdirSync(folder);
    await using undo = new AsyncDisposableStack();
    const postgres = undo.use(await startPostgres());
    const address = await postgres.createDatabase();
    const config = join(folder, "gateway.yaml");
    writeFileSync(config, configText(folder, address));
    const gateway = await GatewayProcess.start(config, ["taskset", "-c", "0"]);
    undo.defer(() => gateway.kill());
    const database = undo.use(await openDatabase(address, { applicationName: "bench" }));
    await insertAgent(database.sql, agentId);
    return new GatewayRig(gateway, database, undo.move());
  }

  /** So many measurements of today, of the user that all requests are of. */
  async fillDay(measurements: number): Promise<void> {
    const { sql } = this.database;
    const { userHash } = identityOf("test-user-id");
    await sql`
      INSERT INTO measurements (
        measurement_id, user_hash, gateway_id, request_digest, answer, probes, record_probes, day, published_probes,
        published_at, not_after)
      SELECT gen_random_uuid(), ${userHash}, 'bench', '', '{}', 1, 1, (now() AT TIME ZONE 'UTC')::date, 1, now(),
        now() + interval '1 hour'
      FROM generate_series(1, ${measurements})`;
    await sql`
      INSERT INTO measurement_agents (measurement_id, agent_id, user_hash, expected_probes)
      SELECT measurement_id, ${agentId}, user_hash, 1 FROM measurements WHERE gateway_id = 'bench'`;
    await sql`ANALYZE`;
  }

  /** Most memory that the gateway has had. */
  peakMb(): number {
    return peakKbOf(this.gateway.pid) / 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

function configText(folder: string, database: string): string {
  return [
    `gateway: { address: "127.0.0.1:0", state_dir: "${folder}/state", bypass_authentication: true }`,
    `database: { address: "${database}" }`,
    `kafka: { brokers: "embedded:${folder}/broker" }`,
    "limits: { probes_per_day: 1000000000000, submissions_per_minute: 1000000, prefix_probes_per_day: 1000000000000 }",
    "safety: { block_reserved_ranges: false }",
    "",
  ].join("\n");
}
