/**
 * The body of a route for discoveries: JSON with everything; or a list of targets as text, of up to 64 MiB, with
 * everything else as JSON in the query parameter `order`.
 */
import type { Context, MiddlewareHandler } from "hono";
import * as v from "valibot";
import { issueReason, jsonTypeNames } from "../../../lib/engines/config/issue-reason.ts";
import type { HttpEnv } from "../../../lib/engines/http/app.ts";
import { bodyChunks } from "../../../lib/engines/http/body.ts";
import { BodyRoom } from "../../../lib/engines/http/body-room.ts";
import { jsonInput, type Validated } from "../../../lib/engines/http/input.ts";
import { jsonBytesMax } from "../../../lib/engines/http/limits.ts";
import { userOf } from "../../../lib/engines/http/require-user.ts";
import type { HttpMetrics } from "../../../lib/engines/observe/http-metrics.ts";
import { listBytesMax, listPace, listsBytesMax } from "./discovery/limits.ts";
import { type StoredTargets, storedTargets } from "./discovery/stored-targets.ts";
import { badBody } from "./probe-text.ts";

const lists = new WeakMap<Request, StoredTargets>();

/** The targets received as text; null = they are in the JSON. */
export function listOf(c: Context<HttpEnv>): StoredTargets | null {
  return lists.get(c.req.raw) ?? null;
}

/** Description of such a body for a route. */
export const listBody = { type: "text/plain", example: "198.51.100.0/24\n2001:db8::/48\n" } as const;

/** `c.req.valid("json")` is what `schema` makes of either; with a list, its targets are any prefix. Throws Problem. */
export function listInput<Schema extends v.GenericSchema, P extends string>(
  schema: Schema,
  metrics: Pick<HttpMetrics, "bodyRefused">,
): MiddlewareHandler<HttpEnv, P, Validated<"json", Schema>> {
  const json = jsonInput<Schema, HttpEnv, P>(schema, { bytesMax: jsonBytesMax });
  const limits = { callerBytesMax: listBytesMax, bytesMax: listsBytesMax };
  const room = new BodyRoom((code) => metrics.bodyRefused(code), limits);
  const handler: typeof json = async (c, next) => {
    if (!/^text\/plain\s*(;|$)/i.test(c.req.header("content-type") ?? "")) {
      return await json(c, next);
    }
    const order = orderOf(schema, c.req.query("order") ?? "");
    const { userHash: caller } = userOf(c);
    using share = room.open(caller);
    const chunks = counted(bodyChunks(c.req.raw, { bytesMax: listBytesMax, pace: listPace }), (bytes) =>
      share.add(bytes),
    );
    lists.set(c.req.raw, await stored(chunks, { pace: c.get("work"), caller }));
    c.req.addValidatedData("json", order);
    return await next();
  };
  return Object.assign(handler, json);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void) {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function stored(
  chunks: AsyncIterable<Uint8Array>,
  turns: Parameters<typeof storedTargets>[1],
): Promise<StoredTargets> {
  try {
    return await storedTargets(chunks, turns);
  } catch (error) {
    throw error instanceof RangeError ? badBody("targets", error.message) : error;
  }
}

function orderOf<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> & object {
  const given = parsed(text);
  if (given.targets !== undefined) {
    throw badBody("order.targets", "is in the body: leave it out");
  }
  const { success, output, issues } = v.safeParse(schema, { ...given, targets: ["0.0.0.0/0"] });
  if (success && typeof output === "object" && output !== null) {
    return output;
  }
  const [issue] = issues ?? [];
  if (issue === undefined) {
    throw badBody("order", "must be an object");
  }
  const path = v.getDotPath(issue);
  throw path === null
    ? badBody("order", issue.message)
    : badBody(`order.${path}`, issueReason(issue, jsonTypeNames, schema));
}

/** An escape could be NUL, which PostgreSQL cannot store. */
function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !text.includes("\\u")) {
      return { ...value };
    }
  } catch {}
  throw badBody("order", "must be an object as JSON in the query, without \\u: all but the targets");
}
