/** An experiment in the small Internet: its file, the user's command that runs it, and its journal. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { until } from "../../exchange/until.ts";
import { prefix, targets } from "./plan.ts";
import type { World } from "./world.ts";

export interface TimeLineRow {
  readonly time_ns: string;
  readonly at_ns: string;
  readonly within_ms: number | null;
  readonly plane: string;
  readonly source: string;
  readonly subject: string;
  readonly event: string;
  readonly detail: string;
}

export class LabExperiment {
  readonly journal: string;
  readonly #world: World;
  readonly #file: string;
  #child: Subprocess<"ignore", "pipe", "pipe"> | null = null;
  #said: Promise<string> | null = null;

  constructor(world: World, name: string, steps: readonly object[], asked: readonly string[] = targets) {
    this.#world = world;
    this.#file = join(world.parts.folder, `${name}.yaml`);
    this.journal = `${this.#file}.journal`;
    const probe = { agents: ["west", "east"], targets: asked, protocol: "icmpv6", rate: 500 };
    writeFileSync(this.#file, JSON.stringify({ experiment: name, prefix, probe, steps }));
  }

  /** Begins, or goes on. What is announced ends two intervals after the command has gone. */
  start(intervalSec = 5): void {
    const { platform } = this.#world.parts;
    const collector = ["--collector", platform.collectorUrl];
    const words = ["--interval", `${intervalSec}s`, "--settle", "2s", ...collector, this.#file];
    const command = platform.userCommand("experiment", "run", ...words);
    this.#child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    this.#said = new Response(this.#child.stderr).text();
  }

  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }

  /** What it said, and its exit code. */
  async ended(): Promise<{ readonly code: number; readonly said: string }> {
    const [code, said] = await Promise.all([this.#child?.exited ?? 1, this.#said ?? ""]);
    return { code, said };
  }

  /** Resolves when the journal has such a line, or so many. */
  async reached(text: string, times = 1): Promise<void> {
    const file = join(this.journal, "journal.ndjson");
    await until(
      `the journal's ${text}`,
      () => existsSync(file) && readFileSync(file, "utf8").split(text).length > times,
      120_000,
    );
  }

  /** By target: sites that it answered at in the round. */
  round(number: number): Map<string, readonly string[]> {
    const lines = readFileSync(join(this.journal, "journal.ndjson"), "utf8").trim().split("\n");
    const entries = lines.map(
      (line) => JSON.parse(line) as { kind: string; round?: number; sites?: Record<string, string[]> },
    );
    const own = entries.find(({ kind, round }) => kind === "round" && round === number);
    return new Map(Object.entries(own?.sites ?? {}));
  }

  /** `more`: options, as where else to look. */
  async timeLine(...more: readonly string[]): Promise<TimeLineRow[]> {
    const words = ["timeline", "-o", "json", ...more, this.journal];
    return JSON.parse(await this.#world.parts.platform.vantage("experiment", ...words));
  }
}
