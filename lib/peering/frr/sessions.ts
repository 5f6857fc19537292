/** BGP sessions, as `show bgp neighbors json` of FRR 8.4.4 lists them. Pure. */
import * as v from "valibot";

interface FrrSession {
  readonly address: string;
  readonly isUp: boolean;
  /** `Established`, `Active`, `Connect`, … */
  readonly state: string;
  /** Milliseconds in that state; null if FRR does not report it, for a session that was never up. */
  readonly forMs: number | null;
  /** Why it is not up; null while it is. */
  readonly lastError: string | null;
  /** FRR counts the routes that its filter accepted; it does not keep the refused ones. */
  readonly acceptedRoutes: number;
}

const neighbor = v.object({
  bgpState: v.string(),
  bgpTimerUpMsec: v.optional(v.number()),
  lastResetTimerMsecs: v.optional(v.number()),
  lastResetDueTo: v.optional(v.string()),
  addressFamilyInfo: v.optional(
    v.record(v.string(), v.object({ acceptedPrefixCounter: v.optional(v.number(), 0) })),
    {},
  ),
});
const answer = v.record(v.string(), neighbor);

/** Null for a response of another form. FRR without any session returns an empty object. */
export function readFrrSessions(json: unknown): FrrSession[] | null {
  const read = v.safeParse(answer, json);
  return read.success ? Object.entries(read.output).map(([address, one]) => sessionOf(address, one)) : null;
}

function sessionOf(address: string, one: v.InferOutput<typeof neighbor>): FrrSession {
  const isUp = one.bgpState === "Established";
  const families = Object.values(one.addressFamilyInfo);
  return {
    address,
    isUp,
    state: one.bgpState,
    forMs: (isUp ? one.bgpTimerUpMsec : one.lastResetTimerMsecs) ?? null,
    lastError: isUp ? null : (one.lastResetDueTo ?? null),
    acceptedRoutes: families.reduce((sum, { acceptedPrefixCounter: count }) => sum + count, 0),
  };
}
