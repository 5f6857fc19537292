/** PgBouncer before a PostgreSQL of a test: `await using pooler = await PgBouncer.before(server, "session")`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BunFile, Subprocess } from "bun";
import postgres from "postgres";
import { freePortsFor } from "../server/free-ports.ts";
import { ServerProcess } from "../server/server-process.ts";
import { asPostgres, postgresFolder } from "./postgres-files.ts";

type PoolMode = "session" | "transaction" | "statement";

interface Server {
  readonly port: number;
}

/** Names of PgBouncer's settings, beside or instead of ours. */
type Settings = Readonly<Record<string, string | number>>;

const program = "/usr/sbin/pgbouncer";
const kind = { name: "PgBouncer", stopSignal: "SIGINT", killSignal: "SIGKILL" } as const;

export class PgBouncer extends ServerProcess {
  readonly #server: Server;
  readonly #port = freePortsFor("port").port;

  private constructor(server: Server) {
    super(kind, postgresFolder());
    this.#server = server;
  }

  /** Takes what our services set at the start of a session, unless `ignore_startup_parameters` says otherwise. */
  static async before(server: Server, mode: PoolMode, settings: Settings = {}): Promise<PgBouncer> {
    const pooler = new PgBouncer(server);
    pooler.#configure(mode, settings);
    return pooler.started();
  }

  /** Address of this database of the server's, through the pooler. */
  address(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }

  /** For new sessions. */
  async change(mode: PoolMode): Promise<void> {
    this.#configure(mode, {});
    await this.#console("RELOAD");
  }

  #configure(mode: PoolMode, settings: Settings): void {
    const lines = Object.entries({
      ...{ listen_addr: "127.0.0.1", listen_port: this.#port, unix_socket_dir: "" },
      ...{ auth_type: "trust", auth_file: join(this.folder, "users"), admin_users: "postgres" },
      ignore_startup_parameters: "statement_timeout,idle_in_transaction_session_timeout,jit",
      pool_mode: mode,
      ...settings,
    }).map(([name, value]) => `${name} = ${value}`);
    const databases = `[databases]\n* = host=127.0.0.1 port=${this.#server.port}\n`;
    writeFileSync(join(this.folder, "users"), '"postgres" ""\n');
    writeFileSync(join(this.folder, "pgbouncer.ini"), `${databases}[pgbouncer]\n${lines.join("\n")}\n`);
  }

  protected override spawn(output: BunFile): Subprocess {
    return Bun.spawn(asPostgres([program, join(this.folder, "pgbouncer.ini")]), {
      cwd: "/",
      stdin: "ignore",
      stdout: output,
      stderr: output,
    });
  }

  protected override answers(): Promise<boolean> {
    return this.#console("SHOW VERSION").catch(() => false);
  }

  async #console(command: string): Promise<boolean> {
    const options = { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} };
    const sql = postgres(this.address("pgbouncer"), options);
    try {
      await sql.unsafe(command);
      return true;
    } finally {
      await sql.end({ timeout: 0 });
    }
  }
}
