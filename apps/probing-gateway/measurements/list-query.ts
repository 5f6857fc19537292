/** The query of GET /api/measurements, as existing clients write it. An empty value is the default. */
import * as v from "valibot";
import { pageRowsDefault, pageRowsMax } from "../limits.ts";

export const listStatuses = ["complete", "in-progress", "cancelled", "failed", "expired"] as const;
export type ListStatus = (typeof listStatuses)[number];

const limit = v.pipe(
  v.string(),
  v.regex(/^(-?\d{1,9})?$/, "must be a whole number"),
  v.transform((text) => (text === "" ? pageRowsDefault : Math.min(pageRowsMax, Math.max(1, Number(text))))),
);

const status = v.pipe(
  v.string(),
  v.transform((text) => text.split(",").filter((word) => word.trim() !== "")),
  v.array(
    v.pipe(
      v.string(),
      v.trim(),
      v.toLowerCase(),
      v.picklist(listStatuses, `must be some of ${listStatuses.join(",")}`),
    ),
  ),
);

/** RFC 3339, `YYYY-MM-DD HH:MM:SS` or `YYYY-MM-DD`; without a zone, UTC. */
const time = v.pipe(
  v.string(),
  v.transform((text) => (text === "" ? null : timeOf(text))),
  v.nullable(v.date("must be RFC 3339, YYYY-MM-DD HH:MM:SS or YYYY-MM-DD")),
);

const flag = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.picklist(["", "true", "1", "false", "0"], "must be true or false"),
  v.transform((text) => text === "true" || text === "1"),
);

const sort = v.pipe(
  v.string(),
  v.picklist(["", "updated", "started"], "must be updated or started"),
  v.transform((text) => (text === "started" ? "started" : "updated")),
);

const cursor = v.pipe(
  v.string(),
  v.transform((text) => (text === "" ? null : cursorOf(text))),
  v.nullable(v.object({ at: v.string(), id: v.string() }, "must come from a Link of an earlier answer")),
);

export const listQuerySchema = v.object({
  limit: v.optional(limit, ""),
  status: v.optional(status, ""),
  since: v.optional(time, ""),
  until: v.optional(time, ""),
  agent: v.optional(v.string(), ""),
  sort: v.optional(sort, ""),
  reverse: v.optional(flag, ""),
  cursor: v.optional(cursor, ""),
});

export type ListQuery = v.InferOutput<typeof listQuerySchema>;

/** Where a page ends: the last row's time, as the database writes it, and its id. */
export interface Cursor {
  readonly at: string;
  readonly id: string;
}

export function cursorText({ at, id }: Cursor): string {
  return Buffer.from(`${at} ${id}`).toString("base64url");
}

/** Seconds since the epoch with six decimals, then a UUID. */
const cursorForm = /^(\d{1,12}\.\d{6}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Anything but null, an object or the text itself would pass as one. */
function cursorOf(text: string): Cursor | string {
  const [, at, id] = cursorForm.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  return at === undefined || id === undefined ? text : { at, id };
}

const timeForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;

function timeOf(text: string): Date | string {
  const match = timeForm.exec(text);
  if (match === null) {
    return text;
  }
  const isDay = text.length === 10;
  const date = new Date(
    isDay || match[1] !== undefined ? text.replace(" ", "T") : `${text.replace(" ", "T")}Z`,
  );
  return Number.isNaN(date.getTime()) ? text : date;
}
