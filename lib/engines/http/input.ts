/**
 * Checks a route's input against valibot schemas that the OpenAPI document shows too; handlers read the checked
 * values by `c.req.valid("json" | "query" | "param")`.
 *
 * Statuses are those that existing clients know: 400 for what is not JSON or not a valid query, 415 for another type
 * of content, 413 for too much of it, 422 for invalid JSON content.
 */
import type { Context, Env, MiddlewareHandler } from "hono";
import { uniqueSymbol } from "hono-openapi";
import * as v from "valibot";
import { jsonExcess, jsonExcessText } from "../../net/wire/json-bounds.ts";
import { issueReason, jsonTypeNames } from "../config/issue-reason.ts";
import type { HttpEnv } from "./app.ts";
import { type BodyLimits, bodyBytes } from "./body.ts";
import type { BodyShare } from "./body-room.ts";
import { contentSchema, parametersSchema } from "./described-schema.ts";
import { bodyFreeBytes, fieldPathCharsMax, fieldProblemsMax, parserReasonCharsMax } from "./limits.ts";
import { type FieldProblem, Problem, problem } from "./problem.ts";
import { tooMany } from "./too-many.ts";

type InputPart = "json" | "query" | "param";

/** The type of `c.req.valid` after the middleware. */
export interface Validated<T extends InputPart, Schema extends v.GenericSchema> {
  in: { [key in T]: v.InferInput<Schema> };
  out: { [key in T]: v.InferOutput<Schema> };
}

/** Query parameters, each given at most once. 400 `invalid_query` with `fields`. */
export function queryInput<Schema extends v.GenericSchema, E extends Env, P extends string>(
  schema: Schema,
): MiddlewareHandler<E, P, Validated<"query", Schema>> {
  return described("query", schema, async (c, next) => {
    c.req.addValidatedData("query", readQuery(c, schema));
    await next();
  });
}

/** The same for a route whose parameters depend on its path. Throws Problem. */
export function readQuery<Schema extends v.GenericSchema>(
  { req }: Pick<Context, "req">,
  schema: Schema,
): v.InferOutput<Schema> & object {
  const twice = Object.entries(req.queries()).find(([, values]) => values.length > 1);
  if (twice !== undefined) {
    throw invalidQuery([{ path: twice[0], reason: "is given twice" }]);
  }
  return checked(schema, req.query(), invalidQuery);
}

/** Parts of the path, percent-decoded. 400 `invalid_path` with `fields`. */
export function pathInput<Schema extends v.GenericSchema, E extends Env, P extends string>(
  schema: Schema,
): MiddlewareHandler<E, P, Validated<"param", Schema>> {
  return described("param", schema, async (c, next) => {
    c.req.addValidatedData("param", checked(schema, c.req.param(), invalidPath));
    await next();
  });
}

/**
 * A JSON body of at most `bytesMax`, decoded. 415, 413, 400 `malformed_json`, 422 `invalid_body` with `fields`; 429
 * `too_many_bodies` and 503 `no_room` while too much of other bodies is held, as long as their requests are in
 * progress.
 */
export function jsonInput<Schema extends v.GenericSchema, E extends Env, P extends string>(
  schema: Schema,
  { bytesMax }: { readonly bytesMax: number },
): MiddlewareHandler<E, P, Validated<"json", Schema>> {
  return described("json", schema, async (c, next) => {
    const own = c as unknown as Context<HttpEnv>;
    using share = shareOf(own);
    const bytes = await jsonBytes(c.req.raw, { bytesMax, onBytes: (count) => share.add(count) });
    if (bytes.length > bodyFreeBytes) {
      // To parse and check a large one takes tens of milliseconds: one after another, as others are served between.
      await own.get("work").next();
    }
    const body = parsedJson(bytes);
    c.req.addValidatedData("json", checked(schema, body, invalidBody));
    await next();
  });
}

/** Runs after authentication, so an invalid header never gets here. */
function shareOf(c: Context<HttpEnv>): BodyShare {
  const caller = c.get("identity")?.userHash ?? c.req.raw.headers.get("authorization") ?? "";
  return c.get("bodyRoom").open(caller);
}

