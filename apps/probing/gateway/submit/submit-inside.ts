/** Measurements that the gateway itself submits for a user, under the same rules as POST /api/probes. */
import type { FairSlot } from "../../../../lib/engines/http/fair-slots.ts";
import { Problem } from "../../../../lib/engines/http/problem.ts";
import type { ProbeShape } from "../../../../lib/net/packet/probe.ts";
import { campaignUrl, waitingMax } from "../limits.ts";
import { noLabels } from "../measurements/labels.ts";
import type { AdmissionRefusal } from "../safety/safety.ts";
import type { SubmissionAnswer, SubmissionOrigin } from "./acceptance.ts";
import { noRoom } from "./intake.ts";
import { requestedTargetsOf } from "./requested-target.ts";
import { Submission } from "./submission.ts";
import type { SubmitServices } from "./submit-services.ts";

interface InsideOrder {
  readonly userHash: string;
  readonly key: string;
  /** As in the query: `west,3@tag:eu`. */
  readonly agents: string;
  /** Probe lines. */
  readonly probes: string | ReadableStream<Uint8Array>;
  /** What they look like; absent = plain. */
  readonly shape?: ProbeShape;
  /** Probes that leave together in each interval; null = all, as fast as allowed. */
  readonly pace: { readonly everyMs: number; readonly lines: number } | null;
  /** The campaign step that it belongs to. */
  readonly step: NonNullable<SubmissionOrigin["step"]>;
}

/** Idempotent by key: another call gets the first one's result. Throws Problem. */
export async function submitInside(services: SubmitServices, order: InsideOrder): Promise<SubmissionAnswer> {
  const { safety, dispatcher, metrics } = services;
  const { pace } = order;
  const refusal = await safety.admit(order.userHash);
  if (refusal !== null) {
    throw refused(refusal);
  }
  if (dispatcher.waiting >= waitingMax) {
    throw noRoom("Too many submissions at once");
  }
  const result = await Submission.run(
    services,
    {
      requestId: null,
      request: new Request(campaignUrl, { method: "POST", body: order.probes }),
      form: "lines",
      userHash: order.userHash,
      idempotencyKey: order.key,
      targets: requestedTargetsOf(order.agents),
      whole: null,
      publishing: {
        isOpen: false,
        intervalMs: pace?.everyMs ?? null,
        recordsPackets: false,
        shape: order.shape ?? {},
      },
      round: pace?.lines ?? null,
      seesAll: true,
      token: null,
      labels: noLabels,
      origin: { madeBy: null, step: order.step },
    },
    ownPlace(),
  );
  metrics.submitted(result.answer.probes);
  if ("outgoing" in result) {
    dispatcher.add(result.outgoing);
  }
  return result.answer;
}

/** The probes are in memory, so no slot for reading a client's body is needed. */
function ownPlace(): FairSlot {
  const { signal } = new AbortController();
  return { signal, moved: () => {}, keep: () => {}, [Symbol.dispose]: () => {} };
}

export function refused({ status, code, message, retryAfterSeconds: after }: AdmissionRefusal): Problem {
  const headers = after === undefined ? {} : { "retry-after": String(after) };
  return new Problem({ status, code, message, headers });
}
