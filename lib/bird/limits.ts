/** Every limit on talking to BIRD: what it guards, its unit, and why the value is safe. */

/** Milliseconds that BIRD may take to answer: it reads a policy of thousands of users in between. */
export const answerMsMax = 30_000;

/** Bytes of one answer: `show protocols all` has some 2 kB a session, and there may be some thousands. */
export const answerBytesMax = 64 << 20;

/** Milliseconds that `bird -p` may take to check a configuration. */
export const parseMsMax = 60_000;
