/** The agent's state for its health, read from counters and shared memory. */

import type { HostHold } from "../../../../lib/measuring/probing/host-hold.ts";
import type { SharedEngine } from "../engine/engine-types.ts";
import type { SendInhibit } from "../engine/send-inhibit.ts";
import type { Parts } from "../workers.ts";
import type { Observation } from "./health.ts";

interface Observed {
  readonly parts: Pick<Parts, "config" | "consumerCounters" | "producerCounters" | "gatewayCounters">;
  readonly engine: Pick<SharedEngine, "counters">;
  readonly sendInhibit: SendInhibit;
  readonly ended: readonly string[];
  readonly hostHold: HostHold | null;
}

export function observationOf({ parts, engine, sendInhibit, ended, hostHold }: Observed): Observation {
  const counters = engine.counters();
  const { consumerCounters, producerCounters, gatewayCounters } = parts;
  return {
    atMs: performance.now(),
    ended,
    captured: counters.capture_received ?? 0,
    lost: (counters.capture_dropped ?? 0) + (counters.capture_interface_dropped ?? 0),
    consumerAway: consumerCounters.get("consumer_away") !== 0,
    producerAway: producerCounters.get("producer_away") !== 0,
    gatewayAway: parts.config.gateway !== null && gatewayCounters.get("gateway_away") !== 0,
    spoolFull: sendInhibit.has("spoolFull"),
    killSwitch: sendInhibit.has("killSwitch"),
    killed: sendInhibit.has("killed"),
    paused: sendInhibit.has("paused"),
    hostHold,
  };
}
