/** Every limit on talking to FRR: what it guards, its unit, and why the value is safe. */

/** Milliseconds that FRR may take to respond: bgpd is busy for some seconds when a full table arrives. */
export const answerMsMax = 30_000;

/** Milliseconds that FRR may take to load a configuration: a second on an idle machine, for about ten sessions. */
export const reloadMsMax = 60_000;

/**
 * Milliseconds before FRR is offered a refused configuration again: each try changes the running state until it is
 * reverted.
 */
export const refusedAgainMs = 60_000;

/** Bytes of a response: a session is some 4 kB of JSON, a configuration of 16 sessions and 64 prefixes some 300 kB. */
export const answerBytesMax = 8 << 20;

/** Characters of an error message that is passed on: its first lines name the problem. */
export const complaintCharsMax = 1000;
