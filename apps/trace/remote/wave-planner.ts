/**
 * Which probes the agents of a trace send next: as many hops ahead of the last answer as keep the trace going, and no
 * more once the target has answered, as a local trace does. Pure.
 *
 * Each answer takes a second or so from an agent to here, so probes go in waves: a wave opens some hops, with one probe
 * for each flow, and asks once more at hops that are known to lie on the path. The next wave waits until all probes
 * have been answered, or until answers have been missing for twice as long as the slowest of them took. A probe that
 * its agent has not said to have sent is not missing, within a limit.
 */
import { isOpenPort } from "../../../lib/paths/path.ts";
import {
  remoteDelayMs,
  remoteSendMsMax,
  silentHopsMax,
  silentProbesMin,
  waveHops,
  waveQuietMsMin,
} from "../limits.ts";
import type { Options } from "../options.ts";
import type { NamedTarget } from "../target.ts";
import { type PlannedProbe, plannedFor } from "./probe-plan.ts";
import type { RemotePath } from "./remote-path.ts";

type Shape = Pick<Options, "srcPort" | "dstPort" | "firstTtl" | "maxTtl" | "queries" | "flows" | "waitMs">;

interface WavePlan {
  readonly targets: readonly NamedTarget[];
  readonly shape: Shape;
}

/** One flow at one hop of one target. */
interface Cell {
  readonly target: number;
  readonly flow: number;
  readonly ttl: number;
}

export class WavePlanner {
  readonly #plan: WavePlan;
  /** Probes asked for so far, by cell; each agent sends all of them. */
  readonly #asked = new Map<string, { readonly cell: Cell; count: number }>();
  /** The last hop that was opened, by target. */
  readonly #openedTtl: number[];
  #waveAtMs = Number.NEGATIVE_INFINITY;
  #sendingAtMs = Number.NEGATIVE_INFINITY;
  #newsAtMs = Number.NEGATIVE_INFINITY;
  /** From a wave to an answer, at most so far. */
  #slowestMs = 0;

  constructor(plan: WavePlan) {
    this.#plan = plan;
    this.#openedTtl = plan.targets.map(() => plan.shape.firstTtl - 1);
  }

  /** The first wave. */
  begin(nowMs: number): PlannedProbe[] {
    const { targets, shape } = this.#plan;
    const last = Math.min(shape.maxTtl, shape.firstTtl + waveHops - 1);
    const cells = targets.flatMap((_, target) => cellsOf(target, shape.firstTtl, last, shape.flows));
    return this.#ask(cells, nowMs);
  }

  /** To be called for each answer. */
  answered(nowMs: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, nowMs - this.#waveAtMs);
    this.#newsAtMs = nowMs;
  }

  /**
   * The next wave; empty while answers are awaited, or when nothing more is worth sending. `paths` still go on;
   * `isSent`: their agents say so of all that was asked for.
   */
  next(paths: readonly RemotePath[], nowMs: number, isSent: boolean): PlannedProbe[] {
    this.#noteSent(nowMs, isSent);
    const isQuiet = this.#silentForMs(nowMs) >= this.#quietMsOf(paths);
    return isQuiet || !this.#isAwaiting(paths) ? this.#ask(this.#wanted(paths, isQuiet), nowMs) : [];
  }

  /** Whether no more answers are awaited, and nothing is worth sending. */
  isDone(paths: readonly RemotePath[], nowMs: number, isSent: boolean): boolean {
    this.#noteSent(nowMs, isSent);
    const isAwaiting = this.#silentForMs(nowMs) < this.#patienceMs && this.#isAwaiting(paths);
    return !isAwaiting && this.#wanted(paths, true).length === 0;
  }

