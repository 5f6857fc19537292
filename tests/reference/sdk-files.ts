/**
 * The generated files of both SDKs, from the OpenAPI document of the probing gateway: `npm run generate`. Routes that
 * only agents, operators and services may ask for are left out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import type { OpenApiDocument } from "../../lib/engines/http/openapi-document.ts";
import { PythonTypes } from "./python-types.ts";
import type { JsonSchema } from "./shape-text.ts";
import { withSharedSchemas } from "./shared-schemas.ts";

const root = join(import.meta.dirname, "../..");
const python = "lib/engines/sdk/python/vantage";
/** The modules that wait, in `_async`; `_sync` has the same ones without. */
const waitingModules = ["campaign", "client", "rows", "transport"] as const;
const methods = ["get", "post", "put", "patch", "delete"] as const;

type Operation = NonNullable<OpenApiDocument["paths"][string]["get"]>;

/** By path from the root. */
export async function sdkFiles(document: OpenApiDocument): Promise<Map<string, string>> {
  const ours = { ...document, paths: userPaths(document) };
  const short = withSharedSchemas(ours, new Map(namedSchemas(ours)));
  const types = astToString(
    await openapiTS(short as unknown as OpenAPI3, {
      ...{ alphabetize: true, immutable: true },
      // As within a body: what has a default may be left out.
      defaultNonNullable: false,
    }),
  );
  return new Map([
    ["lib/engines/sdk/openapi.ts", `/** ${made} */\n\n${shortened(types)}`],
    [`${python}/types.py`, `"""Rows, responses and bodies. ${made}"""\n\n${pythonTypes(ours)}`],
    ...waitingModules.map((name) => {
      const source = readFileSync(join(root, python, "_async", `${name}.py`), "utf8");
      return [`${python}/_sync/${name}.py`, blocking(source)] as const;
    }),
  ]);
}

/** Without the lines for what a route does not have. */
function shortened(types: string): string {
  return types
    .replaceAll(/^ *readonly \w+\?: never;\n/gm, "")
    .replaceAll(/^ *readonly parameters: \{\n *\};\n/gm, "")
    .replaceAll(/^ *headers: \{\n.*\n *\};\n/gm, "");
}

const made = "Made by `npm run generate`; do not edit.";

function userPaths({ paths }: OpenApiDocument): OpenApiDocument["paths"] {
  const own = Object.entries(paths).map(([path, item]) => {
    const kept = methods.flatMap((method) => {
      const operation = item[method];
      return operation !== undefined && isForUsers(operation) ? [[method, answered(operation)] as const] : [];
    });
    return [path, Object.fromEntries(kept)] as const;
  });
  return Object.fromEntries(
    own.filter(([path, item]) => path.startsWith("/api/") && Object.keys(item).length > 0),
  );
}

function isForUsers({ security = [] }: Operation): boolean {
  return security.length === 0 || security.some((one) => Object.hasOwn(one, "user"));
}

/** Failures are alike everywhere, and what is not JSON has no type: neither is written for each route. */
function answered(operation: Operation): Operation {
  const good = Object.entries(operation.responses).flatMap(([status, response]) => {
    const json = "content" in response ? response.content?.["application/json"] : undefined;
    const content = json === undefined ? {} : { content: { "application/json": json } };
    return status.startsWith("2") ? [[status, { description: "", ...content }] as const] : [];
  });
  return { ...operation, responses: Object.fromEntries(good) as unknown as Operation["responses"] };
}

