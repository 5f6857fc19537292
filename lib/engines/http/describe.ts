/** The short form of a route's description in the OpenAPI document. */
import type { MiddlewareHandler } from "hono";
import { describeRoute } from "hono-openapi";
import type { GenericSchema } from "valibot";
import { contentSchema } from "./described-schema.ts";
import { titleOf } from "./problem.ts";

interface RouteDescription {
  /** One line, as in a list. */
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** A schema = 200 with that as JSON. */
  readonly ok: GenericSchema | readonly Success[];
  /** Statuses, or their meanings here. 401 from `auth` and 500 are added automatically. */
  readonly problems?: readonly number[] | Readonly<Record<number, string>>;
  /** Failures are text for programs of other makes, too. */
  readonly hasTextFailures?: true;
  /** The required credential: a user's token, an agent's, operator's or service's key, or none. */
  readonly auth: Caller;
  /** For bodies that are not JSON, or not only; jsonInput describes its own. */
  readonly body?: readonly MediaType[];
}

type Caller = "user" | "agent" | "admin" | "service" | "grant" | "public";

export interface Success extends Partial<MediaType> {
  readonly status: number;
  readonly description: string;
  /** Names and meanings. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface MediaType {
  /** `application/x-ndjson`. JSON when only a schema is given. */
  readonly type: string;
  readonly schema?: GenericSchema;
  readonly example?: unknown;
}

export function describe(route: RouteDescription): MiddlewareHandler {
  const { summary, description, tags, auth, body } = route;
  return describeRoute({
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [...tags],
    security: auth === "public" ? [] : [{ [auth]: [] }],
    ...(body === undefined ? {} : { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...successes(route.ok), ...failures(route) },
  });
}

type Responses = NonNullable<Parameters<typeof describeRoute>[0]["responses"]>;
type Content = Record<
  string,
  { schema: ReturnType<typeof contentSchema> | typeof bytes | typeof text; example?: unknown }
>;

const text = { type: "string" } as const;
/** What generators of clients take for a body of bytes; JSON Schema 2020-12 itself has no word for it. */
const bytes = { type: "string", format: "binary" } as const;
/** `application/csv`, too: what people read. */
const textTypes = /^text\/|json|csv|xml/;

function successes(ok: RouteDescription["ok"]): Responses {
  if ("kind" in ok) {
    return { 200: { description: "Done", content: contentOf([{ type: "application/json", schema: ok }]) } };
  }
  const responses: Responses = {};
  for (const one of ok) {
    const before = responses[one.status];
    const content = before !== undefined && "content" in before ? before.content : {};
    responses[one.status] = {
      description: one.description,
      ...(one.headers === undefined ? {} : { headers: headersOf(one.headers) }),
      content: { ...content, ...successContent(one) },
    };
  }
  return responses;
}

function successContent({ type, schema, example }: Success): Content {
  if (type === undefined && schema === undefined) {
    return {};
  }
  const given = {
    ...(schema === undefined ? {} : { schema }),
    ...(example === undefined ? {} : { example }),
  };
  return contentOf([{ type: type ?? "application/json", ...given }]);
}

function contentOf(types: readonly MediaType[]): Content {
  return Object.fromEntries(
    types.map(({ type, schema, example }) => [
      type,
      {
        schema: schema === undefined ? (textTypes.test(type) ? text : bytes) : contentSchema(schema),
        ...(example === undefined ? {} : { example }),
      },
    ]),
  );
}

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: "string" as const } },
    ]),
  );
}

function failures({ auth, problems = [], hasTextFailures }: RouteDescription): Responses {
  const named: Readonly<Record<string, string>> = Array.isArray(problems)
    ? Object.fromEntries(problems.map((status) => [status, titleOf(status)]))
    : { ...problems };
  const all: Record<string, string> = {
    ...(auth === "public" ? {} : { 401: "No credential, or one that is refused" }),
    ...(auth === "admin" ? { 403: "The login of a user who is not an operator" } : {}),
    ...named,
    500: "A failure in the service; request_id names it in the log",
  };
  return Object.fromEntries(
    Object.entries(all).map(([status, description]) => {
      const { content } = problemAnswer(description);
      const asText = hasTextFailures === undefined ? {} : { "text/plain": { schema: text } };
      return [status, { description, content: { ...content, ...asText } }];
    }),
  );
}

/** The description of a failure's answer. */
export function problemAnswer(description: string) {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description, content: { "application/problem+json": { schema } } };
}
