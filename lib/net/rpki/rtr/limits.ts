/** Every limit of a client of RTR, with its reason. */

/**
 * Bytes of a PDU. The longest that is not an error has an ASPA: 12 bytes, and 16,380 providers of 4 bytes, which is the
 * most that fits. Prefixes have 20 and 32 bytes.
 */
export const pduBytesMax = 65_535;

/**
 * PDUs of one answer, and VRPs of one cache: all registries have some 0.8 million VRPs in 2026, so there is room for
 * five times as many; a cache without end takes no more than 200 MB.
 */
export const recordsMax = 4_000_000;

/**
 * VRPs that an answer to a Serial Query changes. They are put into the table at once, some 0.2 s of work, while nobody
 * else is served; where more have changed, a Reset Query gets all anew, which is read alongside other work.
 */
export const changesMax = 100_000;

/** Bytes of a PDU that an error report quotes: the longest that is not an ASPA or a key has 32. */
export const quotedBytesMax = 64;
