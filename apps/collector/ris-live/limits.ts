/** Limits of the readers of RIS Live's messages, with their reasons; readers count as those of `watch` do. */

/** Subscriptions of one connection: each change is compared with each. */
export const subscriptionsMax = 16;

/** Prefixes of one subscription. */
export const prefixesMax = 64;

/** ASes of a pattern. */
export const patternAsnsMax = 32;

/** Prefixes of one message. */
export const messagePrefixesMax = 100;
