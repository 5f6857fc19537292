/** Results of a ping: each probe's outcome, and the figures of a target. Pure. */
import { isTargets, type Outcome, type Path } from "../../../lib/measuring/paths/path.ts";
import { type RttSummary, rttSummary } from "../../../lib/measuring/paths/rtt-summary.ts";
import type { LeftOut } from "./outstanding.ts";
import type { NamedTarget } from "./target.ts";

export interface Pinged {
  readonly target: NamedTarget;
  /** The agent that sends the probes; absent for this machine. */
  readonly agent?: string;
  /** Holds one flow and one TTL. */
  readonly path: Path;
  /** Replies that count for no probe, so far; absent where an agent probes. */
  readonly leftOut?: () => LeftOut;
}

export interface PingEnding {
  readonly pinged: Pinged;
  /** From 1. */
  readonly sequence: number;
  readonly outcome: Outcome;
}

export interface PingFigures {
  /** `answered` + `others` + `lost` + `unawaited`. */
  readonly sent: number;
  /** By the target itself, from its address or another. */
  readonly answered: number;
  /** By routers or hosts on the way: refused, or the TTL ran out. */
  readonly others: number;
  readonly lost: number;
  /** Still in flight when the ping was interrupted. */
  readonly unawaited: number;
  /** Could not be sent; not among those sent. */
  readonly failed: number;
  /** Share of the probes with a known outcome that the target did not answer; null without such probes. */
  readonly lossPercent: number | null;
  /** Over the target's own answers. */
  readonly rtt: RttSummary | null;
}

export function pingFigures({ target, path }: Pinged): PingFigures {
  const own = path.answers().filter((answer) => isTargets(answer, target.address));
  const { sent, answered, lost, unawaited, failed } = path.totals();
  const known = answered + lost;
  return {
    sent,
    answered: own.length,
    others: answered - own.length,
    lost,
    unawaited,
    failed,
    lossPercent: known === 0 ? null : (100 * (known - own.length)) / known,
    rtt: rttSummary([own.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]))]),
  };
}
