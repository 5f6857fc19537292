/** The reference of one service's HTTP API as a page, from its OpenAPI document, and the index of all of them. Pure. */
import type { OpenApiDocument } from "../../lib/engines/http/openapi-document.ts";
import { titleOf } from "../../lib/engines/http/problem.ts";
import { type JsonSchema, shapeText } from "./shape-text.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;

type ApiOperation = NonNullable<OpenApiDocument["paths"][string]["get"]>;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly about: ApiOperation;
}

export function apiPage(api: OpenApiDocument): string {
  const { title, description } = api.info;
  const operations = operationsOf(api);
  const tags = [...new Set(operations.map(tagOf))];
  const parts = tags.flatMap((tag) => [
    `## ${tag}`,
    ...operations.filter((one) => tagOf(one) === tag).map(operationText),
  ]);
  const links = "[All services](../api.md). In shapes, `?` marks a member that may be missing.";
  return `${[`# API of the ${title}`, links, description, ...parts].join("\n\n")}\n`;
}

export function apiIndex(documents: Readonly<Record<string, OpenApiDocument>>): string {
  const head = `# HTTP APIs

Made from what the routes say of themselves by \`npm run generate\`; do not edit.

Each route in full, with parameters, bodies and answers: at each service's own \`/docs\`, at its \`/openapi.json\` as
OpenAPI 3.1, or in \`reference/api\` of a release's \`docs\`, which \`npm run docs\` makes too. What all have in common,
failures, tokens and health: [http.md](http.md).

| who | sends, as \`Authorization: Bearer …\` |
|---|---|
| user | an access token of the identity provider, or an API token: [tokens.md](../measure/tokens.md) |
| agent | its own key, or an enrolment key to register |
| admin | the key of the admin API |
| service | the key of an exchange server |
| public | nothing |`;
  const sections = Object.values(documents).map(indexSection);
  return `${[head, ...sections].join("\n\n")}\n`;
}

function indexSection(api: OpenApiDocument): string {
  const rows = operationsOf(api).map(
    (one) => `| \`${headingOf(one)}\` | ${callerOf(one)} | ${one.about.summary ?? ""} |`,
  );
  return [`## ${api.info.title}`, "", "| route | who | does |", "|---|---|---|", ...rows].join("\n");
}

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const about = item[method];
      return about === undefined ? [] : [{ method: method.toUpperCase(), path, about }];
    }),
  );
}

function tagOf({ about }: Operation): string {
  return about.tags?.[0] ?? "other";
}

function headingOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function callerOf({ about }: Operation): string {
  return Object.keys(about.security?.[0] ?? {})[0] ?? "public";
}

/** What an API token needs. */
function scopesText({ about }: Operation): string {
  const scopes = (about.security ?? []).flatMap((one) => Object.values(one).flat());
  return scopes.length === 0 ? "" : `; an API token with \`${scopes.join("` or `")}\``;
}

function operationText(operation: Operation): string {
  const { summary = "", description = "", parameters = [], requestBody, responses } = operation.about;
  const body = requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
  const items = [
    `- **who** ${callerOf(operation)}${scopesText(operation)}`,
    ...parameters.flatMap((one) => ("name" in one ? [parameterItem(one)] : [])),
    ...Object.entries(body).map(([type, one]) => contentItem(`**body** \`${type}\``, one)),
    ...Object.entries(responses).flatMap(([status, one]) => answerItems(status, one)),
    ...plainFailures(responses),
  ];
  const text = [`${summary}.`, description].filter((part) => part !== "").join(" ");
  return [`### ${headingOf(operation)}`, "", text, "", ...items].join("\n");
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: unknown;
}

function parameterItem({ name, in: place, required, description, schema }: Parameter): string {
  const shape = schema === undefined ? "" : `:${asCode(shapeText(schema as JsonSchema))}`;
  const about = description === undefined ? "" : `: ${description}`;
  return `- **${place}** \`${name}\`${required === true ? "" : ", optional"}${about}${shape}`;
}

interface Content {
  readonly schema?: unknown;
  readonly example?: unknown;
}

function contentItem(label: string, { schema, example }: Content): string {
  if (schema !== undefined) {
    return `- ${label}:${asCode(shapeText(schema as JsonSchema))}`;
  }
  return example === undefined ? `- ${label}` : `- ${label}, as${asCode(String(example).trimEnd())}`;
}

/** In the line, or as a block that belongs to the item of the list. */
function asCode(text: string): string {
  return text.includes("\n") ? `\n\n${`\`\`\`\n${text}\n\`\`\``.replaceAll(/^/gm, "  ")}\n` : ` \`${text}\``;
}

type ApiResponse = ApiOperation["responses"][string];

function answerItems(status: string, answer: ApiResponse): string[] {
  if (!("description" in answer) || isPlain(status, answer)) {
    return [];
  }
  const label = `**${status}** ${answer.description}`;
  const contents = Object.entries(contentOf(answer)).filter(([type]) => type !== problemType);
  return contents.length === 0
    ? [`- ${label}`]
    : contents.map(([type, one]) => contentItem(`${label}, \`${type}\``, one));
}

const problemType = "application/problem+json";

function contentOf(answer: ApiResponse): Readonly<Record<string, Content>> {
  return "content" in answer ? (answer.content ?? {}) : {};
}

/** A failure that says no more here than its number does. */
function isPlain(status: string, answer: ApiResponse): boolean {
  const { description = "" } = "description" in answer ? answer : {};
  const isUsual = ["401", "500"].includes(status) || description === titleOf(Number(status));
  return isUsual && Object.hasOwn(contentOf(answer), problemType);
}

function plainFailures(responses: ApiOperation["responses"]): string[] {
  const plain = Object.entries(responses).filter(([status, one]) => isPlain(status, one));
  return plain.length === 0 ? [] : [`- may fail with ${plain.map(([status]) => status).join(", ")}`];
}
