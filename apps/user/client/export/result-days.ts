/** The UTC days on which a measurement has rows, with their time ranges: the same query for a store and a gateway. */
import type { ResultSource } from "../../../../lib/answers/results/result-source.ts";
import { viewOf } from "../../../../lib/answers/results/views.ts";

interface ResultDay {
  /** `2026-11-22`. */
  readonly day: string;
  /** Milliseconds since the epoch, half-open. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

const dayMs = 86_400_000;

/** The oldest first. Rejects like the source. */
export async function* resultDays(
  source: ResultSource,
  measurementId: string,
): AsyncGenerator<ResultDay, void, undefined> {
  let day = await nextDay(source, measurementId, 0);
  while (day !== null) {
    yield day;
    day = await nextDay(source, measurementId, day.untilMs);
  }
}

async function nextDay(
  source: ResultSource,
  measurementId: string,
  sinceMs: number,
): Promise<ResultDay | null> {
  const [row] = await firstRow(source, "replies", { measurementId, sinceMs });
  if (row === undefined) {
    return null;
  }
  const { time_received: time } = JSON.parse(row) as { time_received: string };
  const day = time.slice(0, 10);
  const startMs = Date.parse(`${day}T00:00:00Z`);
  return { day, sinceMs: startMs, untilMs: startMs + dayMs };
}

/** None, or the first, as a line of JSON. */
export async function firstRow(
  source: ResultSource,
  view: "replies" | "probes",
  filter: { readonly measurementId: string; readonly sinceMs?: number },
): Promise<string[]> {
  const { texts } = await source.ask(viewOf(view), { filter, limit: 1 }, "ndjson");
  const text = Buffer.concat(await Array.fromAsync(texts)).toString();
  return text.split("\n").filter((line) => line !== "");
}
