/** A submission's parameters besides its probes. */

import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { isPlainShape } from "../../../../lib/net/packet/probe.ts";
import { shapeJson } from "../../../../lib/net/wire/probe-shape.ts";
import type { Labels } from "../measurements/labels.ts";
import type { Publishing, SubmissionOrigin, SubmittingToken } from "./acceptance.ts";
import type { BodyForm } from "./read-body.ts";
import type { RequestedTarget } from "./requested-target.ts";

export interface SubmissionOrder {
  readonly request: Request;
  /** Null = the gateway itself submits it. */
  readonly requestId: string | null;
  readonly form: BodyForm;
  readonly userHash: string;
  readonly idempotencyKey: string | null;
  /** The caller may read all measurements of the user. */
  readonly seesAll: boolean;
  /** Targets in the query; null = they are in the body. */
  readonly targets: readonly RequestedTarget[] | null;
  /** The open measurement that gets the probes, whose agents send them; null = a new one. */
  readonly whole: Owned | null;
  readonly publishing: Publishing;
  /** Probes that leave together where the measurement has an interval; null = it has none. */
  readonly round: number | null;
  readonly token: SubmittingToken | null;
  readonly labels: Labels;
  readonly origin: SubmissionOrigin;
}

/** Everything requested besides the body; without options, as in earlier versions, whose keys may be reused. */
export function askedBeside({
  form,
  targets,
  whole,
  publishing,
  round,
  labels: { name, tags, note },
}: SubmissionOrder): unknown[] {
  const { isOpen, intervalMs, recordsPackets, shape } = publishing;
  const isPlain = whole === null && !isOpen && intervalMs === null;
  const options = isPlain ? [] : [whole?.id ?? null, isOpen, intervalMs, round];
  const isLabelled = name !== null || note !== null || tags.length > 0;
  const labels = isLabelled ? [{ name, tags, note }] : [];
  const looks = isPlainShape(shape) ? [] : [shapeJson(shape)];
  return [form, targets, ...options, ...(recordsPackets ? ["packets"] : []), ...looks, ...labels];
}
