/** Limits of the readers of RIS Live's messages, with their reasons; readers count as those of `watch` do. */

/** Subscriptions of one connection: each change is compared with each. */
export const subscriptionsMax = 16;

/**
 * Bytes a second that a client may say, and at once: each message is parsed and each subscription checked, some 10 ns a
 * byte. All 16 subscriptions with 64 prefixes each are 40 kB.
 */
export const saidBytesPerSec = 16 * 1024;
export const saidBytesAtOnce = 128 * 1024;
/** What a message costs beside its bytes. */
export const messageBytes = 256;

/** Prefixes of one subscription. */
export const prefixesMax = 64;

/** ASes of a pattern. */
export const patternAsnsMax = 32;

/** Prefixes of one message. */
export const messagePrefixesMax = 100;
