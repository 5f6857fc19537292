/** Every limit of this app: what it guards, its unit, and why the value is safe. */
import { usualChangeBudget } from "../../../lib/base/api/change-budget.ts";

/** Bytes of an answer of the gateway or the coordination server: 4,000 users with all their devices are some 8 MB. */
export const answerBytesMax = 64 << 20;

/** Milliseconds that an answer may take: the next attempt comes with the next minute. */
export const answerMsMax = 15_000;

/** Seconds that the gateway is asked to wait for a change: below what proxies cut. */
export const changeWaitSec = 25;

/** Milliseconds before the gateway is asked for changes again after a failure. */
export const changeRetryMs = 2000;

/**
 * Pause between two requests when nothing has changed: short compared with the wait, long compared with an answer
 * without a wait.
 */
export const changePauseMs = 200;

/** The longest timer of JavaScript; later instants are rescheduled. */
export const timerMsMax = 2 ** 31 - 1;

/** Milliseconds that BIRD's answers about sessions and routes are cached: pages poll every five seconds. */
export const seenAgeMsMax = 1000;

/** Routes that `/status` lists of one session, accepted or refused; the rest is counted. */
export const routesShownMax = 200;

/**
 * Refused routes from outside that are read, in all: some 10 MB of BIRD's answer. The whole Internet has some
 * thousand invalid routes; more is a leak, which its number alone shows.
 */
export const refusedOutsideMax = 20_000;

/** Sessions outside that `/status` lists of one route: an exchange has some, 200 routes of each user fit an answer. */
export const outsidesShownMax = 32;

/** Exclusions that are logged one by one when they appear; the rest is in `/policy` and in the metrics. */
export const exclusionsLoggedMax = 20;

export const intervalSecDefault = 60;
export const intervalSecMax = 600;

/** Seconds after which data is too old to use: then every route of every user is refused. */
export const staleSecDefault = 6 * 3600;
export const staleSecMax = 7 * 86_400;

/** Seconds after which old data is worth an alert. */
export const alertSecDefault = 300;

/** Seconds between two samples of the sessions: shorter than a minute, in which ten announcements can be made. */
export const sampleSecDefault = 10;

/** Announcements of one user in an hour, for each prefix leased: each is one update for the whole Internet. */
export const announcementsDefault = 10;
export const announcementsMax = 100_000;

/** Changes of a prefix in a row, and seconds until one more is allowed. */
export const prefixBurstDefault = usualChangeBudget.max;
export const prefixBurstMax = 1000;
export const prefixRefillSecDefault = usualChangeBudget.every_seconds;
export const prefixRefillSecMax = 86_400;

/** Seconds for which a user who announces more is refused. */
export const suspensionSecDefault = 1800;

/** Length of the window that announcements are counted in. */
export const budgetWindowMs = 3_600_000;

/**
 * Milliseconds by which the start of one session may move between two samples: BIRD computes it again each time, in
 * whole seconds where its `timeformat` has no more, and the two questions are some time apart. A new session comes
 * later.
 */
export const sameSessionMsMax = 2500;

/**
 * Seconds of silence after which a standby takes over: three heartbeats are missing then, so a short pause of the
 * machine does not count, and with the two checks before and after it a lease ends less than a minute late.
 */
export const standbySecDefault = 30;
export const standbySecMax = 600;

/**
 * Seconds for which BIRD keeps a policy that is not renewed: a lease that ends without a generator ends at most
 * so late. A standby needs some 50 s from the last renewal to its own first one.
 */
export const policyEndsSecDefault = 60;
export const policyEndsSecMax = 3600;

/** Renewals within that time: one may fail to come, as on a machine that is busy for a moment. */
export const renewalsOfPolicy = 3;

/** Checks of a standby within that time: the takeover is late by one check at most. */
export const standbyLooks = 6;
