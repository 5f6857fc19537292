/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Exchange servers with their own announcement requests, per prefix: four times as many as a client stack joins. */
export const requestServersOfPrefixMax = 64;

/** Bytes of a JSON body: the largest one is a reason of 500 characters. */
export const bodyBytesMax = 16_384;

/** Grants of one user, with those that ended within these days: one for each experiment of a month. */
export const grantsOfUserMax = 200;
export const endedGrantDaysKept = 31;

/** Subjects encrypted again in one statement. */
export const reencryptRowsMax = 1000;

/** Bytes of a pool file: a million lines with short comments. */
export const poolFileBytesMax = 128 * 2 ** 20;

/** Bytes of one line of it. */
export const poolLineBytesMax = 4096;

/** Runs of a pool that one statement writes. */
export const poolRunsAtOnce = 10_000;

/** Users of one page of the mappings: 1 MB of text, and a statement of some 20 ms. */
export const mappingsPageUsers = 2000;

/** Changes in one answer of the feed; a reader that is further behind asks again. */
export const changesMax = 1000;

/** Changes of announcements that an operator may allow a user in an hour: one each 6 s is what a daemon can follow. */
export const announcementsPerHourMax = 600;

/** Bytes of a client stack's report: 64 prefixes at 16 exchange servers, 250 bytes each, with room for reasons. */
export const reportBytesMax = 1 << 19;

/**
 * Client stacks that wait for a request: half of those that may wait for changes, so that exchange servers have room.
 */
export const announcementWaitersMax = 500;

/** Waits of one user: a client stack has one. When all places are taken, those go first of whom there are most. */
export const announcementWaitersOfUserMax = 16;

/** Longest wait for a change: below the 60 s after which quiet connections are cut. */
export const changesWaitSecMax = 50;

/** Polling interval of the feed while a reader waits: a change must reach the policy in under 2 s. */
export const feedLookMs = 250;

/** Requests that wait for a change: there is one for each exchange server. More get 503. */
export const feedWaitersMax = 1000;

/** Seconds that a client is asked to wait when something is unreachable or full. */
export const retryAfterSeconds = 5;

/** Interval of the sweep for ending leases, and the number that one sweep handles. */
export const sweepMs = 500;
export const sweepLeasesMax = 500;

/** Closed leases that one sweep deletes when history is limited. */
export const historyDeletesMax = 1000;

/** Age of the published list: a change must show in under 2 s. */
export const publishedAgeMsMax = 500;

/** How often the gateway checks for changes that Krill lacks. */
export const krillLookMs = 1000;

/** While nothing changes, it checks this often whether Krill is available and accepts the token. */
export const krillCheckMs = 30_000;

/** After a failure it waits this long before it asks again, twice as long each time, up to the second. */
export const krillPauseMs = 1000;
export const krillPauseMsMax = 60_000;

/** Time limit of a request to Krill. */
export const krillWaitMs = 60_000;

/** A gateway's turn to write at Krill: longer than a request, so that none arrives after it. */
export const krillTurnSec = 90;

/**
 * ROAs, or ASPA objects, that one request adds: Krill makes a key for each, up to a second on a busy machine, before it
 * answers.
 */
export const krillAddedMax = 20;

/** ROAs, or ASPA objects, that one request removes: 100 bytes each, and Krill takes 256 kB. */
export const krillRemovedMax = 1000;

/** Bytes of Krill's list: some 3 kB for each ROA; see docs/operate/peering-gateway.md for what makes it larger. */
export const krillBytesMax = 1 << 28;

/** Prefixes without a ROA, or ASNs without an ASPA object, that a line of the log names. */
export const krillNamedMax = 5;

/** E-mail addresses are cached this long, and refreshed on use from half of it on. */
export const emailAgeMsMax = 270_000;

/** Interval between removals of old addresses: together with their age it makes 5 minutes. */
export const emailForgetMs = 30_000;

/** Addresses in memory, and users whose address is to be fetched: 200 bytes each. */
export const emailsMax = 200_000;
export const emailQueueMax = 200_000;

/** Questions to the identity provider at one time: its rate limits begin at some 10 a second. */
export const emailAsksMax = 8;

/** Users whose subjects are read in one statement. */
export const emailRowsMax = 64;

/** Time limit for the identity provider's answer, and its size limit in bytes. */
export const providerWaitMs = 5000;
export const providerBytesMax = 262_144;

/** After a failure the identity provider is left alone for this long; a 429 may ask for more, up to the second. */
export const providerPauseMs = 2000;
export const providerPauseMsMax = 60_000;

/** A mapping waits this long for unknown addresses, and checks this often. */
export const emailWaitMs = 2000;
export const emailPollMs = 20;

/**
 * Seconds after which a generator that needs addresses should ask again: a few questions at a time are answered in some
 * 100 ms each, so after a restart the first hundreds of users are known by then.
 */
export const emailRetrySec = 5;

/** A token of the identity provider is renewed this long before its end. */
export const providerTokenMarginMs = 30_000;

/** Characters of a reason or name that an admin writes. */
export const noteCharsMax = 500;

/** Rows that readers of a page's worth of users may ask for at once, from concurrent requests. */
export const infoBatchMax = 500;

/** Neighbours of all exchange servers that users may name: each answer lists them. */
export const neighborsConfiguredMax = 500;

/** Machines of a user whose reports are kept, the newest: as many as there are exchange servers in a request. */
export const reportMachinesMax = 16;

/** Milliseconds after which a machine that has not fetched the newest requests counts as switched off. */
export const laggingReportMs = 600_000;
