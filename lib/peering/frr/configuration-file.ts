/**
 * FRR's configuration file, `frr.conf`: checked by `vtysh -C`, then activated by FRR's `frr-reload.py`, which applies
 * only the differences and leaves unchanged sessions alone. The description of an empty prefix list holds the version,
 * so that bgpd's active version can be queried.
 */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure, isFailure } from "../../base/failure/failure.ts";
import { DaemonFile, type VersionedText } from "../routing-daemon/daemon-file.ts";
import { complaintOf, runTool } from "./frr-tool.ts";
import { answerMsMax, refusedAgainMs, reloadMsMax } from "./limits.ts";
import { askFrr, askFrrJson, type FrrAccess } from "./vtysh.ts";

interface FrrFileOptions extends FrrAccess {
  readonly path: string;
  /** `frr-reload.py`, or its path. */
  readonly reloadCommand: string;
  /** Name of the prefix list. */
  readonly versionName: string;
}

/**
 * Settings that FRR reads from the machine and lists in its own configuration: a reload without them would enable
 * forwarding.
 */
const ofTheMachine = /^(no ip forwarding|no ipv6 forwarding|hostname .*|domainname .*)$/;

export class FrrConfigurationFile extends DaemonFile {
  readonly #options: FrrFileOptions;
  #refused: { readonly version: string; readonly atMs: number; readonly error: unknown } | null = null;

  constructor(options: FrrFileOptions) {
    super("FRR", options.path);
    this.#options = options;
  }

  /** Like DaemonFile; in addition, a text that FRR has refused is refused again for a while without trying FRR. */
  override async put(wanted: VersionedText): Promise<boolean> {
    const { version, atMs, error } = this.#refused ?? { version: "", atMs: 0, error: null };
    if (version === wanted.version && performance.now() - atMs < refusedAgainMs) {
      throw error;
    }
    try {
      return await super.put(wanted);
    } catch (error) {
      if (isFailure(error, "daemon", "refused")) {
        this.#refused = { version: wanted.version, atMs: performance.now(), error };
      }
      throw error;
    }
  }

  /** Throws Failure `daemon`. */
  override async versionInForce(): Promise<string | null> {
    const { versionName } = this.#options;
    const answer = await askFrrJson(this.#options, `show ipv6 prefix-list ${versionName}`);
    const lists = (answer as { BGP?: Record<string, { description?: string }> } | null)?.BGP;
    return lists?.[versionName]?.description ?? null;
  }

  protected override async check(candidate: string): Promise<void> {
    const done = await runTool([this.#options.vtysh, "-C", "-f", candidate], answerMsMax);
    if (done.exitCode !== 0) {
      throw new Failure("daemon", "refused", `FRR cannot read ${candidate}: ${complaintOf(done)}`);
    }
  }

  protected override async configure(): Promise<void> {
    const { reloadCommand, socketFolder } = this.#options;
    const running = await askFrr(this.#options, null, "show running-config");
    const kept = running.split("\n").filter((line) => ofTheMachine.test(line));
    const wanted = `${this.path}.reload`;
    const folders = ["--vty_socket", socketFolder, "--rundir", dirname(this.path)];
    const speech = ["--stdout", "--log-level", "warning"];
    try {
      await this.writeWhole(wanted, [...kept, await this.text()].join("\n"));
      const done = await runTool([reloadCommand, "--reload", ...speech, ...folders, wanted], reloadMsMax);
      if (done.exitCode !== 0) {
        throw new Failure("daemon", "refused", `FRR does not accept ${this.path}: ${complaintOf(done)}`);
      }
    } finally {
      await rm(wanted, { force: true });
    }
  }
}
