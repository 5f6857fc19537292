/** A submission's plan: its records, its lifetime, and the response to the user. */

import { isFailure } from "../../../../lib/base/failure/failure.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { RecordMaker } from "../../../../lib/engines/submission/record-maker.ts";
import type { Target } from "../../../../lib/engines/submission/targets.ts";
import { notAfterMs } from "../../../../lib/measuring/probing/lifecycle.ts";
import { rateDefaultProbesPerSec } from "../../../../lib/measuring/probing/record-probes.ts";
import { formatAddress } from "../../../../lib/net/ip/address.ts";
import { isPlainShape, type ProbeShape } from "../../../../lib/net/packet/probe.ts";
import { shapeJson } from "../../../../lib/net/wire/probe-shape.ts";
import { openLifeMs, pacedMsMax } from "../limits.ts";
import { type MeasurementShare, sharesOf } from "../safety/destination-share.ts";
import type { AcceptOrder, Publishing, SubmissionAnswer } from "./acceptance.ts";
import type { Assignment } from "./assignment.ts";

interface Plan {
  /** Id of the row, and of its spool. */
  readonly id: string;
  /** The open measurement that gets these probes; null = they are a measurement of their own. */
  readonly whole: string | null;
  readonly publishing: Publishing;
  /** The submitting request; null = the gateway itself. */
  readonly requestId: string | null;
  readonly targets: readonly Target[];
  /** Probes of each target. */
  readonly probes: number;
  readonly recordProbes: number;
  readonly share: MeasurementShare | null;
  /** As stored with the measurement: see lib/measuring/probing/bucket-set.ts. */
  readonly destinations: Uint8Array;
  /** A target's duration at the limits of its destinations. */
  readonly targetSeconds: number;
}

type Request = Pick<
  AcceptOrder,
  | "userHash"
  | "gatewayId"
  | "idempotencyKey"
  | "requestDigest"
  | "bytes"
  | "day"
  | "token"
  | "labels"
  | "origin"
  | "summary"
  | "targetPrefixes"
>;

export function acceptOrder(plan: Plan, assignment: Assignment, request: Request): AcceptOrder {
  return { ...request, ...plan, answer: answerOf(plan, assignment), lifeMs: lifeMs(plan, assignment) };
}

interface RecordPlan {
  readonly recordBytesMax: number;
  readonly share: MeasurementShare | null;
  readonly requestId: string | null;
  readonly shape: ProbeShape;
}

/**
 * Probes of a record that agents can stop in time and that fits into a broker record. Throws Problem 422 when none
 * does.
 */
export function checkedRecordProbes(
  measurementId: string,
  { targets, recordProbes }: Assignment,
  probes: number,
  { recordBytesMax, share, requestId, shape }: RecordPlan,
): number {
  const agentIds = targets.map(({ agent }) => agent);
  const shares = sharesOf(share, agentIds);
  try {
    const campaign = {
      measurementId,
      targets,
      probes,
      recordProbesMax: recordProbes,
      recordBytesMax,
      shares,
      requestId,
      shape,
    };
    return new RecordMaker({ ...campaign, notAfterMs: 0 }).probesPerRecord;
  } catch (error) {
    if (isFailure(error, "submission")) {
      throw new Problem({ status: 422, code: "too_many_targets", message: error.message });
    }
    throw error;
  }
}

/** Throws Problem 400 when records that are so far apart would take more than a day. */
export function checkPace({ intervalMs }: Publishing, probes: number, recordProbes: number): void {
  const pacedMs = (Math.ceil(probes / recordProbes) - 1) * (intervalMs ?? 0);
  if (pacedMs > pacedMsMax) {
    throw problem(
      400,
      "too_slow_interval",
      `At this interval the probes take more than ${pacedMsMax / 3_600_000} hours: split the measurement`,
    );
  }
}

function answerOf(
  { id, whole, targets, probes, requestId, publishing: { shape } }: Plan,
  { rejected, selections }: Assignment,
): SubmissionAnswer {
  return {
    id: whole ?? id,
    probes: probes * targets.length,
    agents: targets.map(({ agent, source }) => ({ id: agent, ip_address: source && formatAddress(source) })),
    rejected,
    ...(requestId === null ? {} : { request_id: requestId }),
    ...(isPlainShape(shape) ? {} : { shape: shapeJson(shape) }),
    ...(selections.length === 0 ? {} : { selections }),
  };
}

/**
 * From now to the time after which nothing is sent: twice the duration at its agents' rates, or at its destinations'
 * limits if that is longer, so that probes which wait for their destinations have enough time; more for one that is
 * published slowly, or may get more probes.
 */
function lifeMs(
  { targets, probes, recordProbes, targetSeconds, publishing }: Plan,
  { rates }: Assignment,
): number {
  const { isOpen, intervalMs } = publishing;
  const parts = [...rates].map(([agent, rate]) => {
    const rateProbesPerSec = Math.min(rate || rateDefaultProbesPerSec, probes / targetSeconds);
    return { probes: probes * targets.filter((target) => target.agent === agent).length, rateProbesPerSec };
  });
  const pacedMs = Math.ceil(probes / recordProbes) * (intervalMs ?? 0);
  return Math.max(isOpen ? openLifeMs : 0, Math.ceil(notAfterMs(pacedMs, parts)));
}
