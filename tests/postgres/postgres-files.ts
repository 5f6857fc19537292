/**
 * Debian's PostgreSQL: its programs, who may run them, and an empty cluster that is copied for each new server, as
 * initdb takes a second. The cluster is kept in node_modules/.cache.
 */
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PostgresFiles {
  readonly server: string;
  /** To be copied, with its owners, for each new server. */
  readonly emptyCluster: string;
}

const programs = "/usr/lib/postgresql";
const cacheFolder = join(import.meta.dirname, "../../node_modules/.cache");
/** The server refuses root; Debian's package makes this user. */
const postgresUser = "postgres";

/** Rejects with one line that says what to do where PostgreSQL is missing. */
export function postgresFiles(): PostgresFiles {
  const versions = existsSync(programs) ? readdirSync(programs).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((name) => existsSync(join(programs, name, "bin/initdb")));
  if (version === undefined) {
    throw new Error(
      `Cannot run PostgreSQL: there is none in ${programs}; install it by: sh tests/setup.sh test`,
    );
  }
  const bin = join(programs, version, "bin");
  const emptyCluster = join(cacheFolder, `postgres-cluster-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(emptyCluster)) {
    makeCluster(join(bin, "initdb"), emptyCluster);
  }
  return { server: join(bin, "postgres"), emptyCluster };
}

/** A folder for one server, owned by who runs it. */
export function postgresFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vantage-postgres-"));
  if (process.getuid?.() === 0) {
    const id = (flag: string) => Number(run(["id", flag, postgresUser]));
    chownSync(folder, id("-u"), id("-g"));
  }
  return folder;
}

/** The command as somebody whom PostgreSQL accepts; it ends when we do, however that is. */
export function asPostgres(command: readonly string[]): string[] {
  const user =
    process.getuid?.() === 0 ? [`--reuid=${postgresUser}`, `--regid=${postgresUser}`, "--clear-groups"] : [];
  return ["setpriv", ...user, "--pdeathsig=QUIT", ...command];
}

/** Under another name until it is complete: two who do this at once do not meet. */
function makeCluster(initdb: string, cluster: string): void {
  const folder = postgresFolder();
  const making = `${cluster}-${process.pid}`;
  try {
    const made = join(folder, "data");
    run(
      asPostgres([
        initdb,
        "-D",
        made,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-N",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
      ]),
    );
    mkdirSync(cacheFolder, { recursive: true });
    run(["cp", "-a", made, making]);
    renameSync(making, cluster);
  } catch (error) {
    if (!existsSync(cluster)) {
      throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(making, { recursive: true, force: true });
  }
}

export function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore", cwd: "/" });
  if (exitCode !== 0) {
    throw new Error(`Cannot prepare PostgreSQL: ${command.join(" ")}: ${stderr.toString().trim()}`);
  }
  return stdout.toString().trim();
}