  /** Silence begins when all has been sent. */
  #noteSent(nowMs: number, isSent: boolean): void {
    if (!isSent && nowMs - this.#waveAtMs < remoteSendMsMax) {
      this.#sendingAtMs = nowMs;
    }
  }

  #silentForMs(nowMs: number): number {
    return nowMs - Math.max(this.#waveAtMs, this.#sendingAtMs, this.#newsAtMs);
  }

  get #patienceMs(): number {
    return this.#plan.shape.waitMs + remoteDelayMs;
  }

  /** Before an agent's first answer nobody knows how long one takes. */
  #quietMsOf(paths: readonly RemotePath[]): number {
    const isKnown = paths.every(({ path }) => path.lastAnsweredTtl > 0);
    return isKnown
      ? Math.min(this.#patienceMs, Math.max(waveQuietMsMin, 2 * this.#slowestMs))
      : this.#patienceMs;
  }

  #ask(cells: readonly Cell[], nowMs: number): PlannedProbe[] {
    const { targets, shape } = this.#plan;
    for (const cell of cells) {
      this.#asked.set(nameOf(cell), { cell, count: this.#askedAt(cell) + 1 });
      this.#openedTtl[cell.target] = Math.max(this.#openedTtl[cell.target] ?? 0, cell.ttl);
    }
    this.#waveAtMs = cells.length > 0 ? nowMs : this.#waveAtMs;
    const probes = cells.flatMap(({ target, flow, ttl }) =>
      plannedFor(targets, target, { flow, ttl, srcPort: shape.srcPort + flow, shape }),
    );
    return probes.sort((a, b) => a.ttl - b.ttl || a.target - b.target || a.flow - b.flow);
  }

  #askedAt(cell: Cell): number {
    return this.#asked.get(nameOf(cell))?.count ?? 0;
  }

  #isAwaiting(paths: readonly RemotePath[]): boolean {
    return paths.some(({ target, path }) => {
      const number = this.#plan.targets.indexOf(target);
      return [...this.#asked.values()].some(({ cell: { target: of, flow, ttl }, count }) => {
        const { outcomes } = path.cell(flow, ttl);
        return (
          of === number && ttl <= path.endOfFlow(flow) && outcomes.length < count && !isOpenPort(outcomes)
        );
      });
    });
  }

  /** The cells that one more probe is worth sending to, for one agent at least. */
  #wanted(paths: readonly RemotePath[], isQuiet: boolean): Cell[] {
    const wanted = paths.flatMap((remote) => this.#wantedOf(remote, isQuiet));
    return [...new Map(wanted.map((cell) => [nameOf(cell), cell])).values()];
  }

  #wantedOf({ target: named, path }: RemotePath, isQuiet: boolean): Cell[] {
    const { targets, shape } = this.#plan;
    const target = targets.indexOf(named);
    const answered = Math.max(path.lastAnsweredTtl, shape.firstTtl - 1);
    const opened = isQuiet ? (this.#openedTtl[target] ?? 0) : 0;
    const worth = Math.min(shape.maxTtl, answered + silentHopsMax, Math.max(...path.ends()));
    const last = Math.min(worth, Math.max(answered, opened) + waveHops);
    return cellsOf(target, shape.firstTtl, last, shape.flows).filter((cell) => {
      const { flow, ttl } = cell;
      const isUseful = ttl <= path.endOfFlow(flow) && !isOpenPort(path.cell(flow, ttl).outcomes);
      return isUseful && this.#askedAt(cell) < (ttl <= answered ? shape.queries : queriesOfSilent(shape));
    });
  }
}

/** A hop that nobody answers from gets no more probes than show that. */
function queriesOfSilent({ flows, queries }: Shape): number {
  return Math.min(queries, Math.ceil(silentProbesMin / flows));
}

function cellsOf(target: number, firstTtl: number, lastTtl: number, flows: number): Cell[] {
  const ttls = Array.from({ length: Math.max(0, lastTtl - firstTtl + 1) }, (_, i) => firstTtl + i);
  return ttls.flatMap((ttl) => Array.from({ length: flows }, (_, flow) => ({ target, flow, ttl })));
}

function nameOf({ target, flow, ttl }: Cell): string {
  return `${target} ${flow} ${ttl}`;
}
