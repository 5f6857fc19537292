/** An experiment in the small Internet: its file, the user's command that starts and follows it, and its journal. */
import { writeFileSync } from "node:fs";
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
  readonly #name: string;
  readonly #world: World;
  readonly #file: string;
  #child: Subprocess<"ignore", "pipe", "pipe"> | null = null;
  #said: Promise<string> | null = null;

  /** `sites`: the exchange server of an agent. */
  constructor(
    world: World,
    name: string,
    plan: readonly object[] | { readonly aim: object },
    asked: readonly string[] = targets,
    sites: Readonly<Record<string, string>> = {},
  ) {
    this.#world = world;
    this.#name = name;
    this.#file = join(world.parts.folder, `${name}.yaml`);
    const probe = { agents: ["west", "east"], targets: asked, protocol: "icmpv6", rate: 500, sites };
    const steps = "aim" in plan ? plan : { steps: plan };
    writeFileSync(this.#file, JSON.stringify({ experiment: name, prefix, probe, ...steps }));
  }

  /** What is announced ends two intervals after the last gateway that runs it has gone. */
  start(intervalSec = 5, kind: "run" | "aim" = "run"): void {
    const { platform } = this.#world.parts;
    const words = ["--interval", `${intervalSec}s`, "--settle", "2s", this.#file];
    const command = platform.userCommand("experiment", kind, ...words);
    this.#child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    this.#said = new Response(this.#child.stderr).text();
  }

  /** Ends the command, as a terminal that is closed; the experiment continues. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.exited;
  }

  async stop(): Promise<void> {
    await this.#world.parts.platform.vantage("experiment", "stop", this.#name);
  }

  /** What it said, and its exit code. */
  async ended(): Promise<{ readonly code: number; readonly said: string }> {
    const [code, said] = await Promise.all([this.#child?.exited ?? 1, this.#said ?? ""]);
    return { code, said };
  }

  /** Resolves when the journal has such a line, or so many. */
  async reached(text: string, times = 1): Promise<void> {
    await until(
      `the journal's ${text}`,
      async () => (await this.journal().catch(() => "")).split(text).length > times,
      120_000,
    );
  }

  /** As the gateway serves it. */
  journal(): Promise<string> {
    return this.#world.parts.platform.journal(this.#name);
  }

  /** By target: sites that it answered at in the round. */
  async round(number: number): Promise<Map<string, readonly string[]>> {
    const lines = (await this.journal()).trim().split("\n");
    const entries = lines.map(
      (line) => JSON.parse(line) as { kind: string; round?: number; sites?: Record<string, string[]> },
    );
    const own = entries.find(({ kind, round }) => kind === "round" && round === number);
    return new Map(Object.entries(own?.sites ?? {}));
  }

  /** `more`: options, as where else to look. */
  async timeLine(...more: readonly string[]): Promise<TimeLineRow[]> {
    const words = ["timeline", "-o", "json", ...more, this.#name];
    return JSON.parse(await this.#world.parts.platform.vantage("experiment", ...words));
  }
}
