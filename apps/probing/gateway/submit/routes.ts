/** POST /api/probes. */
import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { HttpEnv } from "../../../../lib/engines/http/app.ts";
import { programOf } from "../../../../lib/engines/http/caller.ts";
import { FairSlots } from "../../../../lib/engines/http/fair-slots.ts";
import { queryInput } from "../../../../lib/engines/http/input.ts";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import { Problem, problem } from "../../../../lib/engines/http/problem.ts";
import { requireUser, userOf } from "../../../../lib/engines/http/require-user.ts";
import * as limits from "../limits.ts";
import { ownMeasurement } from "../measurements/find-measurement.ts";
import { labelQuery, labelsOf, noLabels } from "../measurements/labels.ts";
import { flagInput } from "../measurements/list-query.ts";
import { checkMayRecord } from "../packets/packet-files.ts";
import type { Publishing } from "./acceptance.ts";
import { addition, submission } from "./descriptions.ts";
import { noRoom } from "./intake.ts";
import type { Outgoing } from "./outgoing.ts";
import { type BodyForm, bodyFormOf } from "./read-body.ts";
import { requestedTargetsOf } from "./requested-target.ts";
import { shapeOfQuery, shapeQuery } from "./shape-query.ts";
import { Submission, type SubmissionResult } from "./submission.ts";
import type { SubmissionOrder } from "./submission-order.ts";
import { refused } from "./submit-inside.ts";
import type { SubmitServices } from "./submit-services.ts";

const wholeNumberText = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,9}$/, "must be a whole number"),
  v.transform(Number),
);

const querySchema = v.object({
  agents: v.optional(v.string()),
  open: v.pipe(
    v.optional(flagInput, ""),
    v.description("true: more probes may be added while it runs, until it is finished or cancelled"),
  ),
  interval_ms: v.pipe(
    v.optional(v.pipe(wholeNumberText, v.minValue(1, "must be at least 1"))),
    v.description("Probes leave so far apart, in rounds, instead of at the agents' rates"),
  ),
  round: v.pipe(
    v.optional(v.pipe(wholeNumberText, v.minValue(1, "must be at least 1"))),
    v.description("Probes that leave together when interval_ms is given; default 1"),
  ),
  record_packets: v.pipe(
    v.optional(flagInput, ""),
    v.description(
      "true: agents keep the packets that they send and receive for it, and the gateway keeps them for a week: " +
        "/api/measurements/ID/packets. For users to whom an operator grants it",
    ),
  ),
  ...shapeQuery,
  ...labelQuery,
});
type SubmitQuery = v.InferOutput<typeof querySchema>;

