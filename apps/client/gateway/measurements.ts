/** `vantage measurements`: the user's own, page by page. */
import * as v from "valibot";
import { type OptionValues, UsageError } from "../../../lib/config/command-line.ts";
import { choiceOf, numberOf, timeMsOf } from "../../../lib/config/option-values.ts";
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { clientSide } from "../../../lib/gateway-client/gateway-error.ts";
import { exitCodes } from "../failure.ts";
import { measurementsDefault, measurementsMax, measurementsOfPage } from "../limits.ts";
import { type Measurement, measurementSchema } from "./answers.ts";
import { gatewayCommand } from "./command.ts";
import { measurementColumns } from "./measurement-columns.ts";
import type { Session } from "./session.ts";

const sorts = ["updated", "started"] as const;

const table = {
  limit: { type: "string", short: "n", value: "N", meaning: "how many at most (default 20)" },
  status: {
    type: "string",
    value: "LIST",
    meaning: "only these, with commas: queued, running, complete, cancelled, failed, expired",
  },
  agent: { type: "string", short: "a", value: "ID", meaning: "only those of this agent" },
  since: {
    type: "string",
    value: "TIME",
    meaning: "started then or later: 30m, 2d (ago), or 2026-01-31T12:00:00Z",
  },
  until: { type: "string", value: "TIME", meaning: "started then or before" },
  sort: {
    type: "string",
    values: sorts,
    value: "BY",
    meaning: "updated (default) or started, the newest first",
  },
  reverse: { type: "boolean", meaning: "the oldest first" },
} as const;

interface Options {
  readonly limit: number;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export const { run, options } = gatewayCommand({
  name: "measurements",
  purpose: "list your measurements",
  usage: "[options]",
  options: table,
  more: `Examples
  vantage measurements
  vantage measurements --since=1d --status=queued,running -a west
  vantage measurements -o ndjson -n 1000 | jq -r .measurement_id`,
  check: checked,
  act: list,
});

function checked(values: OptionValues<typeof table>, positionals: readonly string[]): Options {
  if (positionals.length > 0) {
    throw new UsageError(
      `measurements takes options only; one of them is shown by: vantage show ${positionals[0]}`,
    );
  }
  const nowMs = Date.now();
  const time = (option: string, text: string | undefined) =>
    text === undefined ? undefined : new Date(timeMsOf(option, text, nowMs)).toISOString();
  return {
    limit:
      values.limit === undefined
        ? measurementsDefault
        : numberOf("--limit", values.limit, [1, measurementsMax]),
    query: {
      status: values.status,
      agent: values.agent,
      since: time("--since", values.since),
      until: time("--until", values.until),
      sort: values.sort === undefined ? undefined : choiceOf("--sort", values.sort, sorts),
      reverse: values.reverse === true ? "true" : undefined,
    },
  };
}

async function list(session: Session, { limit, query }: Options): Promise<number> {
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

  async function* pages(
    from: Gateway,
    first: Options["query"],
    signal: AbortSignal,
  ): AsyncGenerator<Measurement> {
    let next: Options["query"] | null = { ...first, limit: String(Math.min(limit, measurementsOfPage)) };
    while (next !== null) {
      const response = await from.request("/api/measurements", { query: next, signal });
      yield* measurementsOf(await response.json());
      next = nextPage(response.headers.get("link"), from.address);
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

/** The question behind `<…?cursor=…>; rel="next"` (RFC 8288); the address is ours, whatever it says there. */
function nextPage(link: string | null, address: string): Readonly<Record<string, string>> | null {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? "") ?? [];
  return target === undefined ? null : Object.fromEntries(new URL(target, address).searchParams);
}
