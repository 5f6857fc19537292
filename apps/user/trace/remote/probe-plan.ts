/**
 * The probes that agents send for a trace or a ping, in the order in which they are submitted, and sent: so an agent's
 * count of sent probes determines which of them are in flight. Pure.
 */
import type { Probe } from "../../../../lib/net/packet/probe.ts";
import type { Options } from "../options.ts";
import type { NamedTarget } from "../target.ts";

export interface PlannedProbe {
  /** Index of the targets. */
  readonly target: number;
  readonly flow: number;
  readonly ttl: number;
  readonly probe: Probe;
}

type Shape = Pick<Options, "srcPort" | "dstPort" | "firstTtl">;

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
  readonly shape: Pick<Shape, "dstPort">;
}

export function plannedFor(
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
