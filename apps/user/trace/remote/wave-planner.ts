/**
 * Which probes the agents of a trace send next to one target: as many hops ahead of the last answer as keep the trace
 * going, and no more once the target has answered, as a local trace does. Pure.
 *
 * Each answer takes half a second or so from an agent to here, so probes go in waves: a wave opens some hops, with one
 * probe for each flow, and asks once more at hops that are known to lie on the path. The first flow scouts further
 * ahead, so that the others seldom go beyond the target. The next wave follows a fixed time after the last while agents
 * keep up; otherwise when all probes have been answered, or answers have been missing for twice as long as the slowest
 * of them took, within limits. A probe that its agent has not reported as sent is not missing, within a limit; nor is
 * an answer that is still on its way here.
 */
import { isOpenPort, type Path } from "../../../../lib/measuring/paths/path.ts";
import {
  answersLateMs,
  answersLateMsMax,
  remoteDelayMs,
  remoteSendMsMax,
  remoteSpacingMs,
  silentHopsMax,
  silentProbesMin,
  waveHops,
  waveQuietMsMin,
} from "../limits.ts";
import type { Options } from "../options.ts";
import type { NamedTarget } from "../target.ts";
import { type PlannedProbe, plannedFor } from "./probe-plan.ts";
import type { RemotePath } from "./remote-path.ts";

export type Shape = Pick<
  Options,
  "srcPort" | "dstPort" | "firstTtl" | "maxTtl" | "queries" | "flows" | "waitMs"
>;

interface WavePlan {
  readonly targets: readonly NamedTarget[];
  /** Index of the target. */
  readonly target: number;
  readonly shape: Shape;
}

/** What is known when the next probes are chosen. */
export interface WaveSight {
  /** By a clock that stands still while answers cannot be read. */
  readonly nowMs: number;
  /** Whether the agents have sent all probes to the target, and no answers are on their way here. */
  readonly isSettled: boolean;
  /** Whether agents still have much to send, so that further probes would only wait at them. */
  readonly isBacklogged: boolean;
  /** When agents last sent a probe, or one of their answers was read, to any target. */
  readonly progressAtMs: number;
  /** How long answers took of late, from the report of their probe until they were read. */
  readonly delayMs: number;
}

/** One flow at one hop. */
interface Cell {
  readonly flow: number;
  readonly ttl: number;
}

export class WavePlanner {
  readonly #plan: WavePlan;
  /** Probes asked for so far, by cell; each agent sends all of them. */
  readonly #asked = new Map<string, { readonly cell: Cell; count: number }>();
  /** The last hop that was opened. */
  #openedTtl: number;
  #waveAtMs = Number.NEGATIVE_INFINITY;
  #sendingAtMs = Number.NEGATIVE_INFINITY;
  #newsAtMs = Number.NEGATIVE_INFINITY;
  /** From a wave to an answer, at most so far. */
  #slowestMs = 0;
  #delayMs = 0;

  constructor(plan: WavePlan) {
    this.#plan = plan;
    this.#openedTtl = plan.shape.firstTtl - 1;
  }

  /** A single probe, of those that are sent in any case: it introduces the target while others go first. */
  introduce(nowMs: number): PlannedProbe[] {
    return this.#ask([{ flow: 0, ttl: this.#plan.shape.firstTtl }], nowMs);
  }

  /** The first wave, without what was asked for before. */
  begin(nowMs: number): PlannedProbe[] {
    const { firstTtl, maxTtl, flows } = this.#plan.shape;
    const upTo = (hops: number) => Math.min(maxTtl, firstTtl + hops - 1);
    const scouting = cellsOf(upTo(waveHops) + 1, upTo(silentHopsMax), 1);
    const cells = [...cellsOf(firstTtl, upTo(waveHops), flows), ...scouting];
    return this.#ask(
      cells.filter((cell) => this.#askedAt(cell) === 0),
      nowMs,
    );
  }

  /** To be called for each answer. */
  answered(nowMs: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, nowMs - this.#waveAtMs);
    this.#newsAtMs = nowMs;
  }

  /** The next wave; empty while answers are awaited, or when nothing more is worth sending. `paths` still continue. */
  next(paths: readonly RemotePath[], sight: WaveSight): PlannedProbe[] {
    this.#noteSight(sight);
    const isQuiet = this.#silentForMs(sight.nowMs) >= this.#quietMsOf(paths);
    const isSpaced = !sight.isBacklogged && sight.nowMs - this.#waveAtMs >= remoteSpacingMs;
    return isQuiet || isSpaced || !this.#isAwaiting(paths, isSilentOnWay)
      ? this.#ask(this.#wanted(paths, isQuiet), sight.nowMs)
      : [];
  }

  /** Whether no more answers are awaited, and nothing is worth sending. */
  isDone(paths: readonly RemotePath[], sight: WaveSight): boolean {
    this.#noteSight(sight);
    const isAwaiting = this.#silentForMs(sight.nowMs) < this.#patienceMsOf(paths) && this.#isAwaiting(paths);
    return !isAwaiting && this.#wanted(paths, true).length === 0;
  }

  /** Whether nothing is worth sending on a path, and every probe that was requested has been answered. */
  isAnswered(remote: RemotePath): boolean {
    return !this.#isAwaiting([remote]) && this.#wanted([remote], true).length === 0;
  }

