/** Every limit of talking to a gateway, with its reason. */

/** From a request to the head of its answer: a gateway answers within 2 s, even when its broker is unreachable. */
export const answerMs = 30_000;
/** A submission is read, checked and stored before it is answered: the longest of them takes minutes. */
export const submissionAnswerMs = 30 * 60_000;

/** Tries of a request that may be repeated, and the waits between them: a gateway that restarts is back by then. */
export const retryDelaysMs: readonly number[] = [300, 1000, 3000];
/** A command that waits for an end outlives an upgrade of its gateway, but not a gateway that was shut down. */
export const restartMsMax = 600_000;
/** Longest `Retry-After` that is waited for without asking the user. */
export const retryAfterMsMax = 10_000;

/** Characters of an answer that explains a failure: some sentences. */
export const explanationCharsMax = 64 * 1024;
/** Characters of it that are shown when it is not in our form. */
export const shownCharsMax = 200;
/** Characters of one server-sent event: a reply has some 1,000. */
export const eventCharsMax = 1_000_000;
/** An event stream has a heartbeat every 15 s; after this long it counts as dead. */
export const eventSilenceMs = 60_000;

/** A token is renewed this long before it ends, so that it lasts for the request and for clocks that differ. */
export const renewEarlyMs = 30_000;
/** A process that holds the lock waits for one answer of the issuer. */
export const lockWaitMs = 45_000;
export const lockPollMs = 25;
/** Seconds that an issuer has to answer. */
export const issuerAnswerS = 30;
/** Longest wait between two polls of an unavailable issuer while the user logs in. */
export const loginPollMsMax = 60_000;

/** Bytes of a token on standard input: more than any issuer gives. */
export const tokenBytesMax = 64 * 1024;
export const profileNameCharsMax = 64;
/**
 * Pause before a broken stream is resumed, unless the gateway specifies it, and the number of failed attempts
 * allowed.
 */
export const streamRetryMs = 1000;
export const streamTriesMax = 10;
