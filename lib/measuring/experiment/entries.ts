/** Valid lines of an experiment's journal from elsewhere. Pure. */
import * as v from "valibot";
import { prependMax } from "../../base/api/announcements.ts";
import { begunExperiment } from "./begun.ts";
import { type ExperimentEntry, ExperimentLedger } from "./journal.ts";
import { actionsMax, entryTextMax, lastsSecMax, looksMax } from "./limits.ts";

const count = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max));
const text = v.pipe(v.string(), v.maxLength(entryTextMax));
/** Nanoseconds since the epoch, before the year 2262. */
const ns = v.pipe(
  v.string(),
  v.regex(/^\d{1,18}$|^[1-8]\d{18}$/, "must be nanoseconds since the epoch, as text"),
);
const span = v.pipe(v.string(), v.regex(/^\d{1,18}$/, "must be nanoseconds, as text"));
const action = count(actionsMax);
const milliseconds = v.pipe(v.number(), v.minValue(0), v.maxValue(1e6));
const ratio = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const event = v.strictObject({
  timeNs: ns,
  plane: v.picklist(["control", "data"]),
  ...{ source: text, subject: text, event: text, detail: text },
  withinNs: v.exactOptional(span),
  clock: v.exactOptional(text),
});

const entry = v.variant("kind", [
  v.strictObject({
    kind: v.literal("begun"),
    name: text,
    startMs: v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15)),
    definition: v.string(),
  }),
  v.strictObject({ kind: v.literal("asked"), action, atNs: ns }),
  v.strictObject({ kind: v.literal("done"), action, atNs: ns }),
  v.strictObject({ kind: v.literal("event"), event }),
  v.strictObject({
    ...{ kind: v.literal("round"), round: action, sites: v.record(text, v.array(text)) },
    latencies: v.exactOptional(v.record(text, milliseconds)),
  }),
  v.strictObject({
    ...{ kind: v.literal("planned"), sec: count(lastsSecMax), why: v.picklist(["learn", "try"]) },
    announced: v.record(
      text,
      v.strictObject({ prepend: count(prependMax), notTo: v.array(count(4_294_967_295)) }),
    ),
    forecast: v.array(v.strictObject({ share: ratio, low: ratio, high: ratio })),
  }),
  v.strictObject({ kind: v.literal("look"), action, number: count(looksMax), seen: v.nullable(text) }),
  v.strictObject({
    ...{ kind: v.literal("clock"), source: text },
    ...{ askedNs: ns, receivedNs: ns, sentNs: ns, answeredNs: ns },
  }),
  v.strictObject({ kind: v.literal("ended"), atNs: ns, reason: text }),
]);

/** Throws RangeError with the reason: not JSON, an unknown kind of entry, an invalid field. */
export function readEntry(line: string): ExperimentEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RangeError("is not JSON");
  }
  const { success, output, issues } = v.safeParse(entry, value);
  if (success) {
    return output;
  }
  const [issue] = issues;
  throw new RangeError(`${v.getDotPath(issue) ?? "the entry"}: ${issue.message}`);
}

/** The start entry on a line. Throws RangeError for another entry, or another definition. */
export function readBeginning(line: string) {
  const read = readEntry(line);
  if (read.kind !== "begun") {
    throw new RangeError(`is "${read.kind}": a journal begins with "begun"`);
  }
  const journal = new ExperimentLedger();
  journal.apply(read);
  const begun = begunExperiment(journal);
  if (begun === null) {
    throw new RangeError("begins nothing");
  }
  return { ...begun, name: read.name, startMs: read.startMs };
}
