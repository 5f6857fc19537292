/**
 * The real peering gateway, as a process on a real PostgreSQL: one user (authentication is bypassed, on loopback), a
 * pool of one prefix, an operator. It can be killed, and a lease be cut short behind its back.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { userHashOf } from "../../../lib/peering/policy/subject.ts";
import { Daemon } from "../../exchange/daemon.ts";
import { gatewayKey } from "../../exchange/sources-server.ts";
import { until } from "../../exchange/until.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { vantageCommand } from "../../run/vantage-command.ts";

const adminKey = "lab-admin-key-of-the-peering-gateway-0001";

export class GatewayProcess implements AsyncDisposable {
  /** What authentication that is bypassed takes everybody for. */
  static readonly subject = "test-user-id";
  readonly url: string;
  readonly #daemon: Daemon;
  readonly #sql: postgres.Sql;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    url: string,
    parts: { daemon: Daemon; sql: postgres.Sql; stack: AsyncDisposableStack },
  ) {
    this.url = url;
    this.#daemon = parts.daemon;
    this.#sql = parts.sql;
    this.#stack = parts.stack;
  }

  /** `yaml`: further lines of its configuration. */
  static async start(prefix: string, yaml = ""): Promise<GatewayProcess> {
    await using undo = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "vantage-gateway-"));
    undo.defer(() => rmSync(folder, { recursive: true }));
    const server = undo.use(await sharedPostgres());
    const address = await server.createDatabase();
    const subjectKey = Bun.spawnSync([...vantageCommand, "peering-gateway", "--make-key"]);
    const config = `
gateway: {address: "127.0.0.1:0", state_dir: ${folder}, admin_key: ${adminKey}, bypass_authentication: true}
database: {address: "${address}"}
leases: {pool: ["${prefix}"]}
subjects: {keys: ["${subjectKey.stdout.toString().trim()}"]}
service: {keys: [{name: lab, key: ${gatewayKey}}]}
${yaml}
`;
    const file = join(folder, "gateway.yaml");
    await Bun.write(file, config);
    const command = [...vantageCommand, "peering-gateway", "-c", file];
    const daemon = undo.use(new Daemon("gateway", folder, command));
    const url = await until("the gateway", () => {
      daemon.mustRun();
      return /"url":"([^"]+)\/"/.exec(daemon.said())?.[1];
    });
    const sql = postgres(address, { max: 1, onnotice: () => undefined });
    undo.defer(() => sql.end());
    return new GatewayProcess(url, { daemon, sql, stack: undo.move() });
  }

  get userHash(): string {
    return userHashOf(GatewayProcess.subject);
  }

  /** The live lease, which was given for hours, ends so soon. Resolves to its end. */
  async endLeaseIn(seconds: number): Promise<Date> {
    const [row] = await this.#sql<{ end_time: Date }[]>`
      UPDATE leases SET end_time = clock_timestamp() + ${seconds} * interval '1 second'
      WHERE closed_at IS NULL RETURNING end_time`;
    return row?.end_time ?? new Date(0);
  }

  /** As a user, or by the admin API, as the operator. Throws Error on any answer but a good one. */
  async ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${text}`);
    }
    return text === "" ? null : JSON.parse(text);
  }

  /** As a generator asks for them. */
  async mappings(): Promise<unknown> {
    const headers = { authorization: `Bearer ${gatewayKey}` };
    return (await fetch(`${this.url}/service/mappings`, { headers })).json();
  }

  async kill(): Promise<void> {
    await this.#daemon[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
