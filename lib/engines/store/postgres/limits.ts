/** Limits of the database client, each with its reason. */

/** Connections of one process by default: more than a gateway's statements need at once, a tenth of a server's 100. */
export const connectionsDefault = 10;

/** A server on the same continent answers in 1 s; a start must not hang on an address that drops packets. */
export const connectWaitSec = 10;

/** None of our statements takes a second; one that takes this long has lost its plan or waits for a lost lock. */
export const statementMsMax = 30_000;

/** Behind a pooler whose sessions are all taken, the check for its kind waits no longer. */
export const poolerWaitMsMax = 5000;

/** Transactions at a time while a pooler is examined: one shows most, several those that take sessions in turn. */
export const poolerTransactionsHeld = 3;

/** More than a pool has; a pool that connects again and again gets new ones. */
export const sessionsSeenMax = 1000;

/** A server that works ends a statement before; one that is silent for longer hangs, or its machine has vanished. */
export const answerWaitSecMax = 45;

/** An idle transaction keeps its rows locked for everyone else. */
export const idleTransactionMsMax = 60_000;

/** A migration may rewrite a table, and waits for the other gateways that start. */
export const migrationMsMax = 600_000;

/** A database is closed after all that uses it has ended; a server that hangs delays the end no longer than this. */
export const closeWaitSec = 1;

/** Pauses between tries to connect double from 0.1 s up to this, so that a server that is back is found quickly. */
export const reconnectWaitSecMax = 2;
