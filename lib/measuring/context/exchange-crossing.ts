/**
 * Where a trace crosses an exchange, and how sure that is (traIXroute's rule, Nomikos and Dimitropoulos, PAM 2016).
 *
 * For three hops a, x, b, where x is on the LAN of an exchange:
 *
 * | level  | what is known                                                                    |
 * |--------|----------------------------------------------------------------------------------|
 * | strong | x is a member's address, b is of that member's AS, a of another member's         |
 * | medium | a is of a member's AS; x is the address of another one, or b is of one's AS      |
 * | weak   | x is a LAN's address                                                             |
 */
import type { Exchange } from "./facts.ts";

export interface ExchangeCrossing {
  readonly exchange: Exchange;
  readonly level: "strong" | "medium" | "weak";
  /** AS of the hop before; null = not known. */
  readonly fromAsn: number | null;
  /** The member with the address, else the AS of the hop behind; null = not known. */
  readonly toAsn: number | null;
}

interface Neighbours {
  /** Owner of the hop directly before; null = not known. */
  readonly before: number | null;
  /** The member that has the address on the LAN. */
  readonly member: number | null;
  /** Owner of the hop directly behind. */
  readonly behind: number | null;
}

export function exchangeCrossing(
  exchange: Exchange,
  { before, member, behind }: Neighbours,
  isMember: (asn: number) => boolean,
): ExchangeCrossing {
  const isFromMember = before !== null && isMember(before);
  const isStrong = isFromMember && member !== null && member !== before && member === behind;
  const toAsn = member ?? behind;
  const isMedium = isFromMember && toAsn !== null && toAsn !== before && isMember(toAsn);
  return {
    exchange,
    level: isStrong ? "strong" : isMedium ? "medium" : "weak",
    fromAsn: before,
    toAsn,
  };
}
