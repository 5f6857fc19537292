/** `/openapi.json`, and `/docs`: the same for people, one page without scripts. */
import { Eta } from "eta";
import type { Hono } from "hono";
import template from "../../../templates/pages/api.eta" with { type: "text" };
import type { HttpEnv } from "./app.ts";
import { type ApiAbout, type OpenApiDocument, openApiDocument } from "./openapi-document.ts";

/**
 * Call it when all routes are mounted. Both are made once, at the first request, because anyone may request them
 * often.
 */
export function addDocumentation(app: Hono<HttpEnv>, about: ApiAbout): void {
  let document: Promise<OpenApiDocument> | null = null;
  const described = () => {
    document ??= openApiDocument(app, about);
    return document;
  };
  let page: Promise<string> | null = null;
  let text: Promise<string> | null = null;
  app.get("/openapi.json", async (c) => {
    text ??= described().then((api) => JSON.stringify(api));
    return c.body(await text, 200, { "content-type": "application/json" });
  });
  // At the service's address too, where it has no page of its own: a person who opens it sees what it is. Not a
  // redirect: vantage doctor checks the time there, and follows none.
  for (const path of ["/docs", "/"]) {
    app.get(path, async (c) => {
      page ??= described().then((api) => docsPage(api));
      c.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
      return c.html(await page);
    });
  }
}

/** HTML; text of the document is escaped. */
function docsPage(api: OpenApiDocument): string {
  return new Eta({ varName: "page" }).renderString(template, {
    title: api.info.title,
    version: api.info.version,
    paragraphs: api.info.description.split("\n\n"),
    groups: groupsOf(operationsOf(api)),
  });
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly caller: string;
  readonly parameters: readonly Part[];
  readonly body: readonly Part[];
  readonly answers: readonly Part[];
}

/** A row of a table: parameter, body or answer. */
interface Part {
  readonly name: string;
  readonly about: string;
  /** JSON schema, indented; empty without one. */
  readonly schema: string;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [operationOf(path, method, operation)];
    }),
  );
}

type ApiOperation = NonNullable<OpenApiDocument["paths"][string]["get"]>;

function operationOf(path: string, method: string, operation: ApiOperation): Operation {
  const {
    tags,
    summary = "",
    description = "",
    security,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  return {
    method: method.toUpperCase(),
    path,
    tag: tags?.[0] ?? "other",
    summary,
    description,
    caller: Object.keys(security?.[0] ?? {})[0] ?? "public",
    parameters: parameters.flatMap((one) => ("name" in one ? [parameterPart(one)] : [])),
    body: requestBody !== undefined && "content" in requestBody ? contentParts(requestBody.content) : [],
    answers: Object.entries(responses).flatMap(([status, one]) => answerParts(status, one)),
  };
}

interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: unknown;
}

function parameterPart({ name, in: place, required = false, description = "", schema }: ApiParameter): Part {
  const about = `${place}, ${required ? "required" : "optional"}${description === "" ? "" : `: ${description}`}`;
  return { name, about, schema: pretty(schema) };
}

function contentParts(content: Readonly<Record<string, { readonly schema?: unknown }>>): Part[] {
  return Object.entries(content).map(([type, { schema }]) => ({
    name: type,
    about: "",
    schema: pretty(schema),
  }));
}

function answerParts(status: string, answer: ApiOperation["responses"][string]): Part[] {
  if (!("description" in answer)) {
    return [];
  }
  const about = answer.description;
  const content = "content" in answer ? (answer.content ?? {}) : {};
  const isProblem = Object.hasOwn(content, "application/problem+json");
  const parts = isProblem ? [] : contentParts(content);
  return parts.length === 0
    ? [{ name: status, about, schema: "" }]
    : parts.map(({ name, schema }) => ({ name: `${status} ${name}`, about, schema }));
}

function pretty(schema: unknown): string {
  return schema === undefined ? "" : JSON.stringify(schema, null, 2);
}

interface Group {
  readonly tag: string;
  readonly operations: Operation[];
}

function groupsOf(operations: readonly Operation[]): Group[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  }
  return [...groups].map(([tag, members]) => ({ tag, operations: members }));
}
