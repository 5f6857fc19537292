/** This device's session as an exchange server sees it: `GET /status` of its policy generator, through the tunnel. */
import * as v from "valibot";
import { boundedBody } from "../../../lib/base/api/bounded-body.ts";
import { changeBudget } from "../../../lib/base/api/change-budget.ts";
import { sessionAnswer } from "../../../lib/base/api/exchange-status.ts";
import { printable } from "../../../lib/peering/policy/printable.ts";
import type { LeaseKnowledge } from "./leases.ts";
import {
  actionsShownMax,
  exchangeAnswerBytesMax,
  exchangeAnswerMsMax,
  prefixesMax,
  receiversShownMax,
  refusedShownMax,
} from "./limits.ts";

const text = v.pipe(
  v.string(),
  v.transform((value) => printable(value, 200)),
);
/** Absent where the exchange does not report it. */
const receivedBy = v.optional(
  v.pipe(
    v.array(v.object({ name: text, asn: v.number() })),
    v.transform((all) => all.slice(0, receiversShownMax)),
  ),
  [],
);
const actions = v.optional(v.pipe(v.array(text), v.maxLength(actionsShownMax)), []);
/** What an exchange says so that it cannot be read is as good as nothing: sessions are shown all the same. */
const changes = v.optional(v.fallback(v.nullable(changeBudget), null), null);
/** Texts of the exchange are cut, and cleaned of what could drive a terminal. */
const session = v.object({
  ...v.pick(sessionAnswer, ["address", "asn", "is_up", "suspended_until"]).entries,
  remark: v.nullable(text),
  leases: v.array(v.object({ prefix: text, end_time: v.nullable(v.string()), changes })),
  accepted: v.array(v.object({ prefix: text, as_path: text, actions, heard_by: receivedBy })),
  refused: v.array(v.object({ prefix: text, as_path: text, reason: text, explanation: text })),
});
const answer = v.object({ sessions: v.array(session) });

export type ExchangeSession = v.InferOutput<typeof session>;

export class ExchangeSilent extends Error {
  override readonly name = "ExchangeSilent";
}

/** The session from `ownAddress`, preferring one that is up; null without one. Throws ExchangeSilent. */
export async function askExchange(
  { address, port }: { readonly address: string; readonly port: number },
  ownAddress: string,
): Promise<ExchangeSession | null> {
  const url = `http://${address}:${port}/status`;
  try {
    const limit = AbortSignal.timeout(exchangeAnswerMsMax);
    const response = await fetch(url, { redirect: "error", signal: limit });
    const tooLong = () => new Error(`its answer is longer than ${exchangeAnswerBytesMax} bytes`);
    const text = (await boundedBody(response, exchangeAnswerBytesMax, tooLong)).toString();
    const body: unknown = JSON.parse(text);
    const { sessions } = v.parse(answer, body);
    const own = sessions.filter((one) => one.address === ownAddress);
    const found = own.find(({ is_up: isUp }) => isUp) ?? own.at(-1);
    return found === undefined ? null : { ...found, refused: found.refused.slice(0, refusedShownMax) };
  } catch (cause) {
    const why = cause instanceof Error ? printable(cause.message, 200) : "no answer";
    throw new ExchangeSilent(`Cannot ask ${url}: ${why}`, { cause });
  }
}

/** The user's leases as the exchange knows them; null for an unknown user. */
export function leasesAt({ asn, leases }: ExchangeSession): LeaseKnowledge | null {
  if (asn === null) {
    return null;
  }
  const known = leases.slice(0, prefixesMax).map(({ prefix, end_time: end }) => {
    const endsAtMs = end === null ? Number.NaN : Date.parse(end);
    return { prefix, endsAtMs: Number.isNaN(endsAtMs) ? null : endsAtMs };
  });
  return { source: "exchange", asn, platformAsn: null, leases: known };
}
