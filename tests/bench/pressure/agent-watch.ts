/** What an agent in the lab has said of itself since the start of the watch, every 10 ms. */
import { join } from "node:path";
import { until } from "../../faults/patience.ts";
import type { Internet } from "../../lab/internet.ts";
import { LabError } from "../../lab/namespaces.ts";
import { linesOf } from "../lines.ts";

export interface AgentSample {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly sent: number;
  readonly matched: number;
  readonly published: number;
  readonly publishFailures: number;
  readonly spoolBytes: number;
  /** Times that it was full. */
  readonly spoolFull: number;
}

/** Above the longest phase of a round. */
const patienceMs = 60_000;

export class AgentWatch implements AsyncDisposable {
  readonly #samples: AgentSample[] = [];
  readonly #child: Bun.Subprocess<"ignore", "pipe", "inherit">;

  /** Watches the agent at `node`, which must already run. */
  constructor(net: Internet, node: string) {
    const command = net.at(node, [process.execPath, join(import.meta.dirname, "look.ts")]);
    this.#child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
    void this.#listen(this.#child.stdout);
  }

  /** The first sample from `sinceMs` on that is so; waits for it, and rejects when it does not come. */
  until(what: string, isSo: (sample: AgentSample) => boolean, sinceMs = 0): Promise<AgentSample> {
    const look = () => {
      const found = this.#samples.find((sample) => sample.atMs >= sinceMs && isSo(sample));
      if (found === undefined) {
        throw new LabError(`the agent says ${JSON.stringify(this.#samples.at(-1))}`);
      }
      return found;
    };
    return until(what, look, patienceMs);
  }

  /** The first sample that is taken from now on. */
  now(): Promise<AgentSample> {
    return this.until("figures of the agent", () => true, Date.now());
  }

  async #listen(stdout: ReadableStream<Uint8Array>): Promise<void> {
    for await (const line of linesOf(stdout)) {
      this.#samples.push(JSON.parse(line));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

/** Packets/s between two samples. */
export function sendingRate(from: AgentSample, to: AgentSample): number {
  return ((to.sent - from.sent) * 1000) / (to.atMs - from.atMs);
}
