/** Every limit of an RTR client, with its reason. */

/**
 * Bytes of a PDU. The longest, apart from errors, has an ASPA: 12 bytes and up to 16,380 providers of 4 bytes. Prefix
 * PDUs have 20 and 32 bytes.
 */
export const pduBytesMax = 65_535;

/**
 * PDUs in one response, and VRPs of one cache: all registries have some 0.8 million VRPs in 2026, so there is room for
 * five times as many; an endless response takes no more than 200 MB.
 */
export const recordsMax = 4_000_000;

/**
 * VRPs that a response to a Serial Query changes. They are applied at once, some 0.2 s of work that blocks everything
 * else; for larger changes a Reset Query fetches the whole table, which is read alongside other work.
 */
export const changesMax = 100_000;

/** Bytes of a PDU that an error report quotes: the longest that is not an ASPA or a router key has 32. */
export const quotedBytesMax = 64;
