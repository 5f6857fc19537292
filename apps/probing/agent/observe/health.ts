/**
 * The agent's health: `unhealthy` when it cannot measure, or has not yet reached its broker and gateway since its
 * start, `degraded` when something is lost or waits.
 *
 * Pure: its input comes from the counters, once a second and at every request.
 */
import type { HostHold } from "../../../../lib/measuring/probing/host-hold.ts";
import { captureLossMax, captureWindowMs } from "../limits.ts";

export interface Observation {
  readonly atMs: number;
  /** Names of workers that have ended, such as `receiver eth0`. */
  readonly ended: readonly string[];
  /** Packets of the captures, since the start. */
  readonly captured: number;
  readonly lost: number;
  readonly consumerAway: boolean;
  readonly producerAway: boolean;
  readonly gatewayAway: boolean;
  readonly spoolFull: boolean;
  readonly killSwitch: boolean;
  /** Inhibited by the gateway: all agents, or this one. */
  readonly killed: boolean;
  readonly paused: boolean;
  /** Null = its host lets it send. */
  readonly hostHold: Pick<HostHold, "words" | "untilMs"> | null;
}

export interface Health {
  readonly status: "ok" | "degraded" | "unhealthy";
  readonly reasons: readonly string[];
  /** Who inhibits sending; empty = it sends. */
  readonly holds: readonly Hold[];
}

interface Hold {
  /** `host`: the pause of `vantage agent pause`; `host_limits`: the host's hours and limits of a day. */
  readonly by: "host" | "host_limits" | "operator" | "platform" | "kill_switch";
  readonly reason: string;
}

/** Observations closer together than this are dropped, which bounds the memory for the minute. */
const apartMs = 500;

export class HealthWatch {
  /** Oldest first, `apartMs` or more between two, reaching back just over the window. */
  readonly #observations: Observation[] = [];
  #last: Observation | null = null;
  /** Broker and gateway have both been reached since the start, so that what is missing now is an outage. */
  #hasWorked = false;

  observe(observation: Observation): void {
    this.#last = observation;
    this.#hasWorked ||= !observation.consumerAway && !observation.gatewayAway;
    if (observation.atMs - (this.#observations.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < apartMs) {
      return;
    }
    this.#observations.push(observation);
    while ((this.#observations[1]?.atMs ?? Number.POSITIVE_INFINITY) <= observation.atMs - captureWindowMs) {
      this.#observations.shift();
    }
  }

  health(): Health {
    const last = this.#last;
    if (last === null) {
      return { status: "ok", reasons: [], holds: [] };
    }
    const broken = last.ended.map((name) => `${name} has ended`);
    const holds = holdsOf(last);
    const held = holds.map(({ reason }) => `${reason}; nothing is sent`);
    const reasons = [...broken, ...this.#lossReasons(last), ...waitingReasons(last), ...held];
    const status =
      broken.length > 0 || !this.#hasWorked ? "unhealthy" : reasons.length > 0 ? "degraded" : "ok";
    return { status, reasons, holds };
  }

  /** More than a thousandth is lost. */
  isLosing(): boolean {
    return this.#last !== null && this.#lossReasons(this.#last).length > 0;
  }

  #lossReasons(last: Observation): string[] {
    const first = this.#observations[0] ?? last;
    const lost = last.lost - first.lost;
    const share = lost / Math.max(1, last.captured - first.captured + lost);
    return share > captureLossMax
      ? [`capture lost ${(100 * share).toFixed(2)} % of the packets of a minute`]
      : [];
  }
}

const waiting = [
  ["consumerAway", "the broker cannot be read from"],
  ["producerAway", "the broker cannot be written to; replies wait on disk"],
  ["gatewayAway", "the gateway cannot be reached, or does not accept this agent"],
  ["spoolFull", "the spool for replies is full; senders pause"],
] as const;

function waitingReasons(observation: Observation): string[] {
  return waiting.flatMap(([name, reason]) => (observation[name] ? [reason] : []));
}

const switches = [
  ["killSwitch", "kill_switch", "the kill switch is on"],
  ["killed", "platform", "the platform's kill switch is on"],
  ["paused", "operator", "an operator paused this agent"],
] as const;

function holdsOf(observation: Observation): Hold[] {
  const { hostHold } = observation;
  return [
    ...switches.flatMap(([name, by, reason]) => (observation[name] ? [{ by, reason }] : [])),
    ...(hostHold === null
      ? []
      : [
          {
            by: hostHold.untilMs === null ? ("host" as const) : ("host_limits" as const),
            reason: `the agent is ${hostHold.words}`,
          },
        ]),
  ];
}
