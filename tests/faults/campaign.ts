/**
 * A campaign through the gateway: probes by number, each submitted until it was accepted, and then never again.
 *
 * One large measurement is there from the start; the rest is submitted in small pieces all the time, so that each
 * fault meets submissions too. A request without an answer is made again under its Idempotency-Key.
 */
import type { Measuring } from "./measuring.ts";
import { until } from "./patience.ts";
import { linesOf } from "./probe-space.ts";

const submitMsMax = 60_000;
const retryMs = 100;
const betweenPiecesMs = 250;

export interface Submitted {
  readonly id: string;
  /** Who takes part: an agent that is down at that time does not. */
  readonly agents: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Of the gateway. */
export interface AcceptedAnswer {
  readonly id: string;
  readonly agents: readonly { readonly id: string }[];
}

export class Campaign {
  readonly measuring: Measuring;
  /** Probes of each agent. */
  readonly size: number;
  readonly submitted: Submitted[] = [];
  /** Answers to submissions, by status; 0 = none. */
  readonly answers = new Map<number, number>();
  #next = 0;
  #drizzling: Promise<void> = Promise.resolve();
  #isDrizzling = false;

  constructor(measuring: Measuring, size: number) {
    this.measuring = measuring;
    this.size = size;
  }

  /** The next `count` probes, for whoever submits them; fewer at the end. */
  take(count: number): { readonly from: number; readonly to: number } {
    const from = this.#next;
    this.#next = Math.min(this.size, from + count);
    return { from, to: this.#next };
  }

  get targets(): string {
    return this.measuring.plan.agents.map(({ id, source }) => `${id}:${source}`).join(",");
  }

  /** Submits the next probes, again and again until they are accepted. */
  async submit(count: number): Promise<Submitted | null> {
    const { from, to } = this.take(count);
    if (from === to) {
      return null;
    }
    const key = crypto.randomUUID();
    const lines = linesOf(from, to);
    const answer = await until(`the submission of probes ${from} to ${to}`, () => this.#post(key, lines));
    return this.accepted(answer, from, to);
  }

  /** Notes what somebody has submitted. */
  accepted({ id, agents }: AcceptedAnswer, from: number, to: number): Submitted {
    const submitted = { id, agents: agents.map((agent) => agent.id), from, to };
    this.submitted.push(submitted);
    return submitted;
  }

  /** From now on, pieces of this size. */
  startDrizzle(pieceProbes: number): void {
    this.#isDrizzling = true;
    this.#drizzling = (async () => {
      while (this.#isDrizzling && this.#next < this.size) {
        await Promise.all([this.submit(pieceProbes), Bun.sleep(betweenPiecesMs)]);
      }
    })();
  }

  /** Whatever has not been submitted yet, too. */
  async finish(): Promise<void> {
    this.#isDrizzling = false;
    await this.#drizzling;
    await this.submit(this.size);
  }

  async #post(key: string, lines: string): Promise<AcceptedAnswer | undefined> {
    const status = { code: 0 };
    try {
      const response = await fetch(`${this.measuring.url}/api/probes?agents=${this.targets}`, {
        method: "POST",
        headers: { authorization: "Bearer none", "content-type": "text/csv", "idempotency-key": key },
        body: lines,
        signal: AbortSignal.timeout(submitMsMax),
      });
      status.code = response.status;
      if (response.ok) {
        return (await response.json()) as AcceptedAnswer;
      }
    } finally {
      this.answers.set(status.code, (this.answers.get(status.code) ?? 0) + 1);
    }
    await Bun.sleep(retryMs);
    return undefined;
  }
}
