/**
 * Puts a configuration into force: write beside, let BIRD read it, rename, `configure`, ask BIRD which one it has.
 * The text defines a constant with its version, which is how BIRD is asked.
 *
 * The file that was there is kept until then. A BIRD that refuses gets it back; a BIRD that is away finds the new
 * one when it starts.
 */
import { createHash } from "node:crypto";
import { chown, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { BirdError } from "./bird-error.ts";
import { askBird } from "./control.ts";
import { verifyMsMax, verifyPollMs } from "./limits.ts";
import { checkParse } from "./parse-check.ts";

export interface VersionedText {
  readonly text: string;
  /** What the constant says. */
  readonly version: string;
}

export interface ConfigurationFileOptions {
  readonly path: string;
  readonly controlSocket: string;
  /** The bird that reads it first. */
  readonly checkCommand: string;
  /** Name of the constant. */
  readonly versionName: string;
  /** For a part of a configuration: a small whole one that includes the file of this path. */
  readonly around?: (path: string) => string;
}

/** Group of the folder may read it, others not: it names people. */
const fileMode = 0o640;

export class ConfigurationFile {
  readonly #options: ConfigurationFileOptions;

  constructor(options: ConfigurationFileOptions) {
    this.#options = options;
  }

  /** The text in force on disk; empty when there is none. */
  async text(): Promise<string> {
    try {
      return await readFile(this.#options.path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") {
        return "";
      }
      throw error;
    }
  }

  /**
   * True when something had to be done. Throws BirdError or a system error; then the file is as it was, unless BIRD
   * is only away.
   */
  async put(wanted: VersionedText): Promise<boolean> {
    const before = await this.text();
    if (digest(before) === digest(wanted.text)) {
      return this.#ensureInForce(wanted.version);
    }
    await this.#check(wanted.text);
    await this.#write(wanted.text);
    try {
      await this.#configure(wanted.version);
    } catch (error) {
      if (error instanceof BirdError && error.code === "refused") {
        await this.#restore(before);
      }
      throw error;
    }
    return true;
  }

  /** Version of the configuration that BIRD has in force; null when it has none of ours. Throws BirdError. */
  async versionInForce(): Promise<string | null> {
    try {
      const answer = await askBird(this.#options.controlSocket, `eval ${this.#options.versionName}`);
      return answer.at(-1)?.text.trim() ?? null;
    } catch (error) {
      if (error instanceof BirdError && error.code === "refused") {
        return null;
      }
      throw error;
    }
  }

  /** A crash between rename and `configure` leaves a file that BIRD has not read. */
  async #ensureInForce(version: string): Promise<boolean> {
    if ((await this.versionInForce()) === version) {
      return false;
    }
    await this.#configure(version);
    return true;
  }

  /** By itself, in a configuration of its own, so that the running BIRD is not troubled by what it cannot read. */
  async #check(text: string): Promise<void> {
    const { path, checkCommand, around } = this.#options;
    const candidate = `${path}.new`;
    const whole = around === undefined ? candidate : `${path}.check`;
    await this.#writeWhole(candidate, text);
    if (around !== undefined) {
      await this.#writeWhole(whole, around(candidate));
    }
    try {
      await checkParse(checkCommand, whole);
    } catch (error) {
      await rm(candidate, { force: true });
      throw error;
    } finally {
      await rm(`${path}.check`, { force: true });
    }
  }

  async #write(text: string): Promise<void> {
    const { path } = this.#options;
    await this.#writeWhole(`${path}.new`, text);
    await rename(`${path}.new`, path);
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  }

  async #writeWhole(path: string, text: string): Promise<void> {
    await writeFile(path, text, { mode: fileMode, flush: true });
    const { uid, gid } = await stat(dirname(path));
    if (process.getuid?.() === 0) {
      await chown(path, uid, gid);
    }
  }

  async #configure(version: string): Promise<void> {
    await askBird(this.#options.controlSocket, "configure");
    // A reconfiguration may be queued behind another one.
    const endMs = performance.now() + verifyMsMax;
    let found = await this.versionInForce();
    while (found !== version && performance.now() < endMs) {
      await Bun.sleep(verifyPollMs);
      found = await this.versionInForce();
    }
    if (found !== version) {
      const { path } = this.#options;
      const message = `BIRD has version ${found} in force, not ${version}; does it read ${path}?`;
      throw new BirdError("refused", message);
    }
  }

  async #restore(text: string): Promise<void> {
    if (text === "") {
      await rm(this.#options.path, { force: true });
      return;
    }
    await this.#write(text);
    await askBird(this.#options.controlSocket, "configure").catch(() => undefined);
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
