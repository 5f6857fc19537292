/**
 * BIRD's configuration file: checked by `bird -p`, then activated by `configure`. The text defines a constant with its
 * version, so that BIRD's active version can be queried.
 */
import { rm } from "node:fs/promises";
import { isFailure } from "../../base/failure/failure.ts";
import { DaemonFile } from "../routing-daemon/daemon-file.ts";
import { askBird, orderBird } from "./control.ts";
import { checkParse } from "./parse-check.ts";

export interface BirdConfigurationFileOptions {
  readonly path: string;
  readonly controlSocket: string;
  /** The `bird` command that checks the file first. */
  readonly checkCommand: string;
  /** Name of the constant. */
  readonly versionName: string;
  /** For a fragment: returns a small complete configuration that includes the file at this path. */
  readonly around?: (path: string) => string;
  /** Distinguishes several processes that write the same file: see DaemonFile. */
  readonly writer?: string;
}

export class BirdConfigurationFile extends DaemonFile {
  readonly #options: BirdConfigurationFileOptions;

  constructor(options: BirdConfigurationFileOptions) {
    super("BIRD", options.path, options.writer);
    this.#options = options;
  }

  /** Throws Failure `daemon`. */
  override async versionInForce(): Promise<string | null> {
    try {
      const answer = await askBird(this.#options.controlSocket, `eval ${this.#options.versionName}`);
      return answer.at(-1)?.text.trim() ?? null;
    } catch (error) {
      if (isFailure(error, "daemon", "refused")) {
        return null;
      }
      throw error;
    }
  }

  protected override async check(candidate: string): Promise<void> {
    const { checkCommand, around } = this.#options;
    if (around === undefined) {
      return checkParse(checkCommand, candidate);
    }
    const whole = `${candidate}.check`;
    try {
      await this.writeWhole(whole, around(candidate));
      await checkParse(checkCommand, whole);
    } finally {
      await rm(whole, { force: true });
    }
  }

  protected override async configure(_text: string): Promise<void> {
    await orderBird(this.#options.controlSocket, "configure");
  }
}
