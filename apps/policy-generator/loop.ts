/**
 * When the generator does what: every minute, when the gateway tells of a change, when something ends by itself, and
 * when somebody asks. Several reasons at once make one run.
 */

import { setTimeout as pause } from "node:timers/promises";
import type { Generator } from "./generator.ts";
import { sourceNames } from "./knowledge.ts";
import { changePauseMs, changeRetryMs, timerMsMax } from "./limits.ts";
import type { RouteApprover } from "./route-approver.ts";

export interface LoopOptions {
  readonly intervalMs: number;
  readonly sampleMs: number;
  readonly watchGateway: boolean;
  /** Called after each turn with the policy of the moment in force, and never else: a sign that all is well. */
  readonly beat: () => Promise<void>;
}

export class Loop implements AsyncDisposable {
  readonly #generator: Generator;
  readonly #approver: RouteApprover | null;
  readonly #options: LoopOptions;
  readonly #stop = new AbortController();
  readonly #runs: Promise<void>[] = [];
  #approving: Promise<void> = Promise.resolve();
  #endTimer: NodeJS.Timeout | undefined;

  constructor(generator: Generator, approver: RouteApprover | null, options: LoopOptions) {
    this.#generator = generator;
    this.#approver = approver;
    this.#options = options;
  }

  /** Ends of leases that are known from the last run are enforced before any source is asked. */
  async start(): Promise<void> {
    const { knowledge, watch } = this.#generator.parts;
    await watch.load();
    if (await knowledge.load()) {
      await this.#apply();
    }
    await this.refresh();
    await this.#beat();
    this.#runs.push(this.#every(this.#options.intervalMs, () => this.refresh()));
    this.#runs.push(this.#every(this.#options.sampleMs, () => this.#sample()));
    if (this.#options.watchGateway) {
      this.#runs.push(this.#followGateway());
    }
  }

  /**
   * Asks every source, and applies what each gives at once; only what comes first has to wait for the other, as one
   * source alone says that nobody is anybody. Returns whether all went well.
   */
  async refresh(): Promise<boolean> {
    const isFirst = this.#generator.parts.knowledge.membership() === null;
    const results = await Promise.all(
      sourceNames.map(async (source) => {
        const hasAnswered = await this.#generator.refresh(source);
        return hasAnswered && (isFirst || (await this.#apply()));
      }),
    );
    if (results.includes(false) || isFirst) {
      results.push(await this.#apply());
    }
    this.#approve();
    return !results.includes(false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#endTimer);
    await Promise.all(this.#runs);
    await this.#approving;
    await this.#generator.settled();
  }

  async #apply(): Promise<boolean> {
    const isGood = await this.#generator.apply();
    this.#scheduleNext();
    if (this.#generator.applied?.hasChanged ?? false) {
      this.#approve();
    }
    return isGood;
  }

  /** Not waited for: the daemon's policy must not hang on the coordination server. */
  #approve(): void {
    this.#approving = this.#approving.then(() => this.#approver?.run());
  }

  #scheduleNext(): void {
    clearTimeout(this.#endTimer);
    const nextMs = this.#generator.nextChangeMs();
    if (nextMs !== null && !this.#stop.signal.aborted) {
      const waitMs = Math.max(0, nextMs - this.#generator.parts.nowMs());
      this.#endTimer = setTimeout(() => this.#apply(), Math.min(waitMs, timerMsMax));
    }
  }

  /** What could not be put into force is tried again here, not only at the next look at the sources. */
  async #sample(): Promise<void> {
    const generator = this.#generator;
    const { watch, audit } = generator.parts;
    const isFlapping = await watch.look();
    const isForeign = await audit.look(generator.current().policy, generator.failure === "");
    if (isFlapping || isForeign || generator.failure !== "") {
      await this.#apply();
    }
    await this.#beat();
  }

  async #beat(): Promise<void> {
    if (this.#generator.failure === "") {
      await this.#options.beat();
    }
  }

  /** Whatever goes wrong in a turn, the next one comes: a loop that ends would leave ended leases in force. */
  async #every(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    await this.#pause(pauseMs);
    while (!this.#stop.signal.aborted) {
      await work().catch((error: unknown) => this.#generator.failed("policy", error));
      await this.#pause(pauseMs);
    }
  }

  async #followGateway(): Promise<void> {
    const { gateway, metrics, log } = this.#generator.parts;
    let since: string | null = null;
    let isWell = true;
    while (!this.#stop.signal.aborted) {
      try {
        const answer: { since: string; hasChanged: boolean } = await gateway.nextChange(
          since,
          this.#stop.signal,
        );
        isWell = true;
        if (answer.hasChanged) {
          // Whoever has just leased may have joined the VPN a moment before.
          await this.refresh();
        } else if (answer.since === since) {
          // Nothing for so long; a gateway that does not wait must not be asked without a pause.
          await this.#pause(changePauseMs);
        }
        since = answer.since;
      } catch (error) {
        if (isWell && !this.#stop.signal.aborted) {
          metrics.failure("gateway");
          log.warn("Cannot follow the gateway's changes; the next look comes by the clock", { error });
        }
        isWell = false;
        await this.#pause(changeRetryMs);
      }
    }
  }

  /** Ends early when everything stops. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, null, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
