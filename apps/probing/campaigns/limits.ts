/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Longest interval between two reads of the journal: another gateway's abandoned work waits no longer. */
export const lookMsMax = 1000;

/** Pause between two reads while more is due, so that work is taken in batches. */
export const againMs = 10;

/** Interval at which running work is checked: the longest delay of a run's end and of a wait's start. */
export const settleEveryMs = 200;

/** Seconds between two checks of a step's condition: replies take several. */
export const waitLookSec = 1;

/** Pause while the maximum of concurrent work is in progress; the end of any of it ends the pause. */
export const fullMs = 20;

/** Campaigns of one transaction: their rows are locked together, for some milliseconds. */
export const campaignsAtOnceMax = 500;

/** Steps that a gateway runs at once: each reads up to a megabyte of probes, and holds a spool file. */
export const stepsAtOnceMax = 24;

/**
 * Seconds for which a step is claimed by its gateway. A longer submission does no harm: the second one has the same
 * key.
 */
export const claimSec = 2;

/** Seconds until a step that found no room, or no database, is tried again. */
export const retrySec = 1;

/** Groups of agents over which a run is spread: each is its own measurement. */
export const spreadGroupsMax = 60;

/** Rounds of catching up before a change: each processes up to 200 missed runs of a cron pattern. */
export const catchUpMax = 20;

/** Bytes of a campaign's probe lines: 20,000 probes of the usual length. */
export const probesBytesMax = 1_048_576;

/** Characters of a name: it must fit a terminal row. */
export const nameCharsMax = 100;

/** Characters of the list of agents: 100 names, or selectors. */
export const agentsCharsMax = 4096;

/** Characters of a run's stored reason. */
export const reasonCharsMax = 500;

/** Runs that a detector evaluates together: half-hourly runs of a day. */
export const windowRunsMax = 48;

/** Recipients of a campaign's alerts. */
export const deliveriesMax = 5;

/** Characters of a webhook's address, and of the key of its signature. */
export const placeCharsMax = 500;
export const secretCharsMin = 16;
export const secretCharsMax = 200;

/** Runs that a gateway evaluates, one after another, before it reads the journal again. */
export const evaluationsAtOnceMax = 8;

/** Seconds for which a run's evaluation is claimed by a gateway: its store queries end by then. */
export const evaluationClaimSec = 60;

/** Seconds until an evaluation that failed at the store or the database is retried; and after which it is given up. */
export const evaluationRetrySec = 5;
export const evaluationGiveUpSec = 86_400;

/** Series (agents x destinations) evaluated for a campaign's alerts: each keeps some kilobytes of state. */
export const seriesMax = 1000;

/** Probed hops of a run that are evaluated: some 100 MB of memory during the evaluation. */
export const cellsMax = 200_000;

/** Runs of a preview of alerts: each is a query to the store. */
export const previewRunsMax = 200;

/** Probed hops of a preview, over all of its runs: some 10 s of queries and evaluation. */
export const previewCellsMax = 1_000_000;

/** Bytes of a probed hop with its replies, as in `cellsMax`. */
export const cellBytes = 500;

/** Alerts that a preview lists; all are counted. */
export const previewAlertsMax = 200;

/** Messages of a campaign to one recipient per minute; more are sent as one digest. */
export const messagesPerMinuteMax = 10;

/** Alerts that a digest lists. */
export const digestAlertsMax = 100;

/** Days for which cleared alerts and deliveries are kept. */
export const alertDaysMax = 90;

/** Concurrent deliveries of a gateway: they mostly wait, each with one connection. */
export const deliveriesAtOnceMax = 32;

/** Concurrent deliveries of one user, at all gateways: unresponsive recipients occupy no more. */
export const deliveriesOfUserMax = 4;

/** Characters of the template of a message. */
export const templateCharsMax = 4000;

/** Characters of a message to a chat: what Mattermost takes; of one to Discord, and of a summary of PagerDuty. */
export const messageCharsMax = 16_000;
export const discordCharsMax = 2000;
export const pagerdutySummaryCharsMax = 1024;

/** Milliseconds for one webhook, and for one e-mail with its several replies. */
export const webhookMsMax = 5000;
export const emailMsMax = 20_000;

/** Seconds for which a delivery is claimed by its gateway: longer than any takes. */
export const deliveryClaimSec = 30;

/** Attempts after the first, and seconds until the first of them; each further wait is twice as long: 42 min in all. */
export const retriesMax = 8;
export const firstRetrySec = 10;

