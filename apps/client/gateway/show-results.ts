/**
 * `vantage replies` through the gateway: what it has of one measurement, in one view.
 *
 * For programs the gateway writes the text that is printed, but that CSV is cleaned here too; a table is made of rows.
 */
import type { Gateway } from "../../../lib/gateway-client/gateway.ts";
import { jsonRows, textLines } from "../../../lib/gateway-client/text-lines.ts";
import { formatPrefix } from "../../../lib/ip/prefix.ts";
import { catchmentColumns, lossColumns } from "../../../lib/results/figure-columns.ts";
import { readCatchmentRow, readLossRow, readPathRow } from "../../../lib/results/read-figure-rows.ts";
import { readReplyRow } from "../../../lib/results/read-reply-row.ts";
import { replyColumns } from "../../../lib/results/reply-columns.ts";
import { readUnattributed, unattributedTexts } from "../../../lib/results/unattributed.ts";
import { csvLines } from "../../../lib/terminal/foreign-text.ts";
import type { Column } from "../../../lib/terminal/rows-output.ts";
import { exitCodes } from "../failure.ts";
import { lossText } from "../replies/loss-text.ts";
import type { Options } from "../replies/options.ts";
import { pathText } from "../replies/path-text.ts";
import type { Session } from "./session.ts";

export type ResultsOrder = Pick<Options, "view" | "filter" | "limit"> & { readonly id: string };

/** Resolves to the exit code. Rejects with GatewayError. */
export async function showResults(session: Session, order: ResultsOrder): Promise<number> {
  const gateway = await session.open();
  if (session.format !== "table") {
    const response = await ask(session, gateway, order, session.format);
    for await (const text of textLines(response)) {
      session.screen.print(session.format === "csv" ? csvLines(text) : text);
    }
    noteUnattributed(session, response);
    return exitCodes.ok;
  }
  const response = await ask(session, gateway, order, "ndjson");
  const rows = await showTable(session, response, order);
  noteUnattributed(session, response);
  if (rows === 0) {
    session.note("nothing found: replies may be on their way, or kept no longer");
  } else if (rows >= order.limit) {
    session.note(`shown are the first ${rows}; there may be more (see: --limit)`);
  }
  return exitCodes.ok;
}

function noteUnattributed(session: Session, { headers }: Response): void {
  for (const text of unattributedTexts(readUnattributed(headers))) {
    session.note(text);
  }
}

async function ask(
  session: Session,
  gateway: Gateway,
  { id, view, filter, limit }: ResultsOrder,
  format: string,
): Promise<Response> {
  const { agent, destination, sinceMs } = filter;
  const query = {
    agent,
    destination: destination === undefined ? undefined : formatPrefix(destination),
    since: sinceMs === undefined ? undefined : new Date(sinceMs).toISOString(),
    limit,
    format,
  };
  return await gateway.request(`/api/measurements/${id}/${view}`, { query, signal: session.signal });
}

/** Resolves to the number of rows, or paths. */
async function showTable(session: Session, response: Response, { view }: ResultsOrder): Promise<number> {
  switch (view) {
    case "replies":
      return await showRows(session, jsonRows(response, readReplyRow), replyColumns);
    case "catchment":
      return await showRows(session, jsonRows(response, readCatchmentRow), catchmentColumns);
    case "loss": {
      const rows = await Array.fromAsync(jsonRows(response, readLossRow));
      session.printRows(lossColumns, rows);
      if (rows.length > 0) {
        session.screen.print(lossText(rows));
      }
      return rows.length;
    }
    case "paths": {
      let count = 0;
      for await (const drawing of jsonRows(response, readPathRow)) {
        session.screen.print(pathText(drawing, session.palette));
        count++;
      }
      return count;
    }
  }
}

async function showRows<Row>(
  session: Session,
  rows: AsyncIterable<Row>,
  columns: readonly Column<Row>[],
): Promise<number> {
  const output = session.output(columns);
  for await (const row of rows) {
    output.add(row);
  }
  output.finish();
  return output.rows;
}
