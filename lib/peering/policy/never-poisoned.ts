/**
 * Networks that must not be used to poison a path: without them a prefix is unreachable for much of the Internet, and
 * their operators treat such paths as leaks.
 *
 * The networks without upstreams in three lists for route servers, as read in 2026: the page `no_transit_leaks.md` of
 * NLNOG/bgpfilterguide, the default of `transit_free` of arouteserver, and TRANSIT_ASNS of inex/IXP-Manager; and
 * AS6939, the largest IPv6 network. One too many costs an experiment; one too few harms a network.
 */
export const neverPoisoned: readonly number[] = [
  174, 209, 286, 701, 702, 1239, 1299, 2828, 2914, 3257, 3320, 3356, 3491, 3549, 3561, 4134, 5511, 6453, 6461,
  6762, 6830, 6939, 7018, 12_956,
];
