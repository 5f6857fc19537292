/** Every limit of the talk with FRR: what it guards, its unit, and why the value is safe. */

/** Milliseconds that FRR may take to answer: bgpd is busy for some seconds when a full table comes in. */
export const answerMsMax = 30_000;

/** Milliseconds that FRR may take to take a configuration over: a second on an idle machine, for some ten sessions. */
export const reloadMsMax = 60_000;

/** Milliseconds before FRR is given again what it refused: each try changes what runs, until it is taken back. */
export const refusedAgainMs = 60_000;

/** Bytes of an answer: a session is some 4 kB of JSON, a configuration of 16 sessions and 64 prefixes some 300 kB. */
export const answerBytesMax = 8 << 20;

/** Characters of a complaint that is passed on: its first lines name what is wrong. */
export const complaintCharsMax = 1000;
