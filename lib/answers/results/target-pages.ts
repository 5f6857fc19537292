/** Pages of a view that is computed by destination, in order. */
import { type SplitFilter, splitFilter } from "../../engines/store/clickhouse/history-filter.ts";
import {
  type CampaignRun,
  probeCondition,
  type ReplyFilter,
} from "../../engines/store/clickhouse/reply-filter.ts";
import { repliesFrom } from "../../engines/store/clickhouse/reply-source.ts";
import {
  inWindow,
  type TargetWindow,
  targetWindows,
  type WindowSize,
} from "../../engines/store/clickhouse/target-windows.ts";
import { isColumnForm } from "../../measuring/formats/forms.ts";
import type { ContextField } from "../enrich/context-fields.ts";
import { type ChosenSources, chosenSources } from "./chosen-sources.ts";
import { figureDestinationsMax, windowsAtOnce } from "./limits.ts";
import { type SqlColumn, selectOf, wholePage } from "./sql-columns.ts";
import type { Page, PageForm, ViewText } from "./view.ts";

/** The parts after FROM for the replies and the probes of a window. */
export interface WindowSources {
  readonly replies: string;
  readonly probes: string;
  /** Whether rows end with their context keys (context-pages.ts). */
  readonly isContextAsked: boolean;
  /** Runs of a campaign; null = not in the filter. */
  readonly runs: readonly CampaignRun[] | null;
  /** The source that an agent chose, by the columns `agent` and `dst`; null = none is known, or asked for. */
  readonly chosenSource: string | null;
  /** A condition for rows of `measure.history` that are read besides; null = none. */
  readonly history: string | null;
}

interface TargetRows extends Omit<WindowSize, "limit"> {
  /** The rows of a window in their order, without a limit. */
  readonly rows: (sources: WindowSources, form: PageForm) => string;
  /**
   * Converts a window's rows from JSON lines if the store does not write the final text; it does write brief ones.
   */
  readonly made?: (
    rows: Page,
    form: PageForm,
    fields: readonly ContextField[],
  ) => AsyncIterable<Page> | Iterable<Page>;
  /** Rows are JSON lines in every form, also `brief`, with tuples as lists, which parse faster. */
  readonly asLists?: boolean;
  /** Whole rows have the source of their probes. */
  readonly hasSources?: boolean;
  /** Reads the history where raw rows have expired. */
  readonly hasHistory?: boolean;
}

/** Figures by agent and destination: `found` yields a window's rows, `order` names their columns. */
export function figurePages(
  columns: readonly SqlColumn[],
  found: (sources: WindowSources) => string,
  order: string,
  more: Pick<TargetRows, "hasHistory"> = {},
): ViewText["pages"] {
  return targetPages({
    rows: (sources, form) =>
      `SELECT ${selectOf(columns, form)} FROM (${found(sources)}) AS found ORDER BY ${order}`,
    destinationsMax: figureDestinationsMax,
    ...more,
  });
}

export function targetPages(view: TargetRows): ViewText["pages"] {
  const { rows, destinationsMax, made, asLists = false, hasSources = false, hasHistory = false } = view;
  return async function* pages(ask, { filter, limit, with: fields = [] }, form) {
    const isMade = made !== undefined && form !== "brief";
    const isWhole = form === "ndjson" || isMade || isColumnForm(form);
    const chosen = hasSources && isWhole ? await chosenSources(ask, filter) : null;
    const split = hasHistory
      ? await ask((store) => splitFilter(store, filter, Date.now()))
      : { raw: filter, history: null };
    let left = limit ?? Number.POSITIVE_INFINITY;
    const read = (window: TargetWindow) => {
      const { sources, params } = sourcesOf(filter, window, {
        ...{ split, chosen, isContextAsked: fields.length > 0 },
      });
      // Each window may use the whole rest of the limit, as the rows of earlier windows are not known yet.
      const limited = `${rows(sources, form)} ${Number.isFinite(left) ? `LIMIT ${left}` : ""}`;
      const query = { sql: limited, params, areTuplesLists: asLists };
      return ask((store) => wholePage(store, query, isMade || asLists ? "ndjson" : form));
    };
    const windows = targetWindows(ask, split.raw, { limit, destinationsMax, history: split.history });
    let isNamed = !isColumnForm(form);
    // A columnar file cannot be cut, so the rest of the limit must be known.
    for await (const page of inTurn(windows, isNamed ? windowsAtOnce : 1, read)) {
      isNamed = true;
      const wanted = firstRows(page, left);
      yield* isMade ? made(wanted, form, fields) : [wanted];
      left -= wanted.rows;
      if (left <= 0) {
        return;
      }
    }
    if (!isNamed) {
      yield await read(noTarget);
    }
  };
}

/** An empty range, for the names of columns without rows. */
const noTarget: TargetWindow = { first: "f".repeat(32), last: "0".repeat(32) };

interface Asked {
  readonly isContextAsked: boolean;
  readonly chosen: ChosenSources | null;
  readonly split: SplitFilter;
}

function sourcesOf(filter: ReplyFilter, window: TargetWindow, { isContextAsked, chosen, split }: Asked) {
  const { raw, history } = split;
  const own = inWindow(window);
  const [replies, probes] = [repliesFrom(raw, { sql: own, params: {} }), probeCondition(raw)];
  const from = { replies: replies.sql, probes: `measure.probes WHERE ${probes.sql} AND ${own}` };
  return {
    sources: {
      ...{ ...from, isContextAsked, runs: filter.runs ?? null, chosenSource: chosen?.sql ?? null },
      history: history === null ? null : `${history.sql} AND ${own}`,
    },
    params: { ...replies.params, ...probes.params, ...chosen?.params, ...history?.params },
  };
}

function firstRows({ bytes, rows }: Page, most: number): Page {
  if (rows <= most) {
    return { bytes, rows };
  }
  let end = 0;
  for (let row = 0; row < most; row++) {
    end = bytes.indexOf(newline, end) + 1;
  }
  return { bytes: bytes.subarray(0, end), rows: most };
}

const newline = 10;

/**
 * Maps items with limited concurrency, also while one is processed, so that store and reader work in parallel.
 */
async function* inTurn<Item, Made>(
  items: AsyncIterable<Item>,
  atOnce: number,
  make: (item: Item) => Promise<Made>,
): AsyncGenerator<Made, void, undefined> {
  const begun: Promise<Made>[] = [];
  try {
    for await (const item of items) {
      const made = make(item);
      // A failure reaches the awaiter; this prevents an unhandled rejection.
      made.catch(() => undefined);
      begun.push(made);
      if (begun.length >= atOnce) {
        yield await (begun.shift() as Promise<Made>);
      }
    }
    for (const made of begun) {
      yield await made;
    }
  } finally {
    await Promise.allSettled(begun);
  }
}
