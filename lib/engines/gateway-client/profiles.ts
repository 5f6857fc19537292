/**
 * The logins of one user, a file each: `profiles/NAME.json` in `$XDG_CONFIG_HOME/vantage`, and the name of the one
 * in use in `profile`. Only the user may read them; each is replaced as a whole, so no reader sees a partial file.
 */
import { Database } from "bun:sqlite";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { parsedJson } from "../../base/api/parsed-json.ts";
import { systemReason } from "../../base/failure/system-reason.ts";
import { clientSide } from "./gateway-error.ts";
import { lockPollMs, lockWaitMs } from "./limits.ts";
import { type Profile, profileSchema } from "./profile.ts";

/** The user's settings folder, by the XDG Base Directory Specification. */
export function settingsFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CONFIG_HOME: base = "" } = environment;
  return join(base.startsWith("/") ? base : join(homedir(), ".config"), "vantage");
}

export class Profiles {
  readonly folder: string;
  readonly #files: string;

  constructor(folder: string) {
    this.folder = folder;
    this.#files = join(folder, "profiles");
  }

  /** Names, in alphabetical order. */
  names(): string[] {
    const files = this.#try("read", this.#files, () => readdirSync(this.#files)) ?? [];
    return files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).sort();
  }

  /** Null when no profile has this name. Throws GatewayError `badProfile` when it cannot be read. */
  read(name: string): Profile | null {
    const path = this.#path(name);
    const text = this.#try("read", path, () => readFileSync(path, "utf8"));
    if (text === null) {
      return null;
    }
    const parsed = v.safeParse(profileSchema, parsedJson(text));
    if (!parsed.success) {
      throw clientSide(
        "badProfile",
        `${path} is damaged; remove it and log in again (see: vantage login --help)`,
      );
    }
    return parsed.output;
  }

  write(name: string, profile: Profile): void {
    this.#replace(this.#path(name), `${JSON.stringify(profile, null, 2)}\n`);
  }

  /** The name of the profile in use; null before the first login. */
  current(): string | null {
    const path = join(this.folder, "profile");
    const name = this.#try("read", path, () => readFileSync(path, "utf8"))?.trim() ?? "";
    return name === "" ? null : name;
  }

  use(name: string): void {
    this.#replace(join(this.folder, "profile"), `${name}\n`);
  }

  /** Holds a profile for one process, as long as its tokens are being renewed. Rejects with GatewayError. */
  async lock(name: string): Promise<Disposable> {
    this.#makeFolders();
    const path = join(this.#files, `${name}.lock`);
    const lock = await lockFile(path, lockWaitMs);
    if (lock === null) {
      throw clientSide(
        "badProfile",
        `Cannot renew the login: another process keeps ${path} locked; end it, try again`,
      );
    }
    return lock;
  }

  #path(name: string): string {
    return join(this.#files, `${name}.json`);
  }

  #makeFolders(): void {
    this.#try("make", this.#files, () => mkdirSync(this.#files, { recursive: true, mode: 0o700 }));
  }

  /** The new text is on the disk before it takes the place of the old one: a lost token cannot be recovered. */
  #replace(path: string, text: string): void {
    this.#makeFolders();
    const fresh = `${path}.${process.pid}.new`;
    this.#try("write", path, () => {
      rmSync(fresh, { force: true });
      const file = openSync(fresh, "wx", 0o600);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(fresh, path);
    });
  }

  /** Null when the file is not there. */
  #try<Result>(what: string, path: string, act: () => Result): Result | null {
    try {
      return act();
    } catch (cause) {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
      if (code === "ENOENT" && what === "read") {
        return null;
      }
      throw clientSide(
        "badProfile",
        `Cannot ${what} ${path}: ${systemReason(cause)}; logins are kept in ${this.folder}`,
        cause,
      );
    }
  }
}

// A lock between processes, on a file: SQLite's exclusive lock, which the kernel releases however its process ends. So
// a stale lock never has to be removed by hand.

/** Resolves when we have the lock; to null when another process keeps it for longer than `waitMs`. */
async function lockFile(path: string, waitMs: number): Promise<Disposable | null> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== null || performance.now() > giveUpAt) {
      return lock;
    }
    await Bun.sleep(lockPollMs);
  }
}

function tryLock(path: string): Disposable | null {
  let database: Database | null = null;
  try {
    database = new Database(path, { create: true });
    database.run("PRAGMA busy_timeout = 0");
    database.run("BEGIN EXCLUSIVE");
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY")) {
      return null;
    }
    throw error;
  }
}
