/** Writes the parts of an export, in this order: replies by day, probes, the request, the descriptions. */
import type { ResultSource } from "../../../../lib/answers/results/result-source.ts";
import { type ViewName, viewOf } from "../../../../lib/answers/results/views.ts";
import { grouped } from "../../../../lib/base/terminal/figures.ts";
import { cannot } from "../../../../lib/command/command/command-error.ts";
import type { Unattributed } from "../../../../lib/engines/store/clickhouse/attributed-replies.ts";
import type { ReplyFilter } from "../../../../lib/engines/store/clickhouse/reply-filter.ts";
import { ContextFolder } from "../../../../lib/measuring/context/disk/context-folder.ts";
import { type Description, descriptionName } from "./description.ts";
import type { FrozenFolder } from "./frozen-folder.ts";
import type { ExportOrder } from "./options.ts";
import { rowsOfParquetFile } from "./parquet-file.ts";
import { firstRow, resultDays } from "./result-days.ts";
import { citationBibtex, citationFile, readme } from "./texts.ts";

/** The results' measurement and source. */
export interface FrozenSource {
  readonly results: ResultSource;
  readonly measurementId: string;
  /** The gateway's description of the measurement; null = from a column store, which has none. */
  readonly request: { readonly gateway: string; readonly answer: unknown; readonly isEnded: boolean } | null;
  readonly versions: Description["versions"];
}

interface FreezeOrder extends Pick<ExportOrder, "terms" | "contextFolder"> {
  readonly signal: AbortSignal;
  /** Shows the current step in a line. */
  readonly onProgress: (text: string) => void;
}

interface FrozenRows {
  readonly files: Description["files"];
  readonly days: readonly string[];
  readonly unattributed: Unattributed;
}

/** Rejects with CommandError, like the source, and with the signal's reason. */
export async function freeze(
  source: FrozenSource,
  order: FreezeOrder,
  folder: FrozenFolder,
): Promise<Description> {
  const { measurementId, request, versions } = source;
  const rows = await freezeRows(source, order, folder);
  const { licence, authors, title, seed } = order.terms;
  const description: Description = {
    ...{ format: "vantage-export-1", measurement_id: measurementId },
    ...{ title: title ?? `Vantage measurement ${measurementId}`, authors: [...authors], licence, seed },
    ...{ complete: request?.isEnded ?? null, gateway: request?.gateway ?? null, versions },
    context_sets: order.contextFolder === null ? [] : contextSetsOf(order.contextFolder, rows.days),
    ...{ unattributed: rows.unattributed, files: rows.files },
  };
  const lastDay = rows.days.at(-1) ?? "1970-01-01";
  if (request !== null) {
    folder.addText("measurement.json", jsonOf(request.answer));
  }
  folder.addText(descriptionName, jsonOf(description));
  folder.addText("CITATION.cff", citationFile(description, lastDay));
  folder.addText("citation.bib", citationBibtex(description, lastDay));
  folder.addText("README.md", readme(description));
  return description;
}

async function freezeRows(
  source: FrozenSource,
  order: FreezeOrder,
  folder: FrozenFolder,
): Promise<FrozenRows> {
  const { results, measurementId } = source;
  const days: string[] = [];
  const files: Description["files"] = [];
  const unattributed = { ambiguous: 0, early: 0 };
  const freezeView = async (path: string, view: ViewName, filter: ReplyFilter) => {
    const answer = await results.ask(viewOf(view), { filter, limit: null }, "parquet");
    let bytes = 0;
    const at = await folder.add(path, answer.texts, (more) => {
      order.signal.throwIfAborted();
      bytes += more;
      order.onProgress(`${path}: ${grouped(Math.ceil(bytes / 1000))} kB`);
    });
    files.push({ path, rows: rowsOfParquetFile(at) });
    return await answer.unattributed();
  };
  for await (const { day, sinceMs, untilMs } of resultDays(results, measurementId)) {
    const left = await freezeView(`replies/${day}.parquet`, "replies", { measurementId, sinceMs, untilMs });
    days.push(day);
    unattributed.ambiguous += left.ambiguous;
    unattributed.early += left.early;
  }
  if (days.length === 0) {
    throw cannot(
      `Cannot export ${measurementId}: nothing has come back yet, or it is kept no longer (see: vantage show)`,
    );
  }
  if ((await firstRow(results, "probes", { measurementId })).length > 0) {
    await freezeView("probes.parquet", "probes", { measurementId });
  }
  return { files, days, unattributed };
}

/** The sets that apply to these days; throws CommandError where the folder has none. */
function contextSetsOf(path: string, days: readonly string[]): Description["context_sets"] {
  const folder = new ContextFolder(path);
  const daysOf = Map.groupBy(days, (day) => folder.dateFor(day));
  return [...daysOf].map(([date, own]) => {
    if (date === null) {
      throw cannot(
        `No set of context in ${path}: make one with vantage context update, or leave out --context`,
      );
    }
    const { made_at, files, sources } = folder.manifest(date);
    return { date, days: own, made_at, files, sources };
  });
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
