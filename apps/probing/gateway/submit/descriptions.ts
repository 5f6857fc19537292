/** How the routes of submissions are documented. */
import * as v from "valibot";
import { rejectedAgent, selectionAnswer } from "../../../../lib/base/api/measurements.ts";
import { describe } from "../../../../lib/engines/http/describe.ts";
import { requestedTargetSchema } from "./requested-target.ts";
import { shapeSchema } from "./shape-query.ts";

const answerSchema = v.object({
  measurement_id: v.pipe(v.string(), v.uuid()),
  id: v.pipe(v.string(), v.uuid(), v.description("The same, as existing clients read it")),
  probes: v.number(),
  agents: v.array(requestedTargetSchema),
  rejected: v.array(rejectedAgent),
  request_id: v.pipe(
    v.optional(v.string()),
    v.description("The accepted request, for the operator: vantage admin trace"),
  ),
  shape: v.pipe(
    v.optional(shapeSchema),
    v.description("What the probes look like, where something was given"),
  ),
  selections: v.optional(v.array(selectionAnswer)),
});

const bodySchema = v.object({
  metadata: v.array(requestedTargetSchema),
  probes: v.array(v.tuple([v.string(), v.number(), v.number(), v.number(), v.string()])),
});

const lineExample = "192.0.2.1,24000,33434,7,udp\n";

export const submission = describe({
  summary: "Submit a measurement",
  description:
    "All or nothing: of a refused submission only the reason is kept, for the operator. Bodies may be gzip and of " +
    "any length; docs/operate/probing-gateway.md describes their forms, and how agents are chosen by tag, place, AS " +
    "and number.",
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

export const addition = describe({
  summary: "Add probes to an open measurement",
  description:
    "The agents of the measurement send them after those before, to the networks of the first ones. They are charged " +
    "to the quota of the measurement's day, and look as they do. Cancel with reason=finished when you have what you " +
    "want.",
  tags: ["measurements"],
  auth: "user",
  body: [
    { type: "application/x-ndjson", example: '["192.0.2.1",24000,33434,8,"udp"]\n' },
    { type: "text/csv", example: lineExample },
    { type: "text/plain", example: lineExample },
  ],
  ok: [
    { status: 200, description: "Added, and published to the agents", schema: answerSchema },
    { status: 202, description: "Added; published when the broker takes it", schema: answerSchema },
  ],
  problems: [400, 403, 404, 409, 413, 415, 422, 429, 503],
});
