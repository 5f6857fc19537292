/**
 * What an experiment sees of answers, new ways of theirs too, and how clocks compare. What was seen is in the journal
 * at once, so a start after a kill goes on with it; ways of answers are not compared across one.
 */
import type { ExperimentEntry, KeptEvent } from "../../../../lib/measuring/experiment/journal.ts";
import { pathTtls } from "../../../../lib/measuring/experiment/limits.ts";
import { type PathAnswer, PathsSeen } from "../../../../lib/measuring/experiment/new-paths.ts";
import type { ClockSample } from "../../../../lib/measuring/probing/clocks.ts";
import { clockCompareMs } from "../limits.ts";
import type { ClockNow, DataPlane, Heard, Probed, ProbeOrder, RoutePlane } from "./planes.ts";

interface ObserverParts {
  readonly data: DataPlane;
  readonly write: (entry: ExperimentEntry) => void;
  readonly nowMs: () => number;
  readonly tell: (event: KeptEvent) => void;
}

interface Probing {
  /** Nobody has asked for it before, so nothing of it was sent before now. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
}

const collector = "collector";
const stack = "client stack";
const nanosPerMs = 1_000_000n;
const nanosPerUs = 1000n;

/** Sites have client stacks on different machines, a clock each. */
export function stackClock(site: string): string {
  return `${stack} ${site}`;
}

export class Observer {
  readonly #parts: ObserverParts;
  readonly #paths = new PathsSeen();
  /** When a change was asked for at each site, until the client stack has confirmed it. */
  readonly #askedMs = new Map<string, number>();
  /** When each source was asked for its clock last. */
  readonly #comparedMs = new Map<string, number>();

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  async probe(order: ProbeOrder, { isNew, signal }: Probing): Promise<readonly Heard[]> {
    const { data, nowMs } = this.#parts;
    const askedMs = nowMs();
    const { heard, sentByMs, ...missing } = await data.probe(order, signal);
    this.#tellMissing(missing);
    const endMs = nowMs();
    for (const [agent, own] of isNew ? Map.groupBy(heard, (one) => one.agent) : []) {
      // What another agent sent has no send time here: it left before, and came before we read it.
      const sent = own.filter(({ sender, sentNs, receivedNs }) => sender === agent && sentNs < receivedNs);
      const { least: firstNs } = extremes(own.map(({ sentNs }) => sentNs));
      const { most: lastNs } = extremes(
        sent.length > 0 ? sent.map(({ sentNs }) => sentNs) : own.map(({ receivedNs }) => receivedNs),
      );
      const answeredMs = sent.length > 0 ? sentByMs : endMs;
      this.#compare(agent, [askedMs, answeredMs], [firstNs, lastNs]);
    }
    this.#tellNewPaths(heard);
    // Better than the times of its probes, where the gateway can say it.
    const agents = [...new Set(heard.map((one) => one.agent))];
    await Promise.allSettled(agents.map((agent) => this.#askClock(agent, () => data.clockOf(agent))));
    return heard;
  }

  /** Who reads of silent targets must know of those that were not asked, or whose answers are not stored. */
  #tellMissing({ unsent, unseen, ambiguous }: Omit<Probed, "heard" | "sentByMs">): void {
    const words = [
      ...(unsent > 0 ? [`${unsent} probes were not sent`] : []),
      ...(unseen > 0 ? [`${unseen} answers that agents counted are not in the store`] : []),
      ...(ambiguous > 0 ? [`${ambiguous} answers may be of two measurements`] : []),
    ];
    if (words.length > 0) {
      const timeNs = String(BigInt(this.#parts.nowMs()) * nanosPerMs);
      const what = { plane: "data", source: "controller", subject: "answers", event: "incomplete" } as const;
      this.#parts.tell({ timeNs, ...what, detail: words.join(", ") });
    }
  }

  /** Asks a collector for its clock, from time to time. */
  compareCollector(plane: RoutePlane): Promise<void> {
    return this.#askClock(collector, async () => {
      const theirsNs = await plane.clockNs();
      return theirsNs === null ? null : [theirsNs + nanosPerUs, theirsNs];
    });
  }

  /** The stack confirms a change after it was asked for, and before it is seen here that it has. */
  compareStack({ source, event, subject, timeNs }: KeptEvent): void {
    const { nowMs } = this.#parts;
    const askedMs = this.#askedMs.get(subject);
    if (event === "asked") {
      this.#askedMs.set(subject, Number(BigInt(timeNs) / nanosPerMs));
    } else if (source === stack && event === "daemon" && askedMs !== undefined) {
      this.#askedMs.delete(subject);
      const at = BigInt(timeNs);
      this.#compare(stackClock(subject), [askedMs, nowMs()], [at, at]);
    }
  }

  /** As the client stack of a site has compared its clock with the gateway's. */
  compareSite(site: string, betweenMs: readonly [number, number], clockNs: ClockNow): void {
    const source = stackClock(site);
    if (this.#isDue(source, betweenMs[0])) {
      this.#compare(source, betweenMs, clockNs);
    }
  }

  /** Whether the clock is to be compared again; then it was, at that time of ours. */
  #isDue(source: string, atMs: number): boolean {
    const isDue = atMs - (this.#comparedMs.get(source) ?? Number.NEGATIVE_INFINITY) >= clockCompareMs;
    if (isDue) {
      this.#comparedMs.set(source, atMs);
    }
    return isDue;
  }

  /** From time to time; `ask` gives the clock at a moment before its answer, at the latest and at the earliest. */
  async #askClock(source: string, ask: () => Promise<ClockNow | null>): Promise<void> {
    const { nowMs } = this.#parts;
    const askedMs = nowMs();
    if (!this.#isDue(source, askedMs)) {
      return;
    }
    const theirsNs = await ask();
    if (theirsNs !== null) {
      this.#compare(source, [askedMs, nowMs()], theirsNs);
    }
  }

