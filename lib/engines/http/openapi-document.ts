/** The OpenAPI 3.1 document of an app, made from the descriptions of its routes. */
import type { Hono } from "hono";
import { type GenerateSpecOptions, generateSpecs } from "hono-openapi";
import type { Scope } from "../../base/api/scopes.ts";
import { routeScope } from "../auth/route-scopes.ts";
import type { HttpEnv } from "./app.ts";
import { problemAnswer } from "./describe.ts";
import { titleOf } from "./problem.ts";

export interface ApiAbout {
  readonly title: string;
  readonly version: string;
  /** Paragraphs of plain text. */
  readonly description: string;
  /** It accepts API tokens: routes declare the scope that they require. */
  readonly takesApiTokens?: boolean;
}

export type OpenApiDocument = Awaited<ReturnType<typeof generateSpecs<HttpEnv>>>;

type Components = NonNullable<GenerateSpecOptions["documentation"]["components"]>;

const securitySchemes: NonNullable<Components["securitySchemes"]> = {
  user: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "Access token of the identity provider; where a route names scopes, also an API token with one of them",
  },
  agent: { type: "http", scheme: "bearer", description: "The agent's own key" },
  admin: {
    type: "http",
    scheme: "bearer",
    description: "The operator's key, or the token of a user who is an operator",
  },
  service: { type: "http", scheme: "bearer", description: "Key of a service of the platform" },
  grant: { type: "http", scheme: "bearer", description: "Secret of a grant that a user has given" },
};

const text = { type: "string" } as const;

/** RFC 9457 with our extension members: what lib/engines/http/problem.ts writes. */
const problem: NonNullable<Components["schemas"]>[string] = {
  type: "object",
  required: ["type", "title", "status", "detail", "instance", "code", "error", "message"],
  properties: {
    type: text,
    title: text,
    status: { type: "integer" },
    detail: text,
    instance: { ...text, description: "Path of the request" },
    code: { ...text, description: "Stable word for the reason" },
    error: {
      oneOf: [{ type: "integer" }, text],
      description: "Status; the message where a token was refused",
    },
    message: { ...text, description: "As detail" },
    request_id: text,
    fields: {
      type: "array",
      items: { type: "object", required: ["path", "reason"], properties: { path: text, reason: text } },
    },
  },
};

export async function openApiDocument(app: Hono<HttpEnv>, about: ApiAbout): Promise<OpenApiDocument> {
  const document = await generateSpecs(app, {
    documentation: {
      info: { title: about.title, version: about.version, description: about.description },
      components: { securitySchemes, schemas: { Problem: problem } },
    },
    // A file at the end of a path is a route like others.
    excludeStaticFile: false,
    // describe() names the problems of each route.
    defaultValidationErrorResponse: false,
  });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      addInputProblems(item[method]);
      describePrefix(item[method]);
      if (about.takesApiTokens === true) {
        addScopes(
          item[method],
          routeScope(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ":$1"))?.scopes ?? [],
        );
      }
    }
  }
  return document;
}

/**
 * Any one of the scopes suffices: in OpenAPI 3.1 each is an alternative, with the role that it requires of its scheme.
 */
function addScopes(operation: Operation, scopes: readonly Scope[]): void {
  const [scheme] = Object.keys(operation?.security?.[0] ?? {});
  if (operation === undefined || scheme === undefined || scopes.length === 0) {
    return;
  }
  operation.security = scopes.map((scope) => ({ [scheme]: [scope] }));
  operation.responses[403] ??= problemAnswer("An API token without the scope, or for another object");
}

/** The part of a path that is a prefix, percent-encoded as one segment; routes say more of what they refuse. */
function describePrefix(operation: Operation): void {
  for (const parameter of operation?.parameters ?? []) {
    if ("name" in parameter && parameter.in === "path" && parameter.name === "prefix") {
      parameter.schema = { ...text, pattern: "^[0-9A-Fa-f:.]{2,45}(/[0-9]{1,3})?$" };
    }
  }
}

type Operation = OpenApiDocument["paths"][string]["get"];

/**
 * Failures of every route with parameters or a body, from lib/engines/http/input.ts; describe() need not repeat
 * them.
 */
function addInputProblems(operation: Operation): void {
  if (operation === undefined) {
    return;
  }
  const hasBody = operation.requestBody !== undefined;
  const statuses = hasBody ? [400, 413, 415, 422] : (operation.parameters ?? []).length > 0 ? [400] : [];
  for (const status of statuses) {
    operation.responses[status] ??= problemAnswer(titleOf(status));
  }
}
