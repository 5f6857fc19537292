/**
 * One PostgreSQL server as a process of ours: a free port on loopback, data in a temporary folder of its own.
 *
 * It can be stopped or killed, and started again with the same data and port, as a server that was away.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import postgres from "postgres";
import { asPostgres, type PostgresFiles, postgresFiles, postgresFolder, run } from "./postgres-files.ts";

const startLimitMs = 30_000;
const stopLimitMs = 20_000;

/** Durable enough to be killed; nobody cuts the machine's power. */
const settings = {
  listen_addresses: "127.0.0.1",
  fsync: "off",
  shared_buffers: "32MB",
  max_connections: "200",
  log_min_messages: "fatal",
};

export class PostgresProcess implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #files: PostgresFiles;
  #child: Subprocess | null = null;
  #databases = 0;

  private constructor(folder: string, files: PostgresFiles) {
    this.#folder = folder;
    this.#files = files;
    this.port = freePort();
  }

  /** Resolves when the server serves clients. */
  static async start(): Promise<PostgresProcess> {
    const files = postgresFiles();
    const folder = postgresFolder();
    run(["cp", "-a", files.emptyCluster, join(folder, "data")]);
    const server = new PostgresProcess(folder, files);
    try {
      await server.startAgain();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
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

  /** Of its first process; throws while it does not run. */
  get pid(): number {
    if (this.#child === null) {
      throw new Error("PostgreSQL does not run");
    }
    return this.#child.pid;
  }

  async startAgain(): Promise<void> {
    const options = Object.entries({
      ...settings,
      port: String(this.port),
      unix_socket_directories: this.#folder,
    });
    const output = Bun.file(join(this.#folder, "output"));
    const command = [this.#files.server, "-D", join(this.#folder, "data")];
    const flags = options.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.#child = Bun.spawn(asPostgres([...command, ...flags]), {
      cwd: "/",
      stdin: "ignore",
      stdout: output,
      stderr: output,
    });
    const giveUpAt = performance.now() + startLimitMs;
    while (!(await answers(this.address()))) {
      if (this.#child.exitCode !== null || performance.now() > giveUpAt) {
        const said = readFileSync(join(this.#folder, "output"), "utf8").slice(-2000);
        throw new Error(`Cannot start PostgreSQL, exit code ${this.#child.exitCode}: ${said}`);
      }
      await Bun.sleep(20);
    }
  }

  /** Ends sessions, writes all, goes: as for an upgrade. */
  stop(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** Goes at once and writes nothing, as in a crash; its next start recovers from the log. */
  kill(): Promise<void> {
    return this.#end("SIGQUIT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) {
      return;
    }
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    await child.exited;
    clearTimeout(late);
  }
}

async function answers(address: string): Promise<boolean> {
  const sql = postgres(address, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    await sql`SELECT 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 0 });
  }
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
