/** `vantage measurements`: the user's own, page by page. */
import * as v from "valibot";
import { sharedItemAnswer } from "../../../../lib/base/api/sharing.ts";
import type { Column } from "../../../../lib/base/terminal/rows-output.ts";
import { timeInWords } from "../../../../lib/base/terminal/time-words.ts";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { choice, kindOf, number, prefix, text, time, unfit } from "../../../../lib/command/command/kinds.ts";
import { measurementSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { clientSide } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { nextPageQuery } from "../../../../lib/engines/sdk/link.ts";
import { parseAsn } from "../../../../lib/measuring/context/asn.ts";
import { formatPrefix, type Prefix } from "../../../../lib/net/ip/prefix.ts";
import { measurementsDefault, measurementsMax, measurementsOfPage } from "../limits.ts";
import { measurementColumns } from "./measurement-columns.ts";

type Query = Readonly<Record<string, string | undefined>>;

const asNumber = kindOf(
  "ASN",
  "any",
  (given) => parseAsn(given) ?? unfit("is not an AS number, as 64500 or AS64500"),
);

export const command = gatewayCommand({
  options: {
    limit: {
      kind: number(1, measurementsMax),
      short: "n",
      default: measurementsDefault,
      meaning: "how many at most",
    },
    status: {
      kind: text,
      placeholder: "LIST",
      meaning: "only these, with commas: queued, running, complete, cancelled, failed, expired",
    },
    target: { kind: prefix, short: "t", meaning: "only those with probes to this address or prefix" },
    asn: {
      kind: asNumber,
      meaning: "only those with probes to addresses of this AS, by the gateway's context",
    },
    kind: { kind: choice(["trace", "ping"], "KIND"), meaning: "only traces, or only pings" },
    name: { kind: text, meaning: "only those whose name or note holds this text" },
    tag: { kind: text, placeholder: "TAG", multiple: true, meaning: "only those with all of these tags" },
    campaign: { kind: text, placeholder: "ID", meaning: "the runs of this campaign or discovery" },
    all: { flag: true, default: false, meaning: "each run of campaigns, instead of the newest for all" },
    public: {
      flag: true,
      default: false,
      notWith: ["status", "sort", "reverse", "campaign", "all"],
      meaning: "results published by users of the gateway, instead of your own",
    },
    agent: { kind: text, placeholder: "ID", short: "a", meaning: "only those of this agent" },
    since: { kind: time, meaning: "started then or later: 30m, 2d (ago), or 2026-01-31T12:00:00Z" },
    until: { kind: time, meaning: "started then or before" },
    sort: {
      kind: choice(["updated", "started"], "BY"),
      defaultText: "updated",
      meaning: "the newest of these first",
    },
    reverse: { flag: true, default: false, meaning: "the oldest first" },
  },
  arguments: {},
  examples: [
    "vantage measurements",
    "vantage measurements --target=203.0.113.0/24 --tag=lab",
    "vantage measurements --asn=AS64500 --public",
    "vantage measurements --since=1d --status=queued,running -a west",
    "vantage measurements -o ndjson -n 1000 | jq -r .measurement_id",
  ],
  act: (session, given) => {
    const { limit, status, sort, reverse, all } = given;
    const shared = sharedQuery(given);
    if (given.public) {
      return listPublic(session, limit, shared);
    }
    const campaign = given.campaign ?? undefined;
    return list(session, limit, {
      ...shared,
      status: status ?? undefined,
      sort: sort ?? undefined,
      reverse: reverse ? "true" : undefined,
      campaign,
      fold: all || campaign !== undefined ? undefined : "true",
    });
  },
});

interface Shared {
  readonly agent: string | null;
  readonly target: Prefix | null;
  readonly asn: number | null;
  readonly kind: string | null;
  readonly name: string | null;
  readonly tag: readonly string[];
  readonly since: number | null;
  readonly until: number | null;
}

/** Filters of own and of public results. */
function sharedQuery({ agent, target, asn, kind, name, tag, since, until }: Shared): Query {
  return {
    agent: agent ?? undefined,
    target: target === null ? undefined : formatPrefix(target),
    asn: asn?.toString(),
    kind: kind ?? undefined,
    name: name ?? undefined,
    tag: tag.length === 0 ? undefined : tag.join(","),
    since: isoTime(since),
    until: isoTime(until),
  };
}

function isoTime(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : new Date(timeMs).toISOString();
}

async function list(session: GatewaySession, limit: number, query: Query): Promise<ExitCode> {
  const gateway = await session.open();
  const output = session.output(measurementColumns);
  const order = { path: "/api/measurements", schema: measurementSchema, query, limit };
  for await (const one of pages(gateway, order, session.signal)) {
    output.add(one);
    if (output.rows >= limit) {
      break;
    }
  }
  output.finish();
  if (output.rows === 0) {
    session.note(noneNote(query));
  }
  return exitCodes.ok;
}

/** Null and unset filters are left out; the limit and the fold narrow nothing. */
function noneNote(query: Query): string {
  const { fold: _fold, sort: _sort, reverse: _reverse, ...filters } = query;
  return Object.values(filters).every((value) => value === undefined)
    ? "there are none"
    : "nothing matches these filters";
}

async function listPublic(session: GatewaySession, limit: number, query: Query): Promise<ExitCode> {
  const gateway = await session.open();
  const output = session.output(publicColumns);
  for await (const one of pages(
    gateway,
    { path: "/api/public", schema: publicSchema, query, limit },
    session.signal,
  )) {
    output.add(one);
    if (output.rows >= limit) {
      break;
    }
  }
  output.finish();
  if (output.rows === 0) {
    session.note(noneNote(query));
  }
  return exitCodes.ok;
}

const publicSchema = v.pick(sharedItemAnswer, [
  "kind",
  "id",
  "title",
  "tags",
  "started_at",
  "public_at",
  "licence",
]);

function idOf({ kind, id }: Pick<v.InferOutput<typeof publicSchema>, "kind" | "id">, wanted: typeof kind) {
  return kind === wanted ? id : null;
}

const publicColumns: readonly Column<v.InferOutput<typeof publicSchema>>[] = [
  { name: "kind", head: "kind", value: ({ kind }) => kind },
  { name: "measurement_id", head: "id", value: (one) => idOf(one, "measurement"), cell: ({ id }) => id },
  { name: "campaign_id", head: null, value: (one) => idOf(one, "campaign") },
  { name: "title", head: "what", value: ({ title }) => title },
  { name: "tags", head: "tags", value: ({ tags }) => tags, text: ({ tags }) => tags.join(" ") },
  {
    name: "started_at",
    head: "started (UTC)",
    value: (one) => one.started_at,
    cell: (one) => timeInWords(one.started_at),
  },
  {
    name: "public_at",
    head: "public since",
    value: (one) => one.public_at,
    cell: (one) => timeInWords(one.public_at ?? ""),
  },
  { name: "licence", head: "licence", value: ({ licence }) => licence },
];

interface PageOrder<Schema extends v.GenericSchema> {
  readonly path: string;
  readonly schema: Schema;
  readonly query: Query;
  readonly limit: number;
}

async function* pages<Schema extends v.GenericSchema>(
  gateway: Gateway,
  { path, schema, query, limit }: PageOrder<Schema>,
  signal: AbortSignal,
): AsyncGenerator<v.InferOutput<Schema>> {
  let next: Query | null = { ...query, limit: String(Math.min(limit, measurementsOfPage)) };
  while (next !== null) {
    const response = await gateway.request(path, { query: next, signal });
    yield* rowsOf(await response.json(), schema);
    next = nextPageQuery(response.headers.get("link"), gateway.address);
  }
}

function rowsOf<Schema extends v.GenericSchema>(answer: unknown, schema: Schema): v.InferOutput<Schema>[] {
  const parsed = v.safeParse(v.array(schema), answer);
  if (!parsed.success) {
    throw clientSide("badAnswer", "The gateway lists measurements in another form; is it of this version?");
  }
  return parsed.output;
}
