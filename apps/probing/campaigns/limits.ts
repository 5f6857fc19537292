/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Longest pause between two looks at the journal: what another gateway left behind waits no longer. */
export const lookMsMax = 1000;

/** Pause between two looks while more is due: what comes due meanwhile is taken up in one go. */
export const againMs = 10;

/** Pause between two looks at what is under way: a run ends, and a wait begins, no later than that. */
export const settleEveryMs = 200;

/** Seconds between two looks at what a step waits for: answers take several. */
export const waitLookSec = 1;

/** Pause between two looks while all that may be done at once is under way: the end of any of it ends the pause. */
export const fullMs = 20;

/** Campaigns of one transaction: their rows are locked together, for some milliseconds. */
export const campaignsAtOnceMax = 500;

/** Steps that a gateway takes at once: each reads up to a megabyte of probes, and holds a file of the spool. */
export const stepsAtOnceMax = 24;

/**
 * Seconds for which a step belongs to the gateway that took it up. A longer submission does no harm: the second one has
 * the same key.
 */
export const claimSec = 2;

/** Seconds until a step that found no room, or no database, is tried again. */
export const retrySec = 1;

/** Groups of agents that a run is spread over: each is a measurement of its own. */
export const spreadGroupsMax = 60;

/** Looks that catch up before somebody's change: each goes through up to 200 missed runs of a cron pattern. */
export const catchUpMax = 20;

/** Bytes of a campaign's probe lines: 20,000 probes of the usual length. */
export const probesBytesMax = 1_048_576;

/** Characters of a name: it stands in a row of a terminal. */
export const nameCharsMax = 100;

/** Characters of the list of agents: 100 names, or selectors. */
export const agentsCharsMax = 4096;

/** Characters of a reason that is kept with a run. */
export const reasonCharsMax = 500;

/** Runs that a detector looks at together: a day of half-hours. */
export const windowRunsMax = 48;

/** Places that hear of a campaign's alerts. */
export const deliveriesMax = 5;

/** Characters of a webhook's address, and of the key of its signature. */
export const placeCharsMax = 500;
export const secretCharsMin = 16;
export const secretCharsMax = 200;

/** Runs that a gateway looks at, one after another, before it looks at the journal again. */
export const evaluationsAtOnceMax = 8;

/** Seconds for which the look at a run belongs to a gateway: its questions to the store end by then. */
export const evaluationClaimSec = 60;

/** Seconds until a look that the store, or the database, made impossible is tried again; and after which it is over. */
export const evaluationRetrySec = 5;
export const evaluationGiveUpSec = 86_400;

/** Series (agents x destinations) of a campaign whose alerts are looked after: each keeps some kilobytes of state. */
export const seriesMax = 1000;

/** Probed hops of a run that are looked at: some 100 MB while it is done. */
export const cellsMax = 200_000;

/** Messages of a campaign to one place in a minute; what is more comes as one digest. */
export const messagesPerMinuteMax = 10;

/** Alerts that a digest lists. */
export const digestAlertsMax = 100;

/** Days for which alerts that were cleared, and deliveries, are kept. */
export const alertDaysMax = 90;

/** Deliveries that a gateway makes at once: most of their time is waiting, each with one connection. */
export const deliveriesAtOnceMax = 32;

/** Deliveries of one user at once, at all gateways: places that never answer hold no more. */
export const deliveriesOfUserMax = 4;

/** Milliseconds of one webhook, and of one e-mail with its several answers. */
export const webhookMsMax = 5000;
export const emailMsMax = 20_000;

/** Seconds for which a delivery belongs to the gateway that took it up: longer than any takes. */
export const deliveryClaimSec = 30;

/** Attempts after the first, and seconds until the first of them; each further wait is twice as long: 42 min in all. */
export const retriesMax = 8;
export const firstRetrySec = 10;

/** Bytes of an answer's head that are read. */
export const answerBytesMax = 8192;

/** Series of the metric of active alerts: those with most alerts. */
export const alertSeriesMax = 500;

/** Rows of a status check: agents with a target each. */
export const statusRowsMax = 2000;

/** Runs that a status check may look back: their medians are kept with each series. */
export const lookbackMax = 10;

/** Bytes of a request with lines of an experiment's journal: its beginning names up to 65,536 targets. */
export const journalBodyBytesMax = 8 * 2 ** 20;

/** Characters of one line of it: a round has each target with its sites. */
export const journalLineCharsMax = 6 * 2 ** 20;

/** Bytes of the journal of an experiment: it is in memory whole while somebody looks at it. */
export const journalBytesMax = 16 * 2 ** 20;

/** Bytes of memory for each byte of a journal that somebody looks at: rounds of many targets take most. */
export const memoryOfJournalByte = 24;

/** Lines of it: 12 hours of a look and a route each second. */
export const journalLinesMax = 100_000;

/** Bytes that a stored row counts at least: itself, its indexes, and the time to sum it up. */
export const rowBytesMin = 4096;

/** Experiments that are kept for a user, and bytes of all of them. */
export const experimentsOfUserMax = 200;
export const journalBytesOfUserMax = 256 * 2 ** 20;

/** Seconds without a word of its controller after which an experiment is called silent: it speaks each half minute. */
export const silentSec = 120;

/** Events of a time line in one answer, some 250 bytes each. */
export const timeLineRowsMax = 5000;
