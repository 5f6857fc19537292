/**
 * Schedules the generator: every minute, at changes of the gateway, when something expires, and on request. Several
 * reasons at once make one run.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Generator } from "./generator.ts";
import { changePauseMs, changeRetryMs, timerMsMax } from "./limits.ts";
import type { OwnRoutes } from "./own-routes.ts";
import type { RouteApprover } from "./route-approver.ts";
import { sourceNames } from "./source-cache.ts";

interface LoopOptions {
  readonly intervalMs: number;
  readonly sampleMs: number;
  readonly watchGateway: boolean;
  /** Called after each round that ended with the current policy active, and only then. */
  readonly beat: () => Promise<void>;
}

/** What is set at the coordination server; null = nothing. */
export interface Coordination {
  readonly ownRoutes: OwnRoutes | null;
  readonly approver: RouteApprover | null;
}

export class Loop implements AsyncDisposable {
  readonly #generator: Generator;
  readonly #coordination: Coordination;
  readonly #options: LoopOptions;
  readonly #stop = new AbortController();
  readonly #runs: Promise<void>[] = [];
  #approving: Promise<void> = Promise.resolve();
  #endTimer: NodeJS.Timeout | undefined;

  constructor(generator: Generator, coordination: Coordination, options: LoopOptions) {
    this.#generator = generator;
    this.#coordination = coordination;
    this.#options = options;
  }

  /** Lease ends known from the last run are enforced, and BIRD's timer is restarted, before any source is read. */
  async start(): Promise<void> {
    const { knowledge, watch, prefixes } = this.#generator.parts;
    await watch.load();
    await prefixes.load();
    if (await knowledge.load()) {
      await this.#apply();
      await this.#renew();
    }
    await this.refresh();
    await this.#renew();
    await this.#beat();
    this.#runs.push(this.#every(this.#options.intervalMs, () => this.refresh()));
    this.#runs.push(this.#every(this.#options.sampleMs, () => this.#sample()));
    if (this.#options.watchGateway) {
      this.#runs.push(this.#followGateway());
    }
  }

  /**
   * Reads every source, and applies each answer at once; only the first answer ever has to wait for the other source,
   * as one source alone cannot identify users. Returns whether all succeeded.
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

  /** Not awaited: the daemon's policy must not depend on the coordination server. */
  #approve(): void {
    const { ownRoutes, approver } = this.#coordination;
    this.#approving = this.#approving.then(() => ownRoutes?.restore()).then(() => approver?.run());
  }

  #scheduleNext(): void {
    clearTimeout(this.#endTimer);
    const nextMs = this.#generator.nextChangeMs();
    if (nextMs !== null && !this.#stop.signal.aborted) {
      const waitMs = Math.max(0, nextMs - this.#generator.parts.nowMs());
      this.#endTimer = setTimeout(() => this.#apply(), Math.min(waitMs, timerMsMax));
    }
  }

  /** A failed policy is retried here, not only at the next read of the sources. */
  async #sample(): Promise<void> {
    const generator = this.#generator;
    const { watch, audit } = generator.parts;
    const isFlapping = await watch.look();
    const isRefused = await audit.look(generator.current().policy, generator.failure === "");
    if (isFlapping || isRefused || generator.failure !== "") {
      await this.#apply();
    }
    await this.#renew();
    await this.#beat();
  }

  /** Where BIRD's policy ends by itself: for another while, if that is due. */
  async #renew(): Promise<void> {
    try {
      await this.#generator.keepAlive();
    } catch (error) {
      this.#generator.failed("daemon", error);
    }
  }

  async #beat(): Promise<void> {
    if (this.#generator.failure === "") {
      await this.#options.beat();
    }
  }

  /** A failure in one round does not stop the next: a loop that ends would leave ended leases active. */
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
          // A user with a new lease may have joined the VPN a moment before.
          await this.refresh();
        } else if (answer.since === since) {
          // Nothing has changed; a gateway that does not wait must not be asked without a pause.
          await this.#pause(changePauseMs);
        }
        since = answer.since;
      } catch (error) {
        if (isWell && !this.#stop.signal.aborted) {
          metrics.failure("gateway");
          log.warn("Cannot follow the gateway's changes; the next read comes by the clock", { error });
        }
        isWell = false;
        await this.#pause(changeRetryMs);
      }
    }
  }

  /** Ends early at shutdown. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, null, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
