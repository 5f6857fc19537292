/** One PostgreSQL server as a child process: a free port on loopback, data in a temporary folder of its own. */
import { join } from "node:path";
import type { BunFile, Subprocess } from "bun";
import postgres from "postgres";
import { freePortsFor } from "../server/free-ports.ts";
import { ServerProcess } from "../server/server-process.ts";
import { asPostgres, type PostgresFiles, postgresFiles, postgresFolder, run } from "./postgres-files.ts";

/** In order it writes all; at once it writes nothing, and its next start recovers from the log. */
const kind = { name: "PostgreSQL", stopSignal: "SIGINT", killSignal: "SIGQUIT" } as const;

/** Durable enough to be killed; nobody cuts the machine's power. */
const settings = {
  listen_addresses: "127.0.0.1",
  fsync: "off",
  shared_buffers: "32MB",
  max_connections: "200",
  log_min_messages: "fatal",
};

export class PostgresProcess extends ServerProcess {
  readonly port: number;
  readonly #files: PostgresFiles;
  #databases = 0;

  private constructor(folder: string, files: PostgresFiles) {
    super(kind, folder);
    this.#files = files;
    this.port = freePortsFor("port").port;
  }

  /** Resolves when the server serves clients. */
  static async start(): Promise<PostgresProcess> {
    const files = postgresFiles();
    const folder = postgresFolder();
    // What is in it, also where the folder itself is a link to another checkout's: a copied link would be shared.
    run(["cp", "-a", `${files.emptyCluster}/.`, join(folder, "data")]);
    return new PostgresProcess(folder, files).started();
  }

  /** `postgres://…` of a database of this server, by default the one that each server has. */
  address(database = "postgres"): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes an empty database, or a copy of another one of this server that nobody is connected to; its address. */
  async createDatabase(template = "template0"): Promise<string> {
    const name = `test_${++this.#databases}`;
    const sql = postgres(this.address(), { max: 1, onnotice: () => {} });
    try {
      await sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`;
    } finally {
      await sql.end();
    }
    return this.address(name);
  }

  protected override spawn(output: BunFile): Subprocess {
    const options = Object.entries({
      ...settings,
      port: String(this.port),
      // Its clients use TCP: a socket's path must be short (107 bytes, unix(7)), and folders of tests are deep.
      unix_socket_directories: "",
    });
    const command = [this.#files.server, "-D", join(this.folder, "data")];
    const flags = options.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return Bun.spawn(asPostgres([...command, ...flags]), {
      cwd: "/",
      stdin: "ignore",
      stdout: output,
      stderr: output,
    });
  }

  protected override async answers(): Promise<boolean> {
    const sql = postgres(this.address(), { max: 1, connect_timeout: 5, onnotice: () => {} });
    try {
      await sql`SELECT 1`;
      return true;
    } catch {
      return false;
    } finally {
      await sql.end({ timeout: 0 });
    }
  }
}
