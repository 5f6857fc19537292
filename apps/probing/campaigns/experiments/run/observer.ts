/**
 * An experiment's observations of replies, including changed paths, and of clock offsets. They are journaled at once,
 * so a start after a kill continues with them; paths of replies are not compared across a restart.
 */
import type { ExperimentEntry, KeptEvent } from "../../../../../lib/measuring/experiment/journal.ts";
import { pathTtls } from "../../../../../lib/measuring/experiment/limits.ts";
import { type PathAnswer, PathsSeen } from "../../../../../lib/measuring/experiment/new-paths.ts";
import type { ClockSample } from "../../../../../lib/measuring/probing/clocks.ts";
import { clockCompareMs } from "../../limits.ts";
import type { ClockNow, DataPlane, Probed, ProbeOrder, Received, RoutePlane } from "./planes.ts";

interface ObserverParts {
  readonly data: DataPlane;
  readonly write: (entry: ExperimentEntry) => void;
  readonly nowMs: () => number;
  readonly tell: (event: KeptEvent) => void;
}

interface Probing {
  /** It was not requested before, so none of it was sent before now. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
}

const collector = "collector";
const stack = "client stack";
const nanosPerMs = 1_000_000n;
const nanosPerUs = 1000n;

/** Sites have client stacks on different machines, each with its own clock. */
export function stackClock(site: string): string {
  return `${stack} ${site}`;
}

export class Observer {
  readonly #parts: ObserverParts;
  readonly #paths = new PathsSeen();
  /** Time of each site's requested change, until the client stack has confirmed it. */
  readonly #askedMs = new Map<string, number>();
  /** When each source's clock was last sampled. */
  readonly #comparedMs = new Map<string, number>();

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  async probe(order: ProbeOrder, { isNew, signal }: Probing): Promise<readonly Received[]> {
    const { data, nowMs } = this.#parts;
    const askedMs = nowMs();
    const { received, sentByMs, ...missing } = await data.probe(order, signal);
    this.#tellMissing(missing);
    const endMs = nowMs();
    for (const [agent, own] of isNew ? Map.groupBy(received, (one) => one.agent) : []) {
      // Another agent's probe has no send time here: only that it left, and its reply arrived, before we read it.
      const sent = own.filter(({ sender, sentNs, receivedNs }) => sender === agent && sentNs < receivedNs);
      const { least: firstNs } = extremes(own.map(({ sentNs }) => sentNs));
      const { most: lastNs } = extremes(
        sent.length > 0 ? sent.map(({ sentNs }) => sentNs) : own.map(({ receivedNs }) => receivedNs),
      );
      const answeredMs = sent.length > 0 ? sentByMs : endMs;
      this.#compare(agent, [askedMs, answeredMs], [firstNs, lastNs]);
    }
    this.#tellNewPaths(received);
    // More precise than its probes' times, where the gateway has it.
    const agents = [...new Set(received.map((one) => one.agent))];
    await Promise.allSettled(agents.map((agent) => this.#askClock(agent, () => data.clockOf(agent))));
    return received;
  }

  /** Reports targets that were not probed, or whose replies are not stored, as they would appear silent. */
  #tellMissing({ unsent, unseen, ambiguous }: Omit<Probed, "received" | "sentByMs">): void {
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

  /** Samples a collector's clock, from time to time. */
  compareCollector(plane: RoutePlane): Promise<void> {
    return this.#askClock(collector, async () => {
      const theirsNs = await plane.clockNs();
      return theirsNs === null ? null : [theirsNs + nanosPerUs, theirsNs];
    });
  }

  /** The stack confirms a change between its request and our reading of the confirmation. */
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

  /** The clock offset that a site's client stack has measured to the gateway's. */
  compareSite(site: string, betweenMs: readonly [number, number], clockNs: ClockNow): void {
    const source = stackClock(site);
    if (this.#isDue(source, betweenMs[0])) {
      this.#compare(source, betweenMs, clockNs);
    }
  }

  /** Whether the clock comparison is due; if so, notes our time of it. */
  #isDue(source: string, atMs: number): boolean {
    const isDue = atMs - (this.#comparedMs.get(source) ?? Number.NEGATIVE_INFINITY) >= clockCompareMs;
    if (isDue) {
      this.#comparedMs.set(source, atMs);
    }
    return isDue;
  }

  /** From time to time; `ask` returns the clock's latest and earliest value at a moment before the response. */
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

  /** The first and the last event of each agent; the number in between as text. */
  #tellNewPaths(received: readonly Received[]): void {
    // Beyond a path's hops, the TTL marks a round or a turn, and does not change the flow.
    const answers = received.map((one) => ({
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

/** The list must not be empty. */
function extremes(times: readonly bigint[]): { readonly least: bigint; readonly most: bigint } {
  const sorted = times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { least: sorted[0] ?? 0n, most: sorted.at(-1) ?? 0n };
}

/** The difference between two replies of a flow. */
function wayChange(before: PathAnswer, after: PathAnswer): string {
  const { receiver, router, replyTtl, ttl } = after;
  const hop = router === after.target ? "" : `hop ${ttl} `;
  return [
    ...(receiver === before.receiver ? [] : [`answers came to ${before.receiver}`]),
    ...(router === before.router ? [] : [`${hop}${router}, was ${before.router}`]),
    ...(replyTtl === before.replyTtl ? [] : [`TTL ${replyTtl}, was ${before.replyTtl}`]),
  ].join("; ");
}
