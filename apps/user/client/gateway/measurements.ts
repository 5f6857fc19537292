/** `vantage measurements`: the user's own, page by page. */
import * as v from "valibot";
import { type ExitCode, exitCodes } from "../../../../lib/command/command/exit-codes.ts";
import { gatewayCommand } from "../../../../lib/command/command/gateway/gateway-command.ts";
import type { GatewaySession } from "../../../../lib/command/command/gateway/session.ts";
import { choice, number, text, time } from "../../../../lib/command/command/kinds.ts";
import { type Measurement, measurementSchema } from "../../../../lib/engines/gateway-client/answers.ts";
import type { Gateway } from "../../../../lib/engines/gateway-client/gateway.ts";
import { clientSide } from "../../../../lib/engines/gateway-client/gateway-error.ts";
import { nextPageQuery } from "../../../../lib/engines/sdk/link.ts";
import { measurementsDefault, measurementsMax, measurementsOfPage } from "../limits.ts";
import { measurementColumns } from "./measurement-columns.ts";

type Query = Readonly<Record<string, string | undefined>>;

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
    "vantage measurements --since=1d --status=queued,running -a west",
    "vantage measurements -o ndjson -n 1000 | jq -r .measurement_id",
  ],
  act: (session, { limit, status, agent, since, until, sort, reverse }) =>
    list(session, limit, {
      status: status ?? undefined,
      agent: agent ?? undefined,
      since: isoTime(since),
      until: isoTime(until),
      sort: sort ?? undefined,
      reverse: reverse ? "true" : undefined,
    }),
});

function isoTime(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : new Date(timeMs).toISOString();
}

async function list(session: GatewaySession, limit: number, query: Query): Promise<ExitCode> {
  const gateway = await session.open();
  const output = session.output(measurementColumns);
  for await (const one of pages(gateway, query, session.signal)) {
    output.add(one);
    if (output.rows >= limit) {
      break;
    }
  }
  output.finish();
  if (output.rows === 0) {
    session.note("there are none");
  }
  return exitCodes.ok;

  async function* pages(from: Gateway, first: Query, signal: AbortSignal): AsyncGenerator<Measurement> {
    let next: Query | null = { ...first, limit: String(Math.min(limit, measurementsOfPage)) };
    while (next !== null) {
      const response = await from.request("/api/measurements", { query: next, signal });
      yield* measurementsOf(await response.json());
      next = nextPageQuery(response.headers.get("link"), from.address);
    }
  }
}

function measurementsOf(answer: unknown): Measurement[] {
  const parsed = v.safeParse(v.array(measurementSchema), answer);
  if (!parsed.success) {
    throw clientSide("badAnswer", "The gateway lists measurements in another form; is it of this version?");
  }
  return parsed.output;
}
