/**
 * Activates a configuration: writes it to a temporary file, checks it with the daemon's own parser, renames it, has the
 * daemon load it, and queries the daemon's version. The text contains its version for that purpose.
 *
 * The old file is kept until then and restored if the daemon refuses the new one. A daemon that is down loads the new
 * one when it starts.
 */
import { createHash } from "node:crypto";
import { chown, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure, isFailure } from "../../base/failure/failure.ts";

/** Milliseconds that a daemon may take to activate a configuration after it has accepted it. */
const verifyMsMax = 30_000;

/** Interval between checks whether it has. */
const verifyPollMs = 20;

export interface VersionedText {
  readonly text: string;
  /** In the form in which the daemon reports it. */
  readonly version: string;
}

/** The folder's group may read the file, others may not: it names people. */
const fileMode = 0o640;

export abstract class DaemonFile {
  protected readonly path: string;
  readonly #daemonName: string;
  readonly #beside: string;

  /** `daemonName` is for messages. `writer` differs between processes that may write the same file. */
  protected constructor(daemonName: string, path: string, writer = "") {
    this.#daemonName = daemonName;
    this.path = path;
    this.#beside = `${path}${writer === "" ? "" : `.${writer}`}.new`;
  }

  /** The daemon's active version; null without our configuration. Throws when it is unreachable. */
  abstract versionInForce(): Promise<string | null>;

  /** Checks a file in a separate process, so that the running daemon is not involved. Throws a refusal. */
  protected abstract check(candidate: string): Promise<void>;

  /**
   * Has the running daemon load the file, which has this text. Throws a refusal, or another error when the daemon is
   * unreachable.
   */
  protected abstract configure(text: string): Promise<void>;

  /** The active text on disk; empty when there is none. */
  async text(): Promise<string> {
    try {
      return await readFile(this.path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") {
        return "";
      }
      throw error;
    }
  }

  /**
   * True when a change was needed. Throws the daemon's refusal or a system error; then the file is as before,
   * unless the daemon was only unreachable.
   */
  async put(wanted: VersionedText): Promise<boolean> {
    const before = await this.text();
    if (digest(before) === digest(wanted.text)) {
      return this.#ensureInForce(wanted);
    }
    await this.#check(wanted.text);
    await this.replace(wanted.text);
    try {
      await this.#configure(wanted);
    } catch (error) {
      if (isFailure(error, "daemon", "refused")) {
        await this.#restore(before);
      }
      throw error;
    }
    return true;
  }

  protected async writeWhole(path: string, text: string): Promise<void> {
    await writeFile(path, text, { mode: fileMode, flush: true });
    const { uid, gid } = await stat(dirname(path));
    if (process.getuid?.() === 0) {
      await chown(path, uid, gid);
    }
  }

  /** Replaces the file atomically, also when the machine stops meanwhile. */
  protected async replace(text: string): Promise<void> {
    await this.writeWhole(this.#beside, text);
    await rename(this.#beside, this.path);
    const folder = await open(dirname(this.path), "r");
    await folder.sync().finally(() => folder.close());
  }

  /** A crash between rename and load leaves a file that the daemon has not read. */
  async #ensureInForce(wanted: VersionedText): Promise<boolean> {
    if ((await this.versionInForce()) === wanted.version) {
      return false;
    }
    await this.#configure(wanted);
    return true;
  }

  async #check(text: string): Promise<void> {
    const candidate = this.#beside;
    await this.writeWhole(candidate, text);
    try {
      await this.check(candidate);
    } catch (error) {
      await rm(candidate, { force: true });
      throw error;
    }
  }

  async #configure({ text, version }: VersionedText): Promise<void> {
    await this.configure(text);
    // A reconfiguration may be queued behind another one.
    const endMs = performance.now() + verifyMsMax;
    let found = await this.versionInForce();
    while (found !== version && performance.now() < endMs) {
      if ((await this.text()) !== text) {
        // Not a refusal: what the other process has written stays.
        const message = `Another process has written ${this.path}, and ${this.#daemonName} reads that`;
        throw new Failure("daemon", "unreachable", message);
      }
      await Bun.sleep(verifyPollMs);
      found = await this.versionInForce();
    }
    if (found !== version) {
      const message = `${this.#daemonName} runs version ${found}, not ${version}`;
      throw new Failure("daemon", "refused", `${message}; does it read ${this.path}?`);
    }
  }

  async #restore(text: string): Promise<void> {
    if (text === "") {
      await rm(this.path, { force: true });
      return;
    }
    await this.replace(text);
    await this.configure(text).catch(() => undefined);
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
