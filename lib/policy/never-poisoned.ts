/**
 * Networks that nobody poisons a path with: without them a prefix is unreachable for much of the Internet, and their
 * operators look at such paths as leaks. The networks without upstreams, and the largest one of IPv6, as of 2026.
 */
export const neverPoisoned: readonly number[] = [
  174, 209, 286, 701, 1239, 1299, 2828, 2914, 3257, 3320, 3356, 3491, 3549, 5511, 6453, 6461, 6762, 6830,
  6939, 7018, 12_956,
];
