/** Looks on, until Ctrl-C: replies as they are stored, or any other view drawn over and over. */
import { replyColumns } from "../../../lib/results/reply-columns.ts";
import { unattributedTexts } from "../../../lib/results/unattributed.ts";
import { followReplies } from "../../../lib/store/clickhouse/follow-replies.ts";
import type { ColumnStore } from "../../../lib/store/clickhouse/open.ts";
import type { Screen } from "../../../lib/terminal/screen.ts";
import { followMs } from "../limits.ts";
import { pause } from "../pause.ts";
import type { Options } from "./options.ts";
import { outputOf, type Show, showView } from "./show.ts";

export interface Following extends Show {
  readonly store: ColumnStore;
  readonly options: Options;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/** A measurement or a time is shown from its beginning; else only what comes from now on. Rejects with StoreError. */
export async function follow(following: Following): Promise<void> {
  if (following.options.view === "replies") {
    await followRows(following);
  } else {
    await redraw(following);
  }
}

async function followRows(following: Following): Promise<void> {
  const { store, options, signal } = following;
  const { filter } = options;
  const isWhole = filter.measurementId !== undefined || filter.sinceMs !== undefined;
  const afterNs = isWhole ? 0n : BigInt(Date.now()) * 1_000_000n;
  const output = outputOf(replyColumns, options, following);
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
  let drawn = "";
  while (!signal.aborted) {
    const lines: string[] = [];
    const { unattributed } = await showView(store, options, { palette, print: (text) => lines.push(text) });
    lines.push(...unattributedTexts(unattributed).map(palette.bad));
    drawn = lines.length === 0 ? "Nothing yet" : lines.join("\n");
    screen.draw(drawn);
    await pause(followMs, signal);
  }
  screen.clear();
  screen.print(drawn);
}
