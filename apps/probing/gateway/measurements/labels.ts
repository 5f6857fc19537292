/** Users' labels of measurements: a name, tags and a note, set with a submission or later. */
import type { TransactionSql } from "postgres";
import * as v from "valibot";
import type { Owned } from "../../../../lib/engines/http/owned.ts";
import type { Database } from "../../../../lib/engines/store/postgres/open.ts";
import { plainText } from "../../../../lib/measuring/probing/plain-text.ts";
import { checkStored } from "../../campaigns/stored-bytes.ts";
import {
  measurementNameCharsMax,
  measurementNoteCharsMax,
  measurementTagCharsMax,
  measurementTagsMax,
} from "../limits.ts";
import { unknownMeasurement } from "./find-measurement.ts";

/** Line breaks, bidirectional controls and invisible characters: a name is shown in a row among others. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

function line(charsMax: number) {
  return v.pipe(
    plainText(charsMax),
    v.check((text) => !unseen.test(text), "must be one line without control characters"),
    v.trim(),
  );
}

const tag = v.pipe(
  line(measurementTagCharsMax),
  v.check((text) => text !== "" && !text.includes(","), "must be a word without commas"),
);

/** Each once, in order. */
const tagList = v.pipe(
  v.array(tag),
  v.transform((tags) => [...new Set(tags)]),
  v.maxLength(measurementTagsMax, `must be at most ${measurementTagsMax} tags`),
);

const name = line(measurementNameCharsMax);
const note = plainText(measurementNoteCharsMax);

/** In a query, where an empty value counts as absent. */
export const labelQuery = {
  name: v.pipe(v.optional(name, ""), v.description("What its user calls the measurement")),
  tags: v.pipe(
    v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => text.split(",").filter((one) => one.trim() !== "")),
        tagList,
      ),
      "",
    ),
    v.description("With commas, to find it again"),
  ),
  note: v.optional(note, ""),
} as const;

/** In a body: absent members stay unchanged, and an empty name or note is removed. */
export const labelBody = v.strictObject({
  name: v.optional(v.nullable(name)),
  tags: v.optional(tagList),
  note: v.optional(v.nullable(note)),
});

/** A measurement's labels. */
export interface Labels {
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly note: string | null;
}

export const noLabels: Labels = { name: null, tags: [], note: null };

interface Given {
  readonly name?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly note?: string | null | undefined;
}

export function labelsOf({ name = null, tags = [], note = null }: Given): Labels {
  return { name: name || null, tags, note: note || null };
}

/** Throws Problem 429 `storage_full` when they exceed the user's storage. */
export async function checkLabelRoom(
  { sql, timed }: Database,
  { labels, ...adding }: { readonly labels: Labels; readonly userHash: string; readonly bytesMax: number },
): Promise<void> {
  const bytes = bytesOf(labels);
  if (bytes > 0) {
    await timed("label_room", () => sql.begin("READ ONLY", (tx) => checkStored(tx, { ...adding, bytes })));
  }
}

interface Change {
  readonly given: Given;
  readonly bytesMax: number;
}

/** Throws Problem: 404, 429 `storage_full`. */
export function changeLabels({ sql, timed }: Database, own: Owned, change: Change): Promise<void> {
  return timed("label_change", () => sql.begin((tx) => changeIn(tx, own, change)));
}

async function changeIn(tx: TransactionSql, { userHash, id }: Owned, change: Change): Promise<void> {
  // All writers that add to the user's storage lock the user.
  await tx`SELECT FROM users WHERE user_hash = ${userHash} FOR NO KEY UPDATE`;
  const [before] = await tx<Labels[]>`
    SELECT name, tags, note FROM measurements
    WHERE measurement_id = ${id} AND user_hash = ${userHash} AND part_of IS NULL FOR UPDATE`;
  if (before === undefined) {
    throw unknownMeasurement();
  }
  const { given, bytesMax } = change;
  const left = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const labels = labelsOf({ ...before, ...left });
  const bytes = bytesOf(labels) - bytesOf(before);
  if (bytes > 0) {
    await checkStored(tx, { userHash, bytes, bytesMax });
  }
  await tx`
    UPDATE measurements SET name = ${labels.name}, tags = ${[...labels.tags]}, note = ${labels.note}
    WHERE measurement_id = ${id}`;
}

function bytesOf({ name, tags, note }: Labels): number {
  return [name ?? "", note ?? "", ...tags].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