  /** Silence begins when all has been sent, and answers are here. */
  #noteSight({ nowMs, isSettled, progressAtMs, delayMs }: WaveSight): void {
    this.#delayMs = delayMs;
    if (!isSettled && nowMs - Math.max(this.#waveAtMs, progressAtMs) < remoteSendMsMax) {
      this.#sendingAtMs = nowMs;
    }
  }

  #silentForMs(nowMs: number): number {
    return nowMs - Math.max(this.#waveAtMs, this.#sendingAtMs, this.#newsAtMs);
  }

  /** Before an agent's first answer its delay is unknown. */
  #patienceMsOf(paths: readonly RemotePath[]): number {
    const leastMs = areAnswering(paths) ? answersLateMs : remoteDelayMs;
    return this.#plan.shape.waitMs + Math.max(leastMs, Math.min(2 * this.#delayMs, answersLateMsMax));
  }

  #quietMsOf(paths: readonly RemotePath[]): number {
    const patienceMs = this.#patienceMsOf(paths);
    return areAnswering(paths)
      ? Math.min(patienceMs, Math.max(waveQuietMsMin, 2 * this.#slowestMs))
      : patienceMs;
  }

  #ask(cells: readonly Cell[], nowMs: number): PlannedProbe[] {
    const { targets, target, shape } = this.#plan;
    for (const cell of cells) {
      this.#asked.set(nameOf(cell), { cell, count: this.#askedAt(cell) + 1 });
      // The first flow scouts: what it alone has been asked for is not open.
      this.#openedTtl = cell.flow === shape.flows - 1 ? Math.max(this.#openedTtl, cell.ttl) : this.#openedTtl;
    }
    this.#waveAtMs = cells.length > 0 ? nowMs : this.#waveAtMs;
    return cells.flatMap(({ flow, ttl }) =>
      plannedFor(targets, target, { flow, ttl, srcPort: shape.srcPort + flow, shape }),
    );
  }

  #askedAt(cell: Cell): number {
    return this.#asked.get(nameOf(cell))?.count ?? 0;
  }

  #isAwaiting(paths: readonly RemotePath[], isIgnored: (path: Path, ttl: number) => boolean = () => false) {
    const asked = [...this.#asked.values()];
    return paths.some(({ path }) =>
      asked.some(({ cell: { flow, ttl }, count }) => {
        const { outcomes } = path.cell(flow, ttl);
        const isMissing = ttl <= path.endOfFlow(flow) && outcomes.length < count && !isOpenPort(outcomes);
        return isMissing && !isIgnored(path, ttl);
      }),
    );
  }

  /** The cells that one more probe is worth sending to, for one agent at least. */
  #wanted(paths: readonly RemotePath[], isQuiet: boolean): Cell[] {
    const wanted = paths.flatMap((remote) => this.#wantedOf(remote, isQuiet));
    return [...new Map(wanted.map((cell) => [nameOf(cell), cell])).values()];
  }

  #wantedOf({ path }: RemotePath, isQuiet: boolean): Cell[] {
    const { shape } = this.#plan;
    const answered = Math.max(path.lastHopTtl(), shape.firstTtl - 1);
    const worth = Math.min(shape.maxTtl, answered + silentHopsMax);
    const last = Math.min(worth, this.#lastOf(path, answered, isQuiet));
    const scouting = cellsOf(last + 1, worth, 1);
    return [...cellsOf(shape.firstTtl, last, shape.flows), ...scouting].filter((cell) => {
      const { flow, ttl } = cell;
      const isUseful = ttl <= path.endOfFlow(flow) && !isOpenPort(path.cell(flow, ttl).outcomes);
      return isUseful && this.#askedAt(cell) < (ttl <= answered ? shape.queries : queriesOfSilent(shape));
    });
  }

  /** How far all flows are probed: where one has ended, the others are likely to end there or one hop beyond. */
  #lastOf(path: Path, answered: number, isQuiet: boolean): number {
    const isNearEnd = path.ends().some((end) => Number.isFinite(end) && end >= answered);
    return isQuiet ? Math.max(answered, this.#openedTtl) + waveHops : answered + (isNearEnd ? 1 : waveHops);
  }
}

/** Whether each agent has brought an answer of this target. */
function areAnswering(paths: readonly RemotePath[]): boolean {
  return paths.every(({ path }) => path.lastAnsweredTtl > 0);
}

/** A hop that has not answered, before one that has: the next wave does not depend on it, so it is not waited for. */
function isSilentOnWay(path: Path, ttl: number): boolean {
  const isSilent = path.ends().every((_, flow) => path.cell(flow, ttl).outcomes.length === 0);
  return ttl < path.lastAnsweredTtl && isSilent;
}

/** A silent hop gets no more probes than are needed to show that. */
function queriesOfSilent({ flows, queries }: Shape): number {
  return Math.min(queries, Math.ceil(silentProbesMin / flows));
}

function cellsOf(firstTtl: number, lastTtl: number, flows: number): Cell[] {
  const ttls = Array.from({ length: Math.max(0, lastTtl - firstTtl + 1) }, (_, i) => firstTtl + i);
  return ttls.flatMap((ttl) => Array.from({ length: flows }, (_, flow) => ({ flow, ttl })));
}

function nameOf({ flow, ttl }: Cell): string {
  return `${flow} ${ttl}`;
}