/** Bytes read of a response's head. */
export const answerBytesMax = 8192;

/** Series of the metric of active alerts: those with most alerts. */
export const alertSeriesMax = 500;

/** Rows of a status check: agents x targets. */
export const statusRowsMax = 2000;

/** Earlier runs that a status check may use: their medians are kept with each series. */
export const lookbackMax = 10;

/** Bytes of a start: 65,536 targets. */
export const startBodyBytesMax = 4 * 2 ** 20;

/** Bytes of an imported journal in JSON, with each quote escaped. */
export const journalBodyBytesMax = 24 * 2 ** 20;

/** Characters of one line of it: a round has each target with its sites. */
export const journalLineCharsMax = 6 * 2 ** 20;

/** Bytes of an experiment's journal: it is in memory as a whole while a request reads it. */
export const journalBytesMax = 16 * 2 ** 20;

/** Bytes of memory for each byte of a journal being read: rounds of many targets take most. */
export const memoryOfJournalByte = 24;

/** Journal lines: 12 hours at one sample and one route change per second. */
export const journalLinesMax = 100_000;

/** Bytes that a stored row counts at least: itself, its indexes, and the time to sum it up. */
export const rowBytesMin = 4096;

/** Experiments that are kept for a user: the sum of their bytes has the user's limit. */
export const experimentsOfUserMax = 200;

/** Experiments that a gateway runs at once: each asks the peering gateway, and holds its journal. */
export const experimentsAtOnceMax = 50;

/** Seconds without an update until an experiment counts as silent; a gateway that runs it writes more often. */
export const silentSec = 120;
export const journalAliveMs = 10_000;

/** Lines that a full journal still has room for: what is in progress at its end. */
export const journalRestLines = 1000;

/** Targets of an experiment: each round of a catchment is journaled, some 60 bytes per target. */
export const experimentTargetsMax = 65_536;

/** Replies of one sample of an experiment: 200 bytes each while they are read. */
export const experimentRepliesMax = 1_000_000;

/** Targets of an aim, one of each AS, whose paths are read at the collector: a request each. */
export const aimPathsMax = 5000;

/** How often a running experiment is checked for due actions, and the state of its announcements. */
export const experimentTickMs = 500;
export const experimentReportMs = 1000;

/** How often the progress of its measurements is read, and replies that agents counted while they are not stored. */
export const measuredLookMs = 500;
export const storedEveryMs = 1000;
export const storedTriesMax = 60;

/** Loss windows that a watch records for a target: more mean a path that is bad throughout. */
export const lossWindowsMax = 100;

/** How often a collector's clock is compared: clocks drift apart by a millisecond per minute. */
export const clockCompareMs = 15_000;

/** Delay before reopening a collector's stream of changes, and interval of polling for gaps in the meantime. */
export const watchRetryMs = 15_000;
export const gapsAskMs = 15_000;

/** How often an experiment's lease is checked: it is renewed at the latest 20 minutes before it ends. */
export const leaseLookMs = 60_000;

/** Events of a time line in one response, some 250 bytes each. */
export const timeLineRowsMax = 5000;

/** Agents of an alert's follow-up, its probes x agents a day by default and at most, and what each agent sends. */
export const followUpAgentsMax = 10;
export const followUpProbesDefault = 2000;
export const followUpProbesMax = 1_000_000;
export const followUpTtlMax = 32;
export const followUpPings = 10;
/** Probes of an alert's discovery: enough for one target behind several balancers. */
export const followUpDiscoverProbes = 1000;
/** Changes that a campaign measures within an hour, so that a storm of alerts starts no storm of probes. */
export const followUpsPerHourMax = 20;
/** Seconds that a message about an alert waits for what it links. */
export const followUpWaitSec = 10;

/** Seconds between two reads of the routes towards a campaign's targets; until an alert about one is cleared. */
export const routeLookSec = 5;
export const routeAlertSec = 600;
/** Seconds that stored routes are read again: a row's time of storage is before it can be read. */
export const routeOverlapSec = 30;
/** Paths of a campaign's routes, prefixes x who reports them: some 100 bytes each, written at each change. */
export const routePathsMax = 5000;
/** Alerts about routes that one read raises; beyond, one names them. */
export const routeAlertsMax = 10;

/** Events that a campaign takes in an hour: as many as it has minutes, and by default one each ten minutes. */
export const eventsPerHourMax = 60;
export const eventsPerHourDefault = 6;

/** Bytes of a webhook's body: an id of 200 characters. */
export const eventBytesMax = 4096;
