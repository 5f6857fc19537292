/** How often an exchange server accepts a change of a prefix: docs/operate/policy-generator.md. Pure. */
import * as v from "valibot";
import { time, wholeNumber } from "./fields.ts";

/** Valid until the next change of the prefix: until then the budget grows with time alone. */
export const changeBudget = v.object({
  /** Changes in a row after a long time without any. */
  max: wholeNumber(1, 1_000_000),
  /** Time until one more is accepted. */
  every_seconds: wholeNumber(1, 1_000_000),
  /** Time until which some are spent; null = none is. */
  spent_until: v.nullable(time),
  /** Time until which the prefix, which has changed too often, is refused. */
  held_until: v.nullable(time),
});

export type ChangeBudget = v.InferOutput<typeof changeBudget>;

/**
 * An exchange's default. RFC 7196 s.4 recommends that routers damp a route at a penalty of 6,000, the result of six
 * withdrawals in a row; one change in ten minutes never reaches it.
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

/**
 * The changes left at `nowMs`, if the prefix has not changed since the exchange reported this. None while it is held.
 */
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
