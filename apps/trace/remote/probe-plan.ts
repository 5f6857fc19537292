/**
 * The probes that agents send for a trace or a ping, in the order in which they are submitted, and sent. Pure.
 *
 * Near hops come first, of all targets and flows: when the targets have answered, the rest can be cancelled and is
 * refunded to the quota. So an agent's count of sent probes tells which of them are in flight.
 */
import type { Probe } from "../../../lib/packet/probe.ts";
import type { Options } from "../options.ts";
import type { NamedTarget } from "../target.ts";

export interface PlannedProbe {
  /** Index of the targets. */
  readonly target: number;
  readonly flow: number;
  readonly ttl: number;
  readonly probe: Probe;
}

type Shape = Pick<Options, "srcPort" | "dstPort" | "firstTtl" | "maxTtl" | "queries" | "flows">;

export function planTrace(targets: readonly NamedTarget[], shape: Shape): PlannedProbe[] {
  const { firstTtl, maxTtl, queries, flows } = shape;
  const planned: PlannedProbe[] = [];
  for (let ttl = firstTtl; ttl <= maxTtl; ttl++) {
    for (let turn = 0; turn < queries * targets.length * flows; turn++) {
      const flow = turn % flows;
      const target = Math.floor(turn / flows) % targets.length;
      planned.push(...plannedFor(targets, target, { flow, ttl, srcPort: shape.srcPort + flow, shape }));
    }
  }
  return planned;
}

/** TCP takes another source port each time: an open port answers the SYN of a connection once. */
export function planPing(
  targets: readonly NamedTarget[],
  shape: Shape & Pick<Options, "count">,
): PlannedProbe[] {
  const { count, firstTtl: ttl } = shape;
  return Array.from({ length: count }, (_, round) => round).flatMap((round) =>
    targets.flatMap(({ protocol }, target) => {
      const srcPort = protocol === "tcp" ? (shape.srcPort + round) % 65_536 : shape.srcPort;
      return plannedFor(targets, target, { flow: 0, ttl, srcPort, shape });
    }),
  );
}

interface PlanPosition {
  readonly flow: number;
  readonly ttl: number;
  readonly srcPort: number;
  readonly shape: Shape;
}

function plannedFor(
  targets: readonly NamedTarget[],
  target: number,
  { flow, ttl, srcPort, shape }: PlanPosition,
): PlannedProbe[] {
  const named = targets[target];
  if (named === undefined) {
    return [];
  }
  const { address: dst, protocol } = named;
  return [{ target, flow, ttl, probe: { dst, protocol, srcPort, dstPort: shape.dstPort, ttl } }];
}
