/**
 * Keeps announcements alive: each one ends by itself two intervals after its request or renewal, so a dead controller
 * leaves nothing announced (dead man's switch).
 */
import type { Announcement } from "../../../../../lib/measuring/experiment/definition.ts";
import type { KeptEvent } from "../../../../../lib/measuring/experiment/journal.ts";
import { controllerEvent } from "./controller-event.ts";
import { stackClock } from "./observer.ts";
import type { ClockNow, ControlPlane, SiteChange, SiteState } from "./planes.ts";

interface AnnouncerParts {
  readonly plane: ControlPlane;
  readonly prefix: string;
  readonly intervalMs: number;
  readonly nowMs: () => number;
  /** Numbers the next change: see `ControlPlane`. */
  readonly number: () => number;
  readonly tell: (event: KeptEvent) => void;
  /** The clock of a site's client stack, between two times of ours. */
  readonly compare: (site: string, betweenMs: readonly [number, number], clockNs: ClockNow) => void;
}

interface Standing {
  readonly as: Announcement;
  renewedMs: number;
}

export class Announcer {
  readonly #parts: AnnouncerParts;
  readonly #standing = new Map<string, Standing>();
  /** Time of each site's last state in the journal. */
  readonly #told = new Map<string, string>();

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
  }

  /** One change, at all sites or none. Rejects with GatewayError, and then nothing has changed. */
  async change(sites: readonly SiteChange[]): Promise<void> {
    const { plane, nowMs, intervalMs, number } = this.#parts;
    const askedMs = nowMs();
    const outcome = await plane.change(sites, askedMs + 2 * intervalMs, number());
    for (const { site, as } of sites) {
      if (as === null) {
        this.#standing.delete(site);
        this.#say(site, "asked", "withdraw", askedMs);
      } else {
        this.#standing.set(site, { as, renewedMs: askedMs });
        const more = as.prepend === 0 ? "" : `, prepended ${as.prepend}`;
        this.#say(site, "asked", `announce${more} (${outcome})`, askedMs);
      }
    }
  }

  /** Announced by an earlier process: renews it at the next call, or announces it again if it has ended. */
  adopt(site: string, as: Announcement): void {
    this.#standing.set(site, { as, renewedMs: Number.NEGATIVE_INFINITY });
  }

  /** On the time line once it is done, however often it was tried. Rejects with GatewayError. */
  async withdrawAll(): Promise<void> {
    const { plane, nowMs, number } = this.#parts;
    const askedMs = nowMs();
    this.#standing.clear();
    await plane.withdrawAll(number());
    this.#say("*", "asked", "withdraw everywhere", askedMs);
  }

  /**
   * Renews announcements that are an interval old, in one request; true = it had lapsed, and is announced again.
   * Rejects with GatewayError; then retry soon.
   */
  async renew(): Promise<boolean> {
    const { plane, nowMs, intervalMs, number } = this.#parts;
    const due = [...this.#standing].filter(([, { renewedMs }]) => nowMs() - renewedMs >= intervalMs);
    if (due.length === 0) {
      return false;
    }
    const askedMs = nowMs();
    const outcome = await plane.change(
      due.map(([site, { as }]) => ({ site, as })),
      askedMs + 2 * intervalMs,
      number(),
    );
    for (const [, standing] of due) {
      standing.renewedMs = askedMs;
    }
    if (outcome === "changed") {
      const sites = due.map(([site]) => site).join(" ");
      this.#say(sites, "lapsed", "it had ended before it was renewed, and is announced again");
    }
    return outcome === "changed";
  }

  /** Reports state changes at daemons and exchange servers since the last sample. */
  async look(): Promise<void> {
    const { plane, nowMs, compare } = this.#parts;
    const askedMs = nowMs();
    const states = await plane.states();
    const answeredMs = nowMs();
    for (const state of states) {
      if (state.clockNs !== null) {
        compare(state.site, [askedMs, answeredMs], state.clockNs);
      }
      this.#tellState(state, "daemon", state.daemonNs);
      this.#tellState(state, "exchange", state.exchangeNs);
    }
  }

  #tellState(state: SiteState, event: "daemon" | "exchange", timeNs: string | null): void {
    const { site, announce, exchange, reason } = state;
    const key = `${site} ${event}`;
    if (timeNs === null || this.#told.get(key) === timeNs) {
      return;
    }
    this.#told.set(key, timeNs);
    const made = event === "daemon" ? (announce ? "announced" : "withdrawn") : exchange;
    const detail = reason === null ? made : `${made}: ${reason}`;
    const what = { plane: "control", source: "client stack", clock: stackClock(site) } as const;
    this.#parts.tell({ timeNs, ...what, subject: site, event, detail });
  }

  #say(subject: string, event: string, detail: string, atMs = this.#parts.nowMs()): void {
    this.#parts.tell(controllerEvent("control", atMs, { subject, event, detail }));
  }
}
