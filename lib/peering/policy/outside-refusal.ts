/**
 * Why a route from outside is refused: a closed list.
 *
 * The exchange's filters for upstreams, peers and route servers mark a route with the large community (platform AS, 1,
 * code) before they refuse it, as the filters for users do.
 */
import { type Marked, markOf } from "./refusal-mark.ts";

/** Code of the mark; never reuse one, nor one of `filterRefusals`. */
export const outsideRefusals = {
  ownNet: 16,
  bogonNet: 17,
  pathLengthOutside: 18,
  bogonAs: 19,
  originInvalid: 20,
  pathInvalid: 21,
} as const;

export const outsideRefusalWords = {
  ownNet: "the prefix is the platform's own",
  bogonNet: "the prefix is a bogon: no one may announce it",
  pathLengthOutside: "the AS path is empty or longer than 64",
  bogonAs: "the AS path holds an ASN that is private or reserved",
  originInvalid: "its origin is RPKI-invalid (RFC 6811)",
  pathInvalid:
    "its AS path is ASPA-invalid: it leads through an AS that its customer has not named as a provider",
  unmarked: "it carries no reason: the session's limit, or a configuration older than this program",
} as const;

export type OutsideRefusal = keyof typeof outsideRefusalWords;

export function outsideRefusalOf(route: Marked, platformAsn: number): OutsideRefusal {
  return markOf(outsideRefusals, route, platformAsn) ?? "unmarked";
}

/** Number of routes by reason. */
export function countRefusals(
  routes: readonly { readonly largeCommunities: Marked["marks"] }[],
  platformAsn: number,
): Partial<Record<OutsideRefusal, number>> {
  const reasons = routes.map(({ largeCommunities: marks }) => outsideRefusalOf({ marks }, platformAsn));
  const groups = Map.groupBy(reasons, (reason) => reason);
  return Object.fromEntries([...groups].map(([reason, group]) => [reason, group.length]));
}