/** Throws Problem 415, 413 or 400. */
async function jsonBytes(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    throw problem(
      415,
      "unsupported_media_type",
      "Cannot read the body: send JSON, with Content-Type: application/json",
    );
  }
  return await bodyBytes(request, limits);
}

/** Unchecked. Throws Problem 400, or 422 for names that no member may have. */
function parsedJson(bytes: Uint8Array): unknown {
  const excess = jsonExcess(bytes);
  if (excess !== null) {
    throw new Problem({ status: 400, code: "malformed_json", message: jsonExcessText[excess] });
  }
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, parserReasonCharsMax) : String(cause);
    const message = `Cannot read the body as JSON: ${reason}`;
    throw new Problem({ status: 400, code: "malformed_json", message, cause });
  }
  const hazard = hazardIn(text, value);
  if (hazard !== null) {
    throw invalidBody([{ ...hazard, path: hazard.path.slice(0, fieldPathCharsMax) }]);
  }
  return value;
}

/** Describes the middleware's check to hono-openapi. */
function described<T extends InputPart, Schema extends v.GenericSchema, E extends Env, P extends string>(
  target: T,
  schema: Schema,
  handler: MiddlewareHandler<E, P, Validated<T, Schema>>,
): MiddlewareHandler<E, P, Validated<T, Schema>> {
  const shown = target === "json" ? contentSchema(schema) : parametersSchema(schema);
  return Object.assign(handler, { [uniqueSymbol]: { target, ...shown } });
}

function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  refused: (fields: FieldProblem[]) => Problem,
): v.InferOutput<Schema> & object {
  if (Array.isArray(value) && schema.type.endsWith("object")) {
    // valibot accepts a list as an object whose members are all missing.
    throw refused([{ path: "", reason: "must be an object" }]);
  }
  const excess = tooMany(schema, value);
  if (excess !== null) {
    throw refused([excess]);
  }
  const { success, output, issues } = v.safeParse(schema, value);
  if (success && typeof output === "object" && output !== null) {
    return output;
  }
  const fields = (issues ?? []).slice(0, fieldProblemsMax).map((issue) => ({
    path: (v.getDotPath(issue) ?? "").slice(0, fieldPathCharsMax),
    reason: issueReason(issue, jsonTypeNames, schema),
  }));
  throw refused(fields);
}

function invalidQuery(fields: FieldProblem[]): Problem {
  return new Problem({ status: 400, code: "invalid_query", message: summary("query", fields), fields });
}

function invalidPath(fields: FieldProblem[]): Problem {
  return new Problem({ status: 400, code: "invalid_path", message: summary("path", fields), fields });
}

function invalidBody(fields: FieldProblem[]): Problem {
  return new Problem({ status: 422, code: "invalid_body", message: summary("body", fields), fields });
}

function summary(part: string, [first]: readonly FieldProblem[]): string {
  const { path, reason } = first ?? { path: "", reason: "must be an object" };
  // A reason about several members names them itself.
  const subject = path !== "" ? `${path} ` : reason.startsWith('"') ? "" : "it ";
  return `Cannot use the ${part}: ${subject}${reason}`;
}

// Forbidden in every body, whatever its schema: names that JavaScript gives a meaning, and NUL.

/** As members they would change, or be taken for, what every object has; no route has such a member. */
const traps: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
/** Few bodies hold these letters, or an escape that could be any letter: only those are searched. */
const suspect = /__proto__|constructor|prototype|\\u/;

/** The first of them in the parsed text, at any depth; null = none. Nesting is bounded before (json-bounds.ts). */
function hazardIn(text: string, value: unknown): FieldProblem | null {
  return suspect.test(text) ? find("", value) : null;
}

function find(path: string, value: unknown): FieldProblem | null {
  if (typeof value === "string") {
    // PostgreSQL does not hold it.
    return value.includes("\0") ? { path, reason: "must not hold NUL" } : null;
  }
  if (typeof value !== "object" || value === null) {
    return null;
  }
  const isList = Array.isArray(value);
  for (const [key, inner] of isList ? value.entries() : Object.entries(value)) {
    const name = String(key);
    if (!isList && (traps.has(name) || name.includes("\0"))) {
      return { path: name.replaceAll("\0", "\\0"), reason: "is not a name that a member may have" };
    }
    const found = find(name, inner);
    if (found !== null) {
      return found;
    }
  }
  return null;
}
