/** Two gateways as processes on one PostgreSQL, with users whose tokens are really issued. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../lib/engines/store/postgres/open.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";
import { configText } from "./peering-home.ts";

export class TwoGateways implements AsyncDisposable {
  readonly database: Database;
  readonly #issuer: TestIssuer;
  readonly #config: string;
  readonly #stack: AsyncDisposableStack;
  readonly #gateways: GatewayProcess[] = [];
  readonly #tokens = new Map<string, string>();

  private constructor(parts: {
    readonly database: Database;
    readonly issuer: TestIssuer;
    readonly config: string;
    readonly stack: AsyncDisposableStack;
  }) {
    this.database = parts.database;
    this.#issuer = parts.issuer;
    this.#config = parts.config;
    this.#stack = parts.stack;
  }

  /** `leases`: the section as YAML. */
  static async start(leases: string): Promise<TwoGateways> {
    await using undo = new AsyncDisposableStack();
    const postgres = undo.use(await sharedPostgres());
    const issuer = undo.use(await startTestIssuer());
    const address = await postgres.createDatabase();
    const folder = mkdtempSync(join(tmpdir(), "vantage-peering-"));
    undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    const config = join(folder, "gateway.yaml");
    const yaml = `oidc: { issuer: "${issuer.url}", audiences: ["${issuer.audience}"] }`;
    writeFileSync(config, configText({ leases, yaml }, folder, address));
    const database = undo.use(await openDatabase(address, { applicationName: "test" }));
    const gateways = new TwoGateways({ database, issuer, config, stack: undo.move() });
    await Promise.all([0, 1].map((number) => gateways.startAgain(number)));
    return gateways;
  }

  async startAgain(number: number): Promise<void> {
    this.#gateways[number] = await GatewayProcess.start(this.#config, [], "peering-gateway");
  }

  async kill(number: number): Promise<void> {
    await this.#gateways[number]?.kill();
  }

  /** Asks one of the two. Rejects while that is dead. */
  async ask(number: number, user: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${await this.#token(user)}`);
    headers.set("content-type", "application/json");
    return fetch(new URL(path, this.#gateways[number]?.url), { ...init, headers });
  }

  lease(number: number, user: string, hours = 1): Promise<Response> {
    const body = JSON.stringify({ duration_hours: hours });
    return this.ask(number, user, "/api/user/prefix", { method: "POST", body });
  }

  /** Pairs of leases that share a prefix and time, found without the constraint that forbids them. */
  async overlaps(): Promise<number> {
    const [row] = await this.database.sql<{ pairs: number }[]>`
      SELECT count(*) AS pairs FROM leases AS a JOIN leases AS b ON a.prefix = b.prefix AND a.lease_id < b.lease_id
      WHERE a.start_time < b.end_time AND b.start_time < a.end_time`;
    return row?.pairs ?? -1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.kill(0), this.kill(1)]);
    await this.#stack.disposeAsync();
  }

  async #token(user: string): Promise<string> {
    const token = this.#tokens.get(user) ?? (await this.#issuer.tokenFor(user));
    this.#tokens.set(user, token);
    return token;
  }
}
