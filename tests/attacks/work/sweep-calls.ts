/**
 * The nastiest that each route of a gateway can be sent, made from its OpenAPI document: the largest body that its
 * schema admits, JSON that parsers dislike, the corpus of the fuzzer, and queries with everything at once.
 */
import { jsonBytesMax } from "../../../lib/engines/http/limits.ts";
import type { OpenApiDocument } from "../../../lib/engines/http/openapi-document.ts";
import { jsonDepthMax, jsonValuesMax } from "../../../lib/net/wire/limits.ts";
import { kept } from "../../fuzz/corpus.ts";
import { begunLine, manyChanges, manyRounds } from "./experiment-lines.ts";
import { type BodySchema, largestBody } from "./largest-body.ts";

type Caller = "user" | "agent" | "admin" | "service" | "stranger";

export interface Call {
  readonly what: string;
  readonly search: string;
  /** Null = none. */
  readonly body: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> } | null;
}

export interface SweptRoute {
  readonly method: string;
  /** As documented. */
  readonly route: string;
  /** With objects that exist. */
  readonly path: string;
  readonly caller: Caller;
  readonly calls: readonly Call[];
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema?: BodySchema;
}

const methods = ["get", "post", "put", "patch", "delete"] as const;
const callers: readonly Caller[] = ["user", "agent", "admin", "service"];

/** Whatever is taken away is taken last: others need it. */
const lastOnes = /^(DELETE|POST .*(suspend|keys|stop|cancel)$|PUT .*(kill-switch|announcement-stop)$)/;

/** `names` fill the places of a path: `{id}` of measurements, of campaigns, … */
export function sweptRoutes(
  document: OpenApiDocument,
  nameOf: (path: string, place: string) => string,
): SweptRoute[] {
  const all = Object.entries(document.paths ?? {}).flatMap(([route, item]) =>
    methods.flatMap((method): SweptRoute[] => {
      const operation = item?.[method];
      if (operation === undefined) {
        return [];
      }
      const schemes = new Set((operation.security ?? []).flatMap((one) => Object.keys(one)));
      const caller = callers.find((one) => schemes.has(one)) ?? "stranger";
      const path = route.replaceAll(/\{(\w+)\}/g, (_, place: string) =>
        encodeURIComponent(nameOf(route, place)),
      );
      const parameters = (operation.parameters ?? []) as readonly Parameter[];
      const content = Object.entries(
        (operation.requestBody as { content?: Record<string, { schema?: BodySchema }> } | undefined)
          ?.content ?? {},
      );
      const queries = queriesOf(parameters.filter(({ in: where }) => where === "query"));
      const bodies = [...content.flatMap(bodiesOf), ...computing(`${method.toUpperCase()} ${route}`)];
      const calls = content.length === 0 ? queries : [...bodies, ...queries.slice(1)];
      return [{ method: method.toUpperCase(), route, path, caller, calls }];
    }),
  );
  const order = ({ method, route, caller }: SweptRoute) =>
    callers.indexOf(caller) + (lastOnes.test(`${method} ${route}`) ? 100 : 0);
  return all.toSorted((a, b) => order(a) - order(b));
}

function queriesOf(parameters: readonly Parameter[]): Call[] {
  const call = (what: string, search: string): Call => ({ what, search, body: null });
  const plain = call("nothing else", "");
  if (parameters.length === 0) {
    return [plain];
  }
  const query = (written: (parameter: Parameter) => string) =>
    `?${new URLSearchParams(parameters.map((one): [string, string] => [one.name, written(one)]))}`;
  const long = Math.floor(6000 / parameters.length);
  return [
    plain,
    ...parameters.flatMap((one) =>
      (one.schema?.enum ?? [largestValue(one)]).map((value) =>
        call(`${one.name} at ${value}`, `?${new URLSearchParams([[one.name, String(value)]])}`),
      ),
    ),
    call("every parameter at its largest", query(largestValue)),
    call(
      "long texts",
      query(() => "é\u202e".repeat(long / 12)),
    ),
    call(
      "escapes and commas",
      `?${parameters.map(({ name }) => `${name}=${"%25%2c,".repeat(long / 7)}`).join("&")}`,
    ),
    call("each a hundred times", `?${Array(100).fill(query(largestValue).slice(1, 140)).join("&")}`),
  ];
}

const largest: Readonly<Record<string, string>> = {
  limit: "1000000",
  since: "0001-01-01T00:00:00Z",
  until: "9999-12-31T23:59:59Z",
  with: "path",
  interval_ms: "1",
  agents: "attacked",
  wait: "1",
  lookback: "1000000",
};

function largestValue({ name, schema }: Parameter): string {
  const value =
    largest[name] ?? schema?.enum?.at(-1) ?? schema?.maximum ?? (schema?.type === "boolean" ? "true" : "1");
  return String(value);
}

