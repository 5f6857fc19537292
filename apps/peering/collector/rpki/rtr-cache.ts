/**
 * One RPKI cache, polled by RTR (RFC 8210). While it is unavailable, its last data stays valid until it expires.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { systemReason } from "../../../../lib/base/failure/system-reason.ts";
import type { ListenAddress } from "../../../../lib/engines/config/addresses.ts";
import { LoopYield } from "../../../../lib/engines/http/loop-yield.ts";
import type { Logger } from "../../../../lib/engines/observe/log.ts";
import { RtrData } from "../../../../lib/net/rpki/rtr/rtr-data.ts";
import { RtrSession, type RtrUpdate } from "../../../../lib/net/rpki/rtr/rtr-session.ts";
import type { VrpTable } from "../../../../lib/net/rpki/vrp-table.ts";
import { printable } from "../../../../lib/peering/policy/printable.ts";
import { rtrAnswerMs, rtrReasonCharsMax, rtrRetryMs } from "../limits.ts";
import { RtrLink } from "./rtr-link.ts";

/** `current`: its data is complete, and it is connected. */
type CacheState = "away" | "asked" | "no data" | "current";

interface CacheParts {
  readonly address: ListenAddress;
  readonly log: Logger;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs: () => number;
  /** Its state or its data has changed. */
  readonly changed: () => void;
}

export class RtrCache {
  readonly counts = { failures: 0, routerKeys: 0, aspas: 0 };
  /** As it was configured. */
  readonly name: string;
  readonly #parts: CacheParts;
  readonly #data = new RtrData();
  #state: CacheState = "away";
  #trouble: string | null = null;
  #readAtMs: number | null = null;
  #answeredMs = 0;
  #failuresInRow = 0;

  constructor(parts: CacheParts) {
    const { host, port } = parts.address;
    this.#parts = parts;
    this.name = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  }

  get state(): CacheState {
    return this.#state;
  }

  /** Why its last session ended, cleaned; null = a session has answered. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Null = no data yet, or it has expired. */
  get table(): VrpTable | null {
    this.#forgetExpired();
    return this.#data.table;
  }

  /** When its data was last complete; milliseconds since 1970. */
  get readAtMs(): number | null {
    return this.#readAtMs;
  }

  get version(): number {
    return this.#data.version;
  }

  get serial(): number | null {
    return this.#data.position?.serial ?? null;
  }

  get expireSec(): number {
    return this.#data.intervals.expireSec;
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const reason = printable(await this.#session(stop), rtrReasonCharsMax);
      if (!stop.aborted) {
        this.#lost(reason);
        await sleep(this.#retryMs(), undefined, { signal: stop }).catch(() => {});
      }
    }
  }

  /** Twice as long each time, from a second to a minute, and no longer than the cache wants. */
  #retryMs(): number {
    const { first, longest } = rtrRetryMs;
    const wantedMs = 1000 * this.#data.intervals.retrySec;
    return Math.min(first * 2 ** (this.#failuresInRow - 1), longest, Math.max(wantedMs, first));
  }

  #lost(reason: string): void {
    this.counts.failures++;
    this.#failuresInRow++;
    if (this.#trouble !== reason) {
      this.#parts.log.warn("RTR cache lost", { cache: this.name, reason });
    }
    this.#trouble = reason;
    this.#become("away");
  }

  #become(state: CacheState): void {
    this.#state = state;
    this.#parts.changed();
  }

  /** Resolves to why it has ended. */
  async #session(stop: AbortSignal): Promise<string> {
    const link = new RtrLink(this.#parts.address);
    const session = new RtrSession(this.#data, this.counts);
    const end = () => link.end("the collector ends");
    stop.addEventListener("abort", end, { once: true });
    try {
      await link.connected();
      await this.#talk(link, session);
      return "it has closed the connection";
    } catch (error) {
      await link.close(session.reportOf(error));
      return systemReason(error);
    } finally {
      stop.removeEventListener("abort", end);
      session.end();
      await link.close(null);
    }
  }

  async #talk(link: RtrLink, session: RtrSession): Promise<void> {
    const ask = (query: Uint8Array) => {
      link.send(query);
      link.after(rtrAnswerMs, () => link.end("it does not answer"));
    };
    this.#become("asked");
    this.#forgetExpired();
    ask(session.ask());
    const pace = new LoopYield();
    for await (const pdus of link.pdus()) {
      for (const pdu of pdus) {
        const { update, query } = session.take(pdu);
        if (update !== null) {
          this.#hear(update);
          link.after(this.#pauseMs(update), () => ask(session.ask()));
        }
        if (query !== null) {
          ask(query);
        }
      }
      await pace.next();
    }
  }

  #hear(update: RtrUpdate): void {
    if (update.kind === "complete") {
      [this.#readAtMs, this.#answeredMs, this.#failuresInRow] = [Date.now(), this.#parts.clockMs(), 0];
      const vrps = this.#data.table?.count;
      if (update.changed > 0) {
        this.#parts.log.info("VRPs read", { cache: this.name, vrps, changed: update.changed });
      }
    }
    this.#trouble = null;
    this.#become(update.kind === "complete" ? "current" : "no data");
  }

  #pauseMs({ kind }: RtrUpdate): number {
    const { refreshSec, retrySec } = this.#data.intervals;
    return 1000 * (kind === "complete" ? refreshSec : retrySec);
  }

  #forgetExpired(): void {
    const { clockMs, log } = this.#parts;
    const { table, intervals } = this.#data;
    if (table !== null && clockMs() - this.#answeredMs >= 1000 * intervals.expireSec) {
      log.warn("VRPs have expired", { cache: this.name, after_sec: intervals.expireSec });
      this.#data.forget();
    }
  }
}