const additionQuery = v.object({
  size: v.pipe(
    v.optional(shapeQuery.size),
    v.description("IP length of these probes; default: as of the first"),
  ),
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
  const take = async (order: SubmissionOrder) => {
    const refusal = await services.safety.admit(order.userHash);
    if (refusal !== null) {
      throw refused(refusal);
    }
    if (order.publishing.recordsPackets) {
      await checkMayRecord(services.database, order.userHash);
    }
    const result = await submitted(services, places, order);
    metrics.submitted(result.answer.probes);
    return answered(result, order.publishing, services);
  };
  const user = requireUser(tokens, metrics.http);
  const { middleware: refusals } = services.refusals;
  const app = new Hono<HttpEnv>();
  app.post("/api/probes", submission, user, refusals, queryInput(querySchema), (c) =>
    take(newOrder(c, c.req.valid("query"))),
  );
  app.post("/api/measurements/:id/probes", addition, user, refusals, queryInput(additionQuery), async (c) =>
    take(additionOrder(c, await ownMeasurement(c, c.req.param("id")), c.req.valid("query").size)),
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

function newOrder(c: Context<HttpEnv>, query: SubmitQuery): SubmissionOrder {
  const { agents, open: isOpen, interval_ms: intervalMs = null, round = null } = query;
  const { record_packets: recordPackets } = query;
  const form = knownForm(c);
  if (form === "lines" && agents === undefined) {
    const fields = [{ path: "agents", reason: "is missing" }];
    const message = "Probe lines contain no agents: add ?agents=AGENT,AGENT:SOURCE";
    throw new Problem({ status: 422, code: "missing_agents", message, fields });
  }
  if (round !== null && intervalMs === null) {
    throw invalidQuery("round", "requires interval_ms");
  }
  if (isOpen === true && intervalMs !== null) {
    throw invalidQuery("interval_ms", "does not go with open");
  }
  return {
    ...requestOf(c, form),
    targets: agents === undefined ? null : requestedTargetsOf(agents),
    whole: null,
    publishing: {
      ...{ isOpen: isOpen === true, intervalMs, recordsPackets: recordPackets === true },
      shape: shapeOfQuery(query),
    },
    round: intervalMs === null ? null : (round ?? 1),
    labels: labelsOf(query),
  };
}

function additionOrder(c: Context<HttpEnv>, whole: Owned, size: number | undefined): SubmissionOrder {
  const form = knownForm(c);
  if (form === "json") {
    throw unsupported(
      "Send application/x-ndjson, text/csv or text/plain: the agents are those of the measurement",
    );
  }
  // Agents that record the packets of the first probes also record those of later ones, and these have their shape.
  const shape = shapeOfQuery({ size });
  const publishing = { isOpen: false, intervalMs: null, recordsPackets: false, shape };
  return { ...requestOf(c, form), targets: null, whole, publishing, round: null, labels: noLabels };
}

function requestOf(c: Context<HttpEnv>, form: BodyForm) {
  const idempotencyKey = idempotencyKeyOf(c.req.header("idempotency-key"));
  const { userHash, grant } = userOf(c);
  const token = grant === undefined ? null : { id: grant.tokenId, probesPerDayMax: grant.probesPerDayMax };
  const origin = { madeBy: programOf(c.req.header("user-agent") ?? null), step: null };
  const seesAll =
    grant === undefined || (grant.object === null && grant.scopes.includes("measurements:read"));
  return {
    request: c.req.raw,
    requestId: c.get("requestId"),
    form,
    userHash,
    idempotencyKey,
    seesAll,
    token,
    origin,
  };
}

function knownForm(c: Context<HttpEnv>): BodyForm {
  const form = bodyFormOf(c.req.header("content-type") ?? null);
  if (form === null) {
    throw unsupported("Send application/json, application/x-ndjson, text/csv or text/plain");
  }
  return form;
}

function unsupported(message: string): Problem {
  return problem(415, "unsupported_media_type", message);
}

function invalidQuery(path: string, reason: string): Problem {
  const fields = [{ path, reason }];
  return new Problem({ status: 400, code: "invalid_query", message: `${path} ${reason}`, fields });
}

function idempotencyKeyOf(key: string | undefined): string | null {
  if (key !== undefined && (key.length > limits.idempotencyKeyCharsMax || !/^[!-~]+$/.test(key))) {
    throw problem(
      400,
      "invalid_idempotency_key",
      `An Idempotency-Key has 1 to ${limits.idempotencyKeyCharsMax} visible ASCII characters`,
    );
  }
  return key ?? null;
}

/** 200 when the broker soon has all of it; else 202, and publishing continues in the background. */
async function answered(
  result: SubmissionResult,
  { intervalMs }: Publishing,
  { dispatcher }: SubmitServices,
): Promise<Response> {
  const { answer } = result;
  const waitMs = intervalMs === null ? limits.answerWaitMs : 0;
  const isPublished =
    "outgoing" in result ? await published(result.outgoing, dispatcher, waitMs) : result.isPublished;
  const location = `/api/measurements/${answer.id}/status`;
  return Response.json(
    { measurement_id: answer.id, ...answer },
    { status: isPublished ? 200 : 202, headers: { location } },
  );
}

async function published(
  outgoing: Outgoing,
  dispatcher: SubmitServices["dispatcher"],
  waitMs: number,
): Promise<boolean> {
  dispatcher.add(outgoing);
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), waitMs);
  const outcome = await Promise.race([outgoing.outcome, promise]);
  clearTimeout(timer);
  return outcome === "published";
}
