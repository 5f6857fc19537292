/**
 * `export.json`: an export's content and origin. It does not contain its own creation time, so that the same results
 * give the same bytes.
 */
import * as v from "valibot";
import { sourceSchema } from "../../../../lib/measuring/context/disk/context-folder.ts";

export const descriptionName = "export.json";

export const descriptionSchema = v.object({
  format: v.literal("vantage-export-1"),
  measurement_id: v.string(),
  title: v.string(),
  /** Whether the measurement had ended. */
  complete: v.nullable(v.boolean()),
  /** Null = from a column store. */
  gateway: v.nullable(v.string()),
  versions: v.object({ vantage: v.string(), column_store: v.nullable(v.string()) }),
  seed: v.nullable(v.number()),
  licence: v.nullable(v.string()),
  authors: v.array(v.string()),
  /** Sets that apply to the days; an earlier day's set where a day has none. */
  context_sets: v.array(
    v.object({
      date: v.string(),
      days: v.array(v.string()),
      made_at: v.string(),
      /** SHA-256 of each file of the set. */
      files: v.record(v.string(), v.string()),
      sources: v.array(sourceSchema),
    }),
  ),
  /** Replies that are in no file: docs/internals/store.md. */
  unattributed: v.object({ ambiguous: v.number(), early: v.number() }),
  files: v.array(v.object({ path: v.string(), rows: v.number() })),
});

export type Description = v.InferOutput<typeof descriptionSchema>;
