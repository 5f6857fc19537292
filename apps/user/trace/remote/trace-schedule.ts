/**
 * The targets of a remote trace: which are probed now, what their agents send next, and which are done. Pure.
 *
 * Every target gets a probe at the start, because an open measurement only takes probes to the networks of its first
 * ones. The rest of its probes follow as agents keep up, so the first targets are done long before the last.
 */
import { backlogMs, backlogProbesMin, clockStepMsMax } from "../limits.ts";
import type { NamedTarget } from "../target.ts";
import type { Campaign } from "./campaign.ts";
import type { PlannedProbe } from "./probe-plan.ts";
import type { RemotePath } from "./remote-path.ts";
import { type Shape, WavePlanner, type WaveSight } from "./wave-planner.ts";

/** What the schedule reads of a campaign. */
type Probed = Pick<Campaign, "requested" | "progress" | "isReading" | "pathsTo" | "submitted">;

interface ScheduledTarget {
  readonly number: number;
  readonly planner: WavePlanner;
  /** The number of requested probes after the last one to this target. */
  lastPlace: number;
}

/** A path that gets no more probes. */
export interface EndedPath {
  readonly remote: RemotePath;
  /** Whether its probes were all answered, or waited for long enough. */
  readonly isWhole: boolean;
}

export class TraceSchedule {
  /** In order; introduced, and not begun. */
  readonly #waiting: ScheduledTarget[];
  readonly #open = new Map<number, ScheduledTarget>();
  /** Stands still while the event stream is interrupted, or this process is suspended. */
  #clockMs = 0;
  #seenAtMs: number;
  #progressVersion = 0;
  #progressAtMs = 0;

  constructor(targets: readonly NamedTarget[], shape: Shape, nowMs: number) {
    this.#seenAtMs = nowMs;
    this.#waiting = targets.map((_, number) => ({
      number,
      planner: new WavePlanner({ targets, target: number, shape }),
      lastPlace: 0,
    }));
  }

  /** Targets that are not done. */
  get remaining(): number {
    return this.#waiting.length + this.#open.size;
  }

  /** The first probes, to every target. */
  begin(): PlannedProbe[] {
    const first = this.#admit(backlogProbesMin);
    const others = this.#waiting.flatMap(({ planner }) => planner.introduce(this.#clockMs));
    return this.#placed([...first, ...others], 0);
  }

  /** The next probes; to be called while none are being submitted. */
  next(campaign: Probed, nowMs: number): PlannedProbe[] {
    this.#look(campaign, nowMs);
    const sightOf = this.#sight(campaign);
    const due = [...this.#open.values()].flatMap((target) =>
      target.planner.next(runningTo(campaign, target.number), sightOf(target)),
    );
    const sent = leastSent(campaign);
    const more = this.#admit(this.#backlogMax(sent) - (campaign.requested + due.length - sent));
    return this.#placed([...due, ...more], campaign.requested);
  }

  /** The paths of targets that are done since the last call; none when no agent takes part any more. */
  ended(campaign: Probed, nowMs: number): EndedPath[] {
    this.#look(campaign, nowMs);
    const sightOf = this.#sight(campaign);
    const done = [...this.#open.values()].filter((target) => {
      const paths = runningTo(campaign, target.number);
      return paths.length > 0 && target.planner.isDone(paths, sightOf(target));
    });
    return done.flatMap((target) => {
      this.#open.delete(target.number);
      return endedPaths(campaign, target, runningTo(campaign, target.number));
    });
  }

  /** The other paths, when no more answers can arrive. */
  rest(campaign: Probed): EndedPath[] {
    const rest = [...this.#open.values(), ...this.#waiting.splice(0)];
    this.#open.clear();
    return rest.flatMap((target) => endedPaths(campaign, target, []));
  }

  /** To be called for each answer, with its target's number. */
  answered(number: number): void {
    this.#open.get(number)?.planner.answered(this.#clockMs);
  }

  #look({ isReading, progress }: Probed, nowMs: number): void {
    this.#clockMs += isReading ? Math.min(nowMs - this.#seenAtMs, clockStepMsMax) : 0;
    this.#seenAtMs = nowMs;
    if (progress.version !== this.#progressVersion) {
      this.#progressVersion = progress.version;
      this.#progressAtMs = this.#clockMs;
    }
  }

  /** What is known now, by target. */
  #sight(campaign: Probed): (target: ScheduledTarget) => WaveSight {
    const { requested, progress } = campaign;
    const { isBehind, delayMs } = progress;
    const sent = leastSent(campaign);
    const isBacklogged = requested - sent > this.#backlogMax(sent);
    const common = { nowMs: this.#clockMs, progressAtMs: this.#progressAtMs, delayMs, isBacklogged };
    return ({ lastPlace }) => ({ ...common, isSettled: !isBehind && sent >= lastPlace });
  }

  #backlogMax(sent: number): number {
    return Math.max(backlogProbesMin, (sent / Math.max(1, this.#clockMs)) * backlogMs);
  }

  /** Begins targets until they have so many probes. */
  #admit(probesMax: number): PlannedProbe[] {
    const probes: PlannedProbe[] = [];
    while (probes.length < probesMax) {
      const target = this.#waiting.shift();
      if (target === undefined) {
        break;
      }
      this.#open.set(target.number, target);
      probes.push(...target.planner.begin(this.#clockMs));
    }
    return probes;
  }

  /** In the order of sending: the probes to one target, and to one hop, are spread over all. */
  #placed(probes: PlannedProbe[], requested: number): PlannedProbe[] {
    for (const number of new Set(probes.map(({ target }) => target))) {
      const target = this.#open.get(number);
      if (target !== undefined) {
        target.lastPlace = requested + probes.length;
      }
    }
    return probes.sort((a, b) => a.flow - b.flow || a.target - b.target || a.ttl - b.ttl);
  }
}

function runningTo(campaign: Probed, number: number): readonly RemotePath[] {
  return campaign.pathsTo(number).filter(({ agent }) => !campaign.progress.hasEnded(agent));
}

/** The count of the slowest agent that still takes part. */
function leastSent({ submitted, progress }: Probed): number {
  const running = submitted.agents.filter(({ id }) => !progress.hasEnded(id));
  return Math.min(...running.map(({ id }) => progress.sentBy(id)));
}

/** `waited`: the paths whose answers were waited for. */
function endedPaths(
  campaign: Probed,
  { number, planner }: ScheduledTarget,
  waited: readonly RemotePath[],
): EndedPath[] {
  return campaign.pathsTo(number).map((remote) => ({
    remote,
    isWhole: waited.includes(remote) || planner.isAnswered(remote),
  }));
}
