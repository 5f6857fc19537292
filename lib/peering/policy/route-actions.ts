/**
 * Action communities: a user's requests to an exchange about one route. The user's daemon attaches them; the exchange
 * acts on them and strips its own (table in docs/announce/announcements.md).
 *
 *   (platform AS, 10, N)       not to the neighbours of AS N
 *   (platform AS, 11, N)       to those of AS N only; several are a list
 *   (platform AS, 20 + n, N)   the platform's AS n times more, n = 1 to 3, towards AS N
 */

/** Third part of the marks (platform AS, 0, n) that an exchange puts in place of well-known communities. */
const askedMarks = { noExport: 4, gracefulShutdown: 5, blackhole: 6 } as const;
/** Second part of the large communities; never reuse one. */
export const actionFields = { notTo: 10, onlyTo: 11, prependTo: { 1: 21, 2: 22, 3: 23 } } as const;

/** Well-known communities: RFC 1997, RFC 8326, RFC 7999. */
export const blackholeCommunity = [65_535, 666] as const;
const knownCommunities = { noExport: [65_535, 65_281], gracefulShutdown: [65_535, 0] } as const;

interface RouteActions {
  readonly not_to: readonly number[];
  readonly only_to: readonly number[];
  /** By ASN in decimal: 1 to 3. */
  readonly prepend_to: Readonly<Record<string, number>>;
  readonly no_export: boolean;
  readonly graceful_shutdown: boolean;
}

type Large = readonly [number, number, number];

interface ActionCommunities {
  readonly standard: readonly (readonly [number, number])[];
  readonly large: readonly Large[];
}

/** Sorted, as routing daemons print them. */
export function actionCommunities(platformAsn: number, actions: RouteActions): ActionCommunities {
  const { notTo, onlyTo, prependTo } = actionFields;
  const large = [
    ...actions.not_to.map((asn) => [platformAsn, notTo, asn] as const),
    ...actions.only_to.map((asn) => [platformAsn, onlyTo, asn] as const),
    ...Object.entries(actions.prepend_to).map(
      ([asn, times]) => [platformAsn, prependTo[times === 1 ? 1 : times === 2 ? 2 : 3], Number(asn)] as const,
    ),
  ];
  return {
    standard: [
      ...(actions.graceful_shutdown ? [knownCommunities.gracefulShutdown] : []),
      ...(actions.no_export ? [knownCommunities.noExport] : []),
    ],
    large: large.sort((a, b) => a[1] - b[1] || a[2] - b[2]),
  };
}

/** The actions as the exchange's status lists the large communities of a route: sorted text. */
export function takenActions(platformAsn: number, actions: RouteActions): string[] {
  const marks = [
    ...(actions.no_export ? [askedMarks.noExport] : []),
    ...(actions.graceful_shutdown ? [askedMarks.gracefulShutdown] : []),
  ].map((mark) => [platformAsn, 0, mark] as const);
  return textsOf([...marks, ...actionCommunities(platformAsn, actions).large]);
}

/** The actions from a route's communities, without its origin's mark. */
export function actionTexts(platformAsn: number, communities: readonly Large[]): string[] {
  const asked: readonly number[] = Object.values(askedMarks);
  return textsOf(
    communities.filter(
      ([asn, field, value]) => asn === platformAsn && (field !== 0 || asked.includes(value)),
    ),
  );
}

function textsOf(communities: readonly Large[]): string[] {
  return communities.map((parts) => parts.join(":")).sort();
}
