/**
 * Both planes of an experiment on one line of time: what was asked, what daemons and exchanges did, what the collector
 * heard, what probes showed. Pure.
 *
 * Sources have clocks of their own. Each is compared with the controller's, by request and answer; its times are moved
 * by the offset, and are known to half a round trip.
 */

/** What happened, on the control plane (BGP) or the data plane (probes). */
interface TimeLineEvent {
  /** Nanoseconds since the epoch, by the clock of the source. */
  readonly timeNs: bigint;
  readonly plane: "control" | "data";
  /** The machine whose clock that is: `controller`, `collector`, an agent, an exchange server. */
  readonly source: string;
  /** What it is about: a prefix, a site, a target. */
  readonly subject: string;
  /** `asked`, `daemon`, `exchange`, `first-sight`, `first-probe`, `loss`, `answered-again`, `catchment`. */
  readonly event: string;
  readonly detail: string;
}

/** One comparison of two clocks. */
interface ClockSample {
  /** By the controller's clock: when it asked, and when the answer was there. */
  readonly askedNs: bigint;
  readonly answeredNs: bigint;
  /** By the clock of the source, in between. */
  readonly theirsNs: bigint;
}

interface ClockOffset {
  /** What is added to a time of the source. */
  readonly addNs: bigint;
  /** The true offset is this near at most, as long as the clock runs as fast as ours. */
  readonly withinNs: bigint;
}

interface TimeLineRow extends TimeLineEvent {
  /** By the controller's clock. */
  readonly atNs: bigint;
  /** Null = the clock of the source was never compared, and its time is taken as it is. */
  readonly withinNs: bigint | null;
}

/** The sample with the shortest round trip says most (as NTP chooses, RFC 5905, section 10). Null without one. */
export function clockOffset(samples: readonly ClockSample[]): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { askedNs, answeredNs, theirsNs } of samples) {
    const withinNs = (answeredNs - askedNs + 1n) / 2n;
    if (best === null || withinNs < best.withinNs) {
      best = { addNs: askedNs + withinNs - theirsNs, withinNs };
    }
  }
  return best;
}

/** In the order of the controller's time; events of equal times stay in the order in which they were given. */
export function timeLine(
  events: readonly TimeLineEvent[],
  offsets: ReadonlyMap<string, ClockOffset>,
): TimeLineRow[] {
  const rows = events.map((event): TimeLineRow => {
    const offset = offsets.get(event.source);
    return { ...event, atNs: event.timeNs + (offset?.addNs ?? 0n), withinNs: offset?.withinNs ?? null };
  });
  return rows.sort((a, b) => (a.atNs < b.atNs ? -1 : a.atNs > b.atNs ? 1 : 0));
}

/** How long after a moment each source showed an event for the first time; sources that never did are left out. */
export function delaysBySource(
  rows: readonly TimeLineRow[],
  event: string,
  sinceNs: bigint,
): ReadonlyMap<string, bigint> {
  const delays = new Map<string, bigint>();
  for (const row of rows) {
    if (row.event === event && row.atNs >= sinceNs && !delays.has(row.source)) {
      delays.set(row.source, row.atNs - sinceNs);
    }
  }
  return delays;
}