const encoder = new TextEncoder();
const id = "00000000-0000-4000-8000-000000000000";

/** Routes have limits of their own: the largest body that most of them take, and smaller ones. */
const bodyBytes = [jsonBytesMax, 64 * 1024, 4096];

function bodiesOf([type, { schema }]: readonly [string, { readonly schema?: BodySchema }]): Call[] {
  const call = (what: string, bytes: Uint8Array<ArrayBuffer>): Call => ({
    what,
    search: "",
    body: { type, bytes },
  });
  const isJson = /json$/.test(type) && !type.includes("ndjson");
  const own = (isJson && schema !== undefined ? bodyBytes : []).map((bytes) =>
    call(`the largest of its schema in ${bytes} bytes`, json(largestBody(schema ?? {}, { id, bytes }))),
  );
  const common = isJson ? nastyJson : rawBodies;
  return [...own, ...Object.entries(common).map(([what, bytes]) => call(`${what} as ${type}`, bytes))];
}

function json(value: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(JSON.stringify(value));
}

const members = Array.from({ length: jsonValuesMax / 2 - 10 }, (_, i) => `"m${i}":"${"x".repeat(150)}"`);

/** As many values, as deep, and as long as a body of JSON may be. */
const nastyJson: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "many numbers": encoder.encode(`[${"1,".repeat(jsonValuesMax - 10)}1]`),
  "many members": encoder.encode(`{${members.join()}}`),
  "a deep one": encoder.encode(`${"[".repeat(jsonDepthMax)}${"]".repeat(jsonDepthMax)}`),
  "escapes only": encoder.encode(
    `{"name":"${"\\u0041".repeat(330_000)}","definition":"\\u005f\\u005fproto__"}`,
  ),
};

/** Bodies that are right, for routes that compute much from them. */
const campaign = { name: "c", agents: "attacked", max_runs: 10_000 };
const probes = Array.from(
  { length: 19_900 },
  (_, i) => `203.0.${(i >> 8) & 255}.${i & 255},24000,33434,7,udp`,
);
const targets = Array.from({ length: 19_900 }, (_, i) => `${64 + (i >> 8)}.${i & 255}.0.0/16`);
const campaigns = [
  { ...campaign, probes, every: 3600 },
  { ...campaign, targets: ["203.0.113.0/24"], cron: "0 0 29 2 1", zone: "Africa/Casablanca" },
  { ...campaign, targets: ["203.0.113.0/24"], cron: "0 0 31W * 1#5", zone: "America/Santiago" },
];
const discoveries = [
  { agents: "attacked", targets: ["64.0.0.0/3"], discover: { subnet_ipv4: 32 } },
  { agents: "attacked", targets, discover: { subnet_ipv4: 32 } },
];
const right: Readonly<Record<string, readonly object[]>> = {
  "POST /api/campaigns": campaigns,
  "POST /api/campaigns/estimate": campaigns,
  "PUT /api/campaigns/{id}": campaigns,
  "POST /api/discoveries": discoveries,
  "POST /api/discoveries/estimate": discoveries,
  "POST /api/experiments/import": [
    { lines: [begunLine("changes"), ...manyChanges(9_990)] },
    { lines: [begunLine("rounds"), ...manyRounds(8, 8000)] },
  ],
};

function computing(route: string): Call[] {
  return (right[route] ?? []).map((body, at) => ({
    what: `a right body, number ${at}`,
    search: "",
    body: { type: "application/json", bytes: json(body) },
  }));
}

const corpora = ["bird", "events", "frr", "journal", "pools", "rows", "yaml", "failed/rows-of-replies"];
const rawBytes = 4 * 2 ** 20;

/** Bodies that are read piece by piece. */
const rawBodies: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  "probes, each of a target of its own": encoder.encode(
    lines((i) => `203.0.${i & 255}.${(i >> 8) & 255},24000,33434,7,udp`),
  ),
  "blank lines": encoder.encode(" \n".repeat(rawBytes / 2)),
  "unusual spellings of IPv6": encoder.encode(lines((i) => `::${i.toString(16)}:1.2.3.4,24000,33434,7,udp`)),
  "targets that only ipaddr.js reads": encoder.encode(lines((i) => `64:ff9b::${i.toString(16)}:1.2.3.4`)),
  "the fuzzer's corpus": repeated(corpora.flatMap(kept)),
  "one line": new Uint8Array(rawBytes).fill(0x31),
};

function lines(line: (index: number) => string): string {
  return Array.from({ length: rawBytes / 40 }, (_, i) => `${line(i)}\n`).join("");
}

function repeated(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = Buffer.concat(pieces);
  const bytes = new Uint8Array(rawBytes);
  for (let at = 0; at < rawBytes; at += all.length) {
    bytes.set(all.subarray(0, rawBytes - at), at);
  }
  return bytes;
}
