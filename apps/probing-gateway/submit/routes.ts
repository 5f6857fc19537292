/** POST /api/probes. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import { rejectedAgent, selectionAnswer } from "../../../lib/api/measurements.ts";
import type { HttpEnv } from "../../../lib/http/app.ts";
import { describe } from "../../../lib/http/describe.ts";
import { FairSlots } from "../../../lib/http/fair-slots.ts";
import { queryInput } from "../../../lib/http/input.ts";
import { Problem } from "../../../lib/http/problem.ts";
import { requireUser, userOf } from "../../../lib/http/require-user.ts";
import * as limits from "../limits.ts";
import type { AdmissionRefusal } from "../safety/safety.ts";
import { noRoom } from "./intake.ts";
import type { Outgoing } from "./outgoing.ts";
import { bodyFormOf } from "./read-body.ts";
import { requestedTargetSchema, requestedTargetsOf } from "./requested-target.ts";
import {
  Submission,
  type SubmissionOrder,
  type SubmissionResult,
  type SubmitServices,
} from "./submission.ts";

const answerSchema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  probes: v.number(),
  agents: v.array(requestedTargetSchema),
  rejected: v.array(rejectedAgent),
  selections: v.optional(v.array(selectionAnswer)),
});

const bodySchema = v.object({
  metadata: v.array(requestedTargetSchema),
  probes: v.array(v.tuple([v.string(), v.number(), v.number(), v.number(), v.string()])),
});

const querySchema = v.object({ agents: v.optional(v.string()) });

const lineExample = "192.0.2.1,24000,33434,7,udp\n";

const description = describe({
  summary: "Submit a measurement",
  description:
    "All or nothing: a submission that is refused leaves no trace. Bodies may be gzip and of any length; " +
    "docs/probing-gateway.md describes their forms, and how agents are chosen by tag, place, AS and number.",
  tags: ["measurements"],
  auth: "user",
  body: [
    { type: "application/json", schema: bodySchema },
    {
      type: "application/x-ndjson",
      example: '{"metadata":[{"id":"west"}]}\n["192.0.2.1",24000,33434,7,"udp"]\n',
    },
    { type: "text/csv", example: lineExample },
    { type: "text/plain", example: lineExample },
  ],
  ok: [
    { status: 200, description: "Accepted, and published to the agents", schema: answerSchema },
    { status: 202, description: "Accepted; it is published when the broker takes it", schema: answerSchema },
  ],
  problems: [400, 403, 409, 413, 415, 422, 429, 503],
});

export function submitRoutes(services: SubmitServices): Hono<HttpEnv> {
  const { tokens, metrics } = services;
  const places = new FairSlots({
    placesMax: limits.submissionsAtOnceMax,
    ofOneMax: limits.submissionsOfUserMax,
    lineMax: limits.submissionLineMax,
    waitMs: limits.submissionWaitMs,
    safeMs: limits.submissionSafeMs,
  });
  const app = new Hono<HttpEnv>();
  app.post(
    "/api/probes",
    description,
    requireUser(tokens, metrics.http),
    queryInput(querySchema),
    async (c) => {
      const order = orderOf(c, c.req.valid("query").agents);
      const refusal = await services.safety.admit(order.userHash);
      if (refusal !== null) {
        throw refused(refusal);
      }
      const result = await submitted(services, places, order);
      metrics.submitted(result.answer.probes);
      return answered(result, services);
    },
  );
  return app;
}

/** Holds its slot until it is accepted: waiting for the broker after that does not block others. */
async function submitted(
  services: SubmitServices,
  places: FairSlots,
  order: SubmissionOrder,
): Promise<SubmissionResult> {
  using place = services.dispatcher.waiting < limits.waitingMax ? await places.take(order.userHash) : null;
  if (place === null) {
    throw noRoom("Too many submissions at once");
  }
  try {
    return await Submission.run(services, order, place);
  } catch (error) {
    throw place.signal.aborted ? takenBack() : error;
  }
}

/** The connection is closed: else the rest of the body would be read as the next request. */
function takenBack(): Problem {
  return noRoom("Others wait for a slot, and this body was the slowest", { connection: "close" });
}

function orderOf(c: Context<HttpEnv>, agents: string | undefined): SubmissionOrder {
  const form = bodyFormOf(c.req.header("content-type") ?? null);
  if (form === null) {
    throw new Problem({
      status: 415,
      code: "unsupported_media_type",
      message: "Send application/json, application/x-ndjson, text/csv or text/plain",
    });
  }
  if (form === "lines" && agents === undefined) {
    const fields = [{ path: "agents", reason: "is missing" }];
    const message = "Probe lines do not say who is to probe: add ?agents=AGENT,AGENT:SOURCE";
    throw new Problem({ status: 422, code: "missing_agents", message, fields });
  }
  return {
    request: c.req.raw,
    form,
    userHash: userOf(c).userHash,
    idempotencyKey: idempotencyKeyOf(c.req.header("idempotency-key")),
    targets: agents === undefined ? null : requestedTargetsOf(agents),
  };
}

function idempotencyKeyOf(key: string | undefined): string | null {
  if (key !== undefined && (key.length > limits.idempotencyKeyCharsMax || !/^[!-~]+$/.test(key))) {
    throw new Problem({
      status: 400,
      code: "invalid_idempotency_key",
      message: `An Idempotency-Key has 1 to ${limits.idempotencyKeyCharsMax} visible ASCII characters`,
    });
  }
  return key ?? null;
}

function refused({ status, code, message, retryAfterSeconds: after }: AdmissionRefusal): Problem {
  const headers = after === undefined ? {} : { "retry-after": String(after) };
  return new Problem({ status, code, message, headers });
}

/** 200 when the broker has all of it soon; else 202, and publishing goes on in the background. */
async function answered(result: SubmissionResult, { dispatcher }: SubmitServices): Promise<Response> {
  const { answer } = result;
  const isPublished =
    "outgoing" in result ? await published(result.outgoing, dispatcher) : result.isPublished;
  const location = `/api/measurements/${answer.id}/status`;
  return Response.json(answer, { status: isPublished ? 200 : 202, headers: { location } });
}

async function published(outgoing: Outgoing, dispatcher: SubmitServices["dispatcher"]): Promise<boolean> {
  dispatcher.add(outgoing);
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), limits.answerWaitMs);
  const outcome = await Promise.race([outgoing.outcome, promise]);
  clearTimeout(timer);
  return outcome === "published";
}
