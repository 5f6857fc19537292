/** The part `budget` of the configuration: how often users may announce, and prefixes change. */
import * as v from "valibot";
import { numberKey } from "../../../lib/engines/config/shape.ts";
import type { BudgetRules } from "./announcement-budget.ts";
import * as limits from "./limits.ts";
import type { PrefixRules } from "./prefix-budget.ts";

export const budgetSchema = v.object({
  announcements_per_hour: numberKey([1, limits.announcementsMax], limits.announcementsDefault, {
    meaning: "Of a user, for each prefix leased",
  }),
  prefix_burst: numberKey([1, limits.prefixBurstMax], limits.prefixBurstDefault, {
    meaning: "Changes of one prefix in a row; with one more it is refused until two may be made",
  }),
  prefix_refill_sec: numberKey([0, limits.prefixRefillSecMax], limits.prefixRefillSecDefault, {
    meaning: "After so long one more change of the prefix is allowed; 0 = as many as one likes",
    unit: "s",
  }),
  suspension_sec: numberKey([1, 86_400], limits.suspensionSecDefault, {
    meaning: "How long a user who announces more is refused",
    unit: "s",
  }),
});

export type Budget = BudgetRules & { readonly prefixes: PrefixRules };

export function toBudget(given: v.InferOutput<typeof budgetSchema>): Budget {
  return {
    announcements: given.announcements_per_hour,
    suspensionMs: 1000 * given.suspension_sec,
    prefixes: { burst: given.prefix_burst, refillMs: 1000 * given.prefix_refill_sec },
  };
}