/** Names of what is answered, of its rows where it is a list. */
const names: readonly (readonly [name: string, method: (typeof methods)[number], path: string])[] = [
  ["Me", "get", "/api/user/me"],
  ["UserPrefixes", "get", "/api/user/prefixes"],
  ["Limits", "get", "/api/limits"],
  ["Agent", "get", "/api/agents"],
  ["Submitted", "post", "/api/probes"],
  ["Measurement", "get", "/api/measurements"],
  ["MeasurementStatus", "get", "/api/measurements/{id}/status"],
  ["Cancelled", "post", "/api/measurements/{id}/cancel"],
  ["PacketFile", "get", "/api/measurements/{id}/packets"],
  ["ReplyRow", "get", "/api/measurements/{id}/replies"],
  ["ProbeRow", "get", "/api/measurements/{id}/probes"],
  ["PathRow", "get", "/api/measurements/{id}/paths"],
  ["LossRow", "get", "/api/measurements/{id}/loss"],
  ["CatchmentRow", "get", "/api/measurements/{id}/catchment"],
  ["SiteRow", "get", "/api/measurements/{id}/sites"],
  ["MtuRow", "get", "/api/measurements/{id}/mtu"],
  ["TraceRow", "get", "/api/measurements/{id}/traces"],
  ["PingRow", "get", "/api/measurements/{id}/pings"],
  ["MultipathRow", "get", "/api/measurements/{id}/multipaths"],
  ["HeatmapRow", "get", "/api/measurements/{id}/heatmap"],
  ["SeriesRow", "get", "/api/measurements/{id}/series"],
  ["TrendRow", "get", "/api/measurements/{id}/trend"],
  ["ChangesRow", "get", "/api/measurements/{id}/changes"],
  ["LinkRow", "get", "/api/measurements/{id}/links"],
  ["NodeRow", "get", "/api/measurements/{id}/nodes"],
  ["GraphRow", "get", "/api/measurements/{id}/graph"],
  ["Campaign", "get", "/api/campaigns"],
  ["CampaignDetail", "get", "/api/campaigns/{id}"],
  ["CampaignRun", "get", "/api/campaigns/{id}/runs"],
  ["CampaignMade", "post", "/api/campaigns"],
  ["CampaignEstimate", "post", "/api/campaigns/estimate"],
  ["Alert", "get", "/api/alerts"],
  ["Token", "get", "/api/tokens"],
  ["TokenMade", "post", "/api/tokens"],
];

/** Names of bodies. */
const orders = [
  ["CampaignOrder", "post", "/api/campaigns"],
  ["TokenOrder", "post", "/api/tokens"],
] as const;

function namedSchemas({ paths }: OpenApiDocument): (readonly [name: string, JsonSchema])[] {
  const answers = names.map(([name, method, path]) => {
    const schema = answerOf(paths[path]?.[method], `${method} ${path}`);
    return [name, schema.type === "array" ? (schema.items as JsonSchema) : schema] as const;
  });
  const bodies = orders.map(([name, method, path]) => {
    const { requestBody } = paths[path]?.[method] ?? {};
    const content = requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
    return [name, content["application/json"]?.schema as JsonSchema] as const;
  });
  return [...answers, ...bodies];
}

function pythonTypes(document: OpenApiDocument): string {
  const types = new PythonTypes();
  for (const [name, schema] of namedSchemas(document)) {
    types.add(name, schema);
  }
  const used = ["Any", "Literal", "NotRequired", "TypedDict"].filter((word) =>
    new RegExp(`\\b${word}\\b`).test(types.text),
  );
  const shown = [...names, ...orders].map(([name]) => `    "${name}",\n`).sort();
  const all = `__all__ = [\n${shown.join("")}]`;
  return `from __future__ import annotations\n\nfrom typing import ${used.join(", ")}\n\n${all}\n\n\n${types.text}`;
}

function answerOf(operation: Operation | undefined, name: string): JsonSchema {
  const { responses = {} } = operation ?? {};
  const response = responses[200] ?? responses[201];
  const schema =
    response !== undefined && "content" in response
      ? response.content?.["application/json"]?.schema
      : undefined;
  if (schema === undefined) {
    throw new Error(`Cannot name the answer of ${name}: the document has no such JSON`);
  }
  return schema as JsonSchema;
}

/** Words of the asynchronous modules, and what stands for them where a call waits. */
const words: readonly (readonly [RegExp, string])[] = [
  [
    /^"""A probing gateway from an asynchronous program\..*"""$/m,
    `"""A probing gateway from a program. ${made}"""`,
  ],
  [/^"""(.*), asynchronous\."""$/m, `"""$1. ${made}"""`],
  [/^import asyncio$/m, "import time"],
  [/asyncio\.sleep/g, "time.sleep"],
  [/await asyncio\.to_thread\((\w+)(?:, )?/g, "$1("],
  [/\bAsync(Campaign|Client|Iterator|Rows|Transport)\b/g, "$1"],
  [/\b__a(enter|exit|iter)__/g, "__$1__"],
  [/\ba(close|iter_bytes)\b/g, "$1"],
  [/\basync (def|for|with)\b/g, "$1"],
  [/\bawait /g, ""],
];

function blocking(source: string): string {
  return words.reduce((text, [word, other]) => text.replace(word, other), source);
}
