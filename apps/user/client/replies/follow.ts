/** Follows results until Ctrl-C: replies as they are stored, or another view redrawn. */
import { followReplies } from "../../../../lib/answers/results/follow-replies.ts";
import { storeSource } from "../../../../lib/answers/results/store-source.ts";
import { unattributedTexts } from "../../../../lib/answers/results/unattributed.ts";
import { replyOutputColumns } from "../../../../lib/answers/results/views/replies.ts";
import { RowsOutput } from "../../../../lib/base/terminal/rows-output.ts";
import type { Screen } from "../../../../lib/base/terminal/screen.ts";
import { pause } from "../../../../lib/engines/gateway-client/pause.ts";
import type { ColumnStore } from "../../../../lib/engines/store/clickhouse/open.ts";
import { followMs } from "../limits.ts";
import { formatOf, type Options } from "./options.ts";
import { type Show, showView } from "./show.ts";

interface Following extends Show {
  readonly print: (text: string) => void;
  readonly store: ColumnStore;
  readonly options: Options;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** A measurement or a time is shown from its start; else only new replies. Rejects with Failure `store`. */
export async function follow(following: Following): Promise<void> {
  if (following.options.view === "replies") {
    await followRows(following);
  } else {
    await redraw(following);
  }
}

async function followRows(following: Following): Promise<void> {
  const { store, options, signal, print, palette } = following;
  const { filter } = options;
  const format = formatOf(options.format);
  const isWhole = filter.measurementId !== undefined || filter.sinceMs !== undefined;
  const afterNs = isWhole ? 0n : BigInt(Date.now()) * 1_000_000n;
  const output = new RowsOutput({ columns: replyOutputColumns(format), format, print, dim: palette.dim });
  const timer = setInterval(() => output.flush(), followMs);
  try {
    for await (const row of followReplies(store, filter, { afterNs, signal })) {
      output.add(row);
    }
  } finally {
    clearInterval(timer);
    output.finish();
  }
}

async function redraw({ store, options, screen, signal, palette }: Following): Promise<void> {
  const source = storeSource(store);
  let drawn = "";
  while (!signal.aborted) {
    const pieces: Uint8Array[] = [];
    const show = { palette, write: (bytes: Uint8Array) => pieces.push(bytes) };
    const { unattributed } = await showView(source, options, show);
    const shown = Buffer.concat(pieces).toString().trimEnd();
    const remarks = unattributedTexts(unattributed).map(palette.bad);
    drawn = [...(shown === "" ? [] : [shown]), ...remarks].join("\n") || "Nothing yet";
    screen.draw(drawn);
    await pause(followMs, signal);
  }
  screen.clear();
  screen.print(drawn);
}
