/** Every limit on talking to BIRD: what it guards, its unit, and why the value is safe. */

/** Milliseconds that BIRD may take to reply: meanwhile it may be reading a policy of thousands of users. */
export const answerMsMax = 30_000;

/** Bytes of one reply: `show protocols all` has about 2 kB per session, and there may be thousands. */
export const answerBytesMax = 64 << 20;

/** Milliseconds that `bird -p` may take to check a configuration. */
export const parseMsMax = 60_000;