  #compare(
    source: string,
    [askedMs, answeredMs]: readonly [number, number],
    [receivedNs, sentNs]: readonly [bigint, bigint],
  ): void {
    const askedNs = BigInt(askedMs) * nanosPerMs;
    const answeredNs = BigInt(answeredMs + 1) * nanosPerMs;
    const sample: ClockSample = { askedNs, receivedNs, sentNs, answeredNs };
    const kept = Object.fromEntries(Object.entries(sample).map(([name, at]) => [name, String(at)]));
    this.#parts.write({ kind: "clock", source, ...(kept as Record<keyof ClockSample, string>) });
  }

  /** The first and the last of each agent; in words how many there are between. */
  #tellNewPaths(heard: readonly Heard[]): void {
    // Beyond the hops of a path, the TTL is the mark of a round or a turn: it makes no other flow.
    const answers = heard.map((one) => ({
      ...one,
      receiver: one.agent,
      ttl: Math.min(one.ttl, pathTtls + 1),
    }));
    const found = this.#paths.take(answers);
    for (const [agent, own] of Map.groupBy(found, ({ answer }) => answer.receiver)) {
      const targets = new Set(own.map(({ answer }) => answer.target)).size;
      const [first, last] = [own[0], own.length > 1 ? own.at(-1) : undefined];
      for (const [which, one] of [
        ["first", first],
        ["last", last],
      ] as const) {
        if (one !== undefined) {
          const { answer, before } = one;
          const all = own.length === 1 ? "" : `; the ${which} of ${own.length}, of ${targets} targets`;
          this.#parts.tell({
            ...{ timeNs: String(answer.sentNs), plane: "data", source: agent, subject: answer.target },
            ...{ event: "new-path", detail: `${wayChange(before, answer)}${all}` },
          });
        }
      }
    }
  }
}

/** Not of an empty list. */
function extremes(times: readonly bigint[]): { readonly least: bigint; readonly most: bigint } {
  const sorted = times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { least: sorted[0] ?? 0n, most: sorted.at(-1) ?? 0n };
}

/** What differs of two answers of one flow. */
function wayChange(before: PathAnswer, after: PathAnswer): string {
  const { receiver, router, replyTtl, ttl } = after;
  const hop = router === after.target ? "" : `hop ${ttl} `;
  return [
    ...(receiver === before.receiver ? [] : [`answers came to ${before.receiver}`]),
    ...(router === before.router ? [] : [`${hop}${router}, was ${before.router}`]),
    ...(replyTtl === before.replyTtl ? [] : [`TTL ${replyTtl}, was ${before.replyTtl}`]),
  ].join("; ");
}
