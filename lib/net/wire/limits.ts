/** Every limit of lib/net/wire: what it guards, its unit, and why the value is safe. */

/** Segments of one message. Writers split only large messages; ours are below 1 KiB and have one. */
export const segmentsMax = 16;

/** Words (8 bytes) of one message: 64 KiB, hundreds of times what a Reply with a full label stack takes. */
export const messageWordsMax = 8192;

/** Bytes of an agent id, without its closing NUL. Ids are short names that people type. */
export const agentIdBytesMax = 240;

/** Bytes of one probe line, without its end: the longest valid line has 67, comments may be longer. */
export const lineBytesMax = 1024;

/** Characters of a wrong value that a message shows. */
export const quotedTextMax = 40;

/**
 * Depth of nested arrays and objects in a JSON text: ours have 5; parsing a million took 250 ms and 145 MB.
 */
export const jsonDepthMax = 32;

/**
 * Values in a JSON text that is parsed at once: a health report with 1024 queues, as many refused changes and 512
 * counters has 9,000; parsing and checking this many blocks everything else for about 15 ms.
 */
export const jsonValuesMax = 20_000;
