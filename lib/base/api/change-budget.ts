/** How often an exchange server takes a change of a prefix: docs/operate/policy-generator.md. Pure. */
import * as v from "valibot";
import { time, wholeNumber } from "./fields.ts";

/** Holds until the next change of the prefix: what is left grows by the clock alone. */
export const changeBudget = v.object({
  /** Changes in a row, when there was none for a long time. */
  max: wholeNumber(1, 1_000_000),
  /** Until one more is taken. */
  every_seconds: wholeNumber(1, 1_000_000),
  /** Some are spent until then; null = none is. */
  spent_until: v.nullable(time),
  /** The prefix has changed too often, and is refused until then. */
  held_until: v.nullable(time),
});

export type ChangeBudget = v.InferOutput<typeof changeBudget>;

/**
 * What an exchange takes unless its operator says otherwise. RFC 7196 s.4 has routers damp a route from a penalty of
 * 6,000 on, which six withdrawals in a row make; one change in ten minutes never gets there.
 */
export const usualChangeBudget: ChangeBudget = {
  max: 5,
  every_seconds: 600,
  spent_until: null,
  held_until: null,
};

interface ChangesLeft {
  readonly left: number;
  /** When there is one more, in milliseconds since the epoch; null = none is spent. */
  readonly oneMoreAtMs: number | null;
}

/** What is left at `nowMs`, if nobody has changed the prefix since the exchange said this. None while it is held. */
export function changesLeft(
  { max, every_seconds: everySec, spent_until: spentUntil, held_until: heldUntil }: ChangeBudget,
  nowMs: number,
): ChangesLeft {
  const fullAtMs = spentUntil === null ? nowMs : Math.max(nowMs, Date.parse(spentUntil));
  const heldUntilMs = heldUntil === null ? nowMs : Date.parse(heldUntil);
  const spent = Math.min(max, Math.ceil((fullAtMs - nowMs) / (1000 * everySec)));
  const oneMoreAtMs = spent === 0 ? null : fullAtMs - 1000 * everySec * (spent - 1);
  return heldUntilMs > nowMs
    ? { left: 0, oneMoreAtMs: Math.max(heldUntilMs, oneMoreAtMs ?? 0) }
    : { left: max - spent, oneMoreAtMs };
}
