/**
 * Puts a policy into force: write beside, let BIRD read it, rename, `configure`, ask BIRD which policy it has.
 *
 * The file that was there is kept until then. A BIRD that refuses gets it back; a BIRD that is away finds the new
 * one when it starts.
 */
import { createHash } from "node:crypto";
import { chown, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { BirdError } from "../../../lib/bird/bird-error.ts";
import { askBird } from "../../../lib/bird/control.ts";
import { checkParse } from "../../../lib/bird/parse-check.ts";
import type { PolicyText } from "../../../lib/policy/policy-text.ts";
import { verifyMsMax, verifyPollMs } from "../limits.ts";

export interface PolicyFileOptions {
  readonly path: string;
  readonly controlSocket: string;
  readonly checkCommand: string;
}

/** Group of the folder may read it, others not: it names people. */
const fileMode = 0o640;

export class PolicyFile {
  readonly #options: PolicyFileOptions;

  constructor(options: PolicyFileOptions) {
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
  async put(policy: PolicyText): Promise<boolean> {
    const before = await this.text();
    if (digest(before) === digest(policy.text)) {
      return this.#ensureInForce(policy.version);
    }
    await this.#check(policy.text);
    await this.#write(policy.text);
    try {
      await this.#configure(policy.version);
    } catch (error) {
      if (error instanceof BirdError && error.code === "refused") {
        await this.#restore(before);
      }
      throw error;
    }
    return true;
  }

  /** Version of the policy that BIRD has in force; null when it has none of ours. Throws BirdError. */
  async versionInForce(): Promise<string | null> {
    try {
      const answer = await askBird(this.#options.controlSocket, "eval peering_policy_version");
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
    const candidate = `${this.#options.path}.new`;
    const around = `${this.#options.path}.check`;
    await this.#writeWhole(candidate, text);
    await this.#writeWhole(around, aroundPolicy(candidate));
    try {
      await checkParse(this.#options.checkCommand, around);
    } catch (error) {
      await rm(candidate, { force: true });
      throw error;
    } finally {
      await rm(around, { force: true });
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
      const message = `BIRD has policy ${found} in force, not ${version}; does its configuration include the file?`;
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

function aroundPolicy(path: string): string {
  return [
    "router id 192.0.2.1;",
    "protocol device {}",
    `include "${path}";`,
    "filter one_user { if (bgp_next_hop != tunnel_ipv6(from)) then reject; enforce_user_policy(from); }",
    "",
  ].join("\n");
}
