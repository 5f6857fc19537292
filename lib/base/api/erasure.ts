/** A gateway's response to a user's erasure: what was removed, and what remains where, until when. */
import * as v from "valibot";

export const erasureAnswer = v.object({
  user_hash: v.string(),
  erased: v.array(
    v.object({
      place: v.string(),
      what: v.string(),
      rows: v.pipe(v.nullable(v.number()), v.description("Null where they were not counted")),
    }),
  ),
  remains: v.array(
    v.object({
      place: v.string(),
      what: v.string(),
      until: v.pipe(v.nullable(v.string()), v.description("When it is dropped; null = see the text")),
    }),
  ),
});

/** PostgreSQL, embedded or a server, erases no bytes in place: it overwrites them later. */
export const leftInDatabase = {
  place: "database",
  what:
    "removed rows in files and in the write-ahead log (hash, contact, webhooks and their secrets), which no query " +
    "reads, until PostgreSQL writes over them",
  until: null,
};

export const leftInBackups = {
  place: "backups",
  what: "all of it, in those of before this moment; after you restore one, erase the user again",
  until: null,
};
