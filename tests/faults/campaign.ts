/**
 * A campaign through the gateway: probes by number, each submitted until it was accepted, and then never again.
 *
 * Large measurements keep agents at work; besides, small pieces are submitted all the time, so that each fault meets
 * submissions too. A request without an answer is made again under its Idempotency-Key.
 */
import { partitionOf } from "../../lib/engines/broker/partition-of.ts";
import { topicPartitions } from "../../lib/net/wire/target-header.ts";
import type { Engines } from "./engines.ts";
import type { Measuring } from "./measuring.ts";
import { until } from "./patience.ts";
import { linesOf } from "./probe-space.ts";

const submitMsMax = 60_000;
const retryMs = 100;
const betweenPiecesMs = 250;
/** A large measurement goes on through an outage; it comes to its half at last. */
const halfMsMax = 600_000;
const lookEveryMs = 500;

export interface Submitted {
  readonly id: string;
  /** Who takes part: an agent that is down at that time does not. */
  readonly agents: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** The gateway's answer. */
export interface AcceptedAnswer {
  readonly id: string;
  readonly agents: readonly { readonly id: string }[];
}

export class Campaign {
  readonly measuring: Measuring;
  /** Probes of each agent. */
  readonly size: number;
  readonly submitted: Submitted[] = [];
  /** Answers to submissions, by status and code of the problem; 0 = none. */
  readonly answers = new Map<string, number>();
  #next = 0;
  /** The large measurements; those before the last two are over. */
  readonly #large: Submitted[] = [];
  #loads: Promise<void>[] = [];
  #isOver = false;

  constructor(measuring: Measuring, size: number) {
    this.measuring = measuring;
    this.size = size;
  }

  /** The next `count` probes to submit; fewer at the end. */
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

  /** As `submit`, of a measurement behind which others of its partition wait. */
  async submitLarge(count: number): Promise<Submitted | null> {
    const submitted = await this.submit(count);
    if (submitted !== null) {
      this.#large.push(submitted);
    }
    return submitted;
  }

  /** Whether a measurement waits behind none of the large ones. */
  isApart({ id }: Submitted): boolean {
    const place = (one: string) => partitionOf(one, topicPartitions);
    return this.#large.slice(-2).every((large) => place(large.id) !== place(id));
  }

  /** From now on, pieces of this size. */
  startDrizzle(pieceProbes: number): void {
    this.#startLoad(() => Promise.all([this.submit(pieceProbes), Bun.sleep(betweenPiecesMs)]));
  }

  /**
   * From now on one large measurement after the other: the next one comes when half of the last is stored. So it is as
   * fast as everything together can be, and nothing falls further and further behind.
   */
  startFlow(probes: number, engines: Engines): void {
    this.#startLoad(async () => {
      const submitted = await this.submitLarge(probes);
      const isHalf = async () =>
        this.#isOver || (submitted !== null && (await isHalfStored(submitted, engines)));
      await until("half of a large measurement", isHalf, halfMsMax);
    });
  }

  /** No more than was begun; with `all`, whatever has not been submitted yet, too. */
  async finish(all: boolean): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loads);
    if (all) {
      await this.submit(this.size);
    }
  }

  #startLoad(step: () => Promise<unknown>): void {
    const run = async () => {
      while (!this.#isOver && this.#next < this.size) {
        await step();
      }
    };
    this.#loads.push(run());
  }

  async #post(key: string, lines: string): Promise<AcceptedAnswer | undefined> {
    let said = "0";
    try {
      const response = await fetch(`${this.measuring.url}/api/probes?agents=${this.targets}`, {
        method: "POST",
        headers: { authorization: "Bearer none", "content-type": "text/csv", "idempotency-key": key },
        body: lines,
        signal: AbortSignal.timeout(submitMsMax),
      });
      const body = (await response.json()) as AcceptedAnswer & { readonly code?: string };
      said = [response.status, ...(response.ok ? [] : [body.code])].join(" ");
      if (response.ok) {
        return body;
      }
    } finally {
      this.answers.set(said, (this.answers.get(said) ?? 0) + 1);
    }
    await Bun.sleep(retryMs);
    return undefined;
  }
}

async function isHalfStored({ id, from, to, agents }: Submitted, engines: Engines): Promise<boolean> {
  await Bun.sleep(lookEveryMs);
  const query = `SELECT count() AS rows FROM measure.replies WHERE measurement_id = '${id}'`;
  const [row] = await engines.rows<{ rows: string }>(query);
  return Number(row?.rows ?? 0) >= ((to - from) * agents.length) / 2;
}
