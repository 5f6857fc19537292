/** The query of GET /api/measurements, compatible with existing clients. An empty value means the default. */
import * as v from "valibot";
import { isWritableTime } from "../../../../lib/base/api/fields.ts";
import { pageQuery } from "../../../../lib/engines/http/page.ts";
import { parseAsn } from "../../../../lib/measuring/context/asn.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import { pageRowsDefault, pageRowsMax, searchCharsMax } from "../limits.ts";

/** Existing clients send `in-progress` for `queued` or `running`. */
const listStatuses = [
  "queued",
  "running",
  "in-progress",
  "complete",
  "cancelled",
  "failed",
  "expired",
] as const;
export type ListStatus = (typeof listStatuses)[number];

const limit = v.pipe(
  v.string(),
  v.regex(/^(-?\d{1,9})?$/, "must be a whole number"),
  v.transform((text) => (text === "" ? pageRowsDefault : Math.min(pageRowsMax, Math.max(1, Number(text))))),
);

const status = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .toLowerCase()
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== ""),
  ),
  v.check((words) => words.every(isListStatus), `must be some of ${listStatuses.join(",")}`),
  v.transform((words) => words.filter(isListStatus)),
);

/** RFC 3339, `YYYY-MM-DD HH:MM:SS` or `YYYY-MM-DD`; without a zone, UTC. */
export const timeInput = v.pipe(
  v.string(),
  v.check(
    (text) => text === "" || timeOf(text) !== null,
    "must be RFC 3339, YYYY-MM-DD HH:MM:SS or YYYY-MM-DD",
  ),
  v.transform(timeOf),
);

export const flagInput = v.pipe(
  v.string(),
  v.check((text) => /^(true|1|false|0|)$/i.test(text), "must be true or false"),
  v.transform((text) => text.toLowerCase() === "true" || text === "1"),
);

const sort = v.pipe(
  v.string(),
  v.check((text) => ["", "updated", "started"].includes(text), "must be updated or started"),
  v.transform((text) => (text === "started" ? "started" : "updated")),
);

const cursor = v.pipe(
  v.string(),
  v.check((text) => text === "" || cursorOf(text) !== null, "must come from a Link of an earlier answer"),
  v.transform(cursorOf),
);

/** Text to search for. */
const words = plainText(searchCharsMax);

const targetInput = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => text === "" || parsePrefix(text) !== null,
    "must be an address, or a prefix without host bits",
  ),
);

const asnInput = v.pipe(
  v.string(),
  v.check((text) => text === "" || parseAsn(text) !== null, "must be an AS number, as 64500 or AS64500"),
  v.transform((text) => (text === "" ? null : parseAsn(text))),
);

export const listQuerySchema = v.object({
  limit: v.optional(limit, ""),
  status: v.optional(status, ""),
  since: v.optional(timeInput, ""),
  until: v.optional(timeInput, ""),
  agent: v.optional(v.string(), ""),
  id: v.pipe(
    v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f-]{0,36}$/i, "must be the beginning of an id")), ""),
    v.description("Only those whose id begins so"),
  ),
  target: v.pipe(
    v.optional(targetInput, ""),
    v.description(
      "An address or a prefix: only measurements with probes to it. Those of more than 1,024 destinations are kept " +
        "as networks, and may be found though they leave the address out",
    ),
  ),
  asn: v.pipe(
    v.optional(asnInput, ""),
    v.description(
      "An AS number: only measurements with probes to its addresses, by the gateway's newest set of context. Of each " +
        "network that is kept, 16 addresses across it are looked up",
    ),
  ),
  kind: v.optional(v.pipe(v.string(), v.picklist(["", "trace", "ping"], "must be trace or ping")), ""),
  name: v.pipe(v.optional(words, ""), v.description("Only those whose name or note holds this text")),
  tag: v.pipe(v.optional(words, ""), v.description("Only those with all of these tags, with commas")),
  campaign: v.pipe(
    v.optional(v.union([v.literal(""), v.pipe(v.string(), v.uuid("must be an id"), v.toLowerCase())]), ""),
    v.description("Only what this campaign or discovery measured"),
  ),
  by_hand: v.pipe(
    v.optional(flagInput, ""),
    v.description(
      "true: without those of campaigns, experiments and other tokens than the one in use: what a person made",
    ),
  ),
  fold: v.pipe(
    v.optional(flagInput, ""),
    v.description("true: the newest measurement of a campaign stands for all, if no status is asked for"),
  ),
  count: pageQuery.count,
  sort: v.optional(sort, ""),
  reverse: v.optional(flagInput, ""),
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

function cursorOf(text: string): Cursor | null {
  const [, at, id] = cursorForm.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  return at === undefined || id === undefined ? null : { at, id };
}

const timeForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;

function timeOf(text: string): Date | null {
  const match = timeForm.exec(text);
  const isWhole = text.length === 10 || match?.[1] !== undefined;
  const date = new Date(`${text.replace(" ", "T")}${isWhole ? "" : "Z"}`);
  return match !== null && isWritableTime(date.getTime()) ? date : null;
}

function isListStatus(word: string): word is ListStatus {
  return listStatuses.some((known) => known === word);
}
