/** Rows of results out of JSON lines, as they arrive. */

import { clientSide } from "../gateway-client/gateway-error.ts";
import { textLines } from "../gateway-client/text-lines.ts";

/** Which rows; a gateway without this field of context, or this filter, reports that. */
export interface ResultFilter {
  /**
   * What the id is of; default a measurement. A campaign has `series`, `heatmap`, `changes`, `links`, `nodes` and
   * `graph`.
   */
  readonly of?: "measurement" | "campaign";
  readonly agent?: string;
  /** An address or a prefix. */
  readonly destination?: string;
  readonly since?: string | Date;
  readonly until?: string | Date;
  /** Default: all of them. */
  readonly limit?: number;
  /** Context of addresses: `asn`, `ixp`, `geo`, `rpki`, `name`, `path`. */
  readonly with?: readonly string[];
}

/** The most rows that can be requested. */
const rowsMax = Number.MAX_SAFE_INTEGER;
/** A line has a path or a trace with all its replies: a million of them at most. */
const lineCharsMax = 256 * 1024 * 1024;

type Query = Readonly<Record<string, string | number | undefined>>;

export function filterQuery(filter: ResultFilter): Query {
  const { agent, destination, since, until, limit = rowsMax, with: fields = [] } = filter;
  return {
    agent,
    destination,
    since: timeText(since),
    until: timeText(until),
    limit,
    with: fields.length === 0 ? undefined : fields.join(),
  };
}

function timeText(time: string | Date | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}

/** Rejects with GatewayError `badAnswer` for a line that is not JSON, and as `pieces` does. */
export async function* jsonLines<Row>(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row, void, undefined> {
  for await (const line of textLines(pieces, checkLength)) {
    yield rowOf<Row>(line);
  }
}

function checkLength(unended: string): void {
  if (unended.length > lineCharsMax) {
    throw clientSide(
      "badAnswer",
      `A row has more than ${lineCharsMax} characters: request fewer of its parts`,
    );
  }
}

function rowOf<Row>(line: string): Row {
  try {
    return JSON.parse(line) as Row;
  } catch (cause) {
    throw clientSide("badAnswer", "The gateway sends a row that is not JSON: it was cut off", cause);
  }
}
