/** Every limit of this app: what it guards, its unit, and why the value is safe. */

/** Bytes of a JSON body. Probes are read one by one, so this only keeps a request from continuing forever. */
export const jsonBytesMax = 1 << 30;

/** Bytes of NDJSON and text bodies, after unpacking: 100 million lines of the usual length. */
export const streamBytesMax = 8 * 2 ** 30;

/**
 * Bytes of a user's submissions per day for each probe of the daily quota, when that is more than the configured bytes:
 * the longest usual line has 60, so a user with more probes needs no second limit raised.
 */
export const dayBytesOfProbe = 100;

/** Bytes of a JSON body besides probes, and of the first line of NDJSON: 1000 agents with addresses take 100,000. */
export const metadataBytesMax = 256 * 1024;

/** Bytes of one probe in JSON: the longest good one has 80. */
export const probeJsonBytesMax = 1024;

/**
 * Bytes of a body outside probes (blanks, comments, metadata), in addition to the most bytes that each probe may have:
 * they are not charged, and compressed they cost nothing to send.
 */
export const idleBytesMax = 4 * 2 ** 20;

/**
 * Least rate of a body of probes: slower bodies occupy a slot that others wait for. Bun 1.4 requires 16 KiB/s of every
 * body, but closes the connection without a response after 60 s; a pause of 10 s is a slow producer in a pipe.
 */
export const submissionPace = { graceMs: 10_000, bytesPerSec: 16_384, deadlineMs: 1_800_000 };

/** Requests that are read and spooled at once: each holds up to 1 MB of buffers, with its counts of destinations. */
export const submissionsAtOnceMax = 64;

/** Bytes of a submission that are parsed before others have their turn: 1 ms of usual lines, 10 ms of the worst. */
export const parsedBytesMax = 16 * 1024;

/** Submissions of one user at once, while there is room: when others wait, shares are equal. */
export const submissionsOfUserMax = 32;

/** Requests that wait for others to be read: up to 1 MB of each body has already arrived. */
export const submissionLineMax = 64;

/** Wait in that line: half of the line is read in it, at 100,000 probes each. */
export const submissionWaitMs = 5000;

/**
 * Time for which a user with one submission keeps its slot, although others have none: a body of 100,000 probes
 * arrives in that time at 1 MB/s. Less than the wait in line, so that a waiting request gets the slot of the slowest.
 */
export const submissionSafeMs = 3000;

/**
 * Time after which an open measurement is closed when its agents have sent all, and its user neither added probes nor
 * had its event stream open: the user is gone. A client whose stream broke resumes it within seconds.
 */
export const openIdleMs = 60_000;

/** Interval at which an event stream keeps its measurement open: some may fail while the database is unreachable. */
export const openRenewMs = 10_000;

/** Life of an open measurement at least: a thousand targets are traced in that time. */
export const openLifeMs = 3_600_000;

/**
 * Measurements with an interval that a user may have in progress: each holds probes on disk, and a place in the queue
 * of the dispatcher, for up to a day.
 */
export const pacedOfUserMax = 16;

/** Longest duration of a measurement with an interval: its records stay in the broker for as long. */
export const pacedMsMax = 24 * 3_600_000;

/** Wait for the broker before answering 202: long enough for a healthy broker, short for people. */
export const answerWaitMs = 2000;

/** Bytes of one measurement's records in a turn: a quarter of a publish call. */
export const turnBytesMax = 225_000;

/** Spools kept open while they wait for their turn: a process usually may open 1024 files. */
export const openSpoolsMax = 256;

/** Measurements that wait for the broker: some KB of memory each. More get 503. */
export const waitingMax = 20_000;

/** Time limit of one call to the broker: a gateway that is being stopped waits no longer. */
export const brokerGiveUpMs = 5000;

/** Pause between two attempts while the broker is unreachable. */
export const publishRetryMs = 1000;

/** Measurements written to the database in one statement. */
export const ledgerRowsMax = 1000;

/** Interval of the sweep for measurements ended by other gateways, agents or time. */
export const sweepMs = 1000;

/**
 * Milliseconds from one sweep to the next beyond which agents count as unable to report: an agent that reports each
 * second is offline after three, so a shorter gap makes none appear silent.
 */
export const sweepLateMs = 2000;

/** Measurements that one sweep expires: the rest is for the next one. */
export const expiriesAtOnceMax = 500;

/** Characters of an Idempotency-Key: a UUID has 36. */
export const idempotencyKeyCharsMax = 255;

/** Numbers tried for a user: there are 4 billion, so the second attempt nearly always succeeds. */
export const userIdTriesMax = 100;

/** Attempts of the accepting statement while the database is unavailable or a conflict undoes it; pauses between. */
export const acceptTriesMax = 5;
export const acceptRetryMs = 500;

/** Age of such an entry: a user who was erased at another gateway, and returns, waits no longer. */
export const userRememberedMs = 10_000;

/** Users whose 32-bit number is cached: 200 bytes each. */
export const usersRememberedMax = 10_000;

/** Measurements of one page. */
export const pageRowsDefault = 20;
export const pageRowsMax = 100;

/** Bad lines listed in one response; the rest is counted. */
export const problemsShownMax = 10;

/** Seconds that a client is asked to wait when the gateway has no room. */
export const retryAfterSeconds = 5;

/** Milliseconds in which agents report again once the gateway or its database is back: they wait for 5 s at most. */
export const reportGraceMs = 10_000;

/** Age of the public list of agents: agents report each second, so older would miss one that went offline. */
export const agentListAgeMsMax = 1000;

/** Characters of an agent's secret: enough for a long passphrase. */
export const secretCharsMax = 1024;

/** Bytes of a registration: an id, and a secret of as many characters that may each be written as \uXXXX. */
export const registrationBytesMax = 8192;

/** Age of a stopped measurement that is still sent to agents: older records are gone from the broker (24 h). */
export const cancelledAgeHoursMax = 24;

/** Bytes of a blocklist or allowlist file: a million IPv6 prefixes with short comments. */
export const listFileBytesMax = 64 * 2 ** 20;

/** Age of the rules on destinations: a change reaches submissions and our agents within 2 s. */
export const destinationsAgeMsMax = 1000;

/** Age of the counts that agents get of others that measure at a destination. */
export const crowdAgeMsMax = 1000;

/** From acceptance until all agents have a measurement's counts: the sample, their report, a slow response. */
export const crowdReceivedMs = 3000;

/** Users whose rate is kept: 100 bytes each; the least recently active are dropped. */
export const pacesRememberedMax = 100_000;

/** Characters of a reason, label, location or tag that an admin writes. */
export const noteCharsMax = 500;

/** Source prefixes granted to an agent: two for each instance that it may have. */
export const grantsMax = 512;

/** Tags of an agent. */
export const tagsMax = 50;

/** Destination networks of one submission that are counted one by one: 50 KB; a sketch of 512 KB takes over. */
export const networksListedMax = 1000;

/** Age at which the statement of a pending acceptance can no longer be running: its own limit is 30 s. */
export const pendingAcceptSettleMs = 60_000;

/**
 * Changed configurations that an agent may report at once, and the milliseconds after which it may report one more: an
 * operator who tries settings makes some in an hour, and a day has 300, at most 6 MB of the audit log.
 */
export const configChangesMax = 20;
export const configChangeMs = 300_000;

/** Lookups per user and minute: a queried name can leak data to its zone's servers; the targets of one call. */
export const lookupsPerMinute = 100;

/** Selectors of one submission: each is matched against every agent, and 16 against 5,000 take 30 ms. */
export const selectorsMax = 16;

/** Agents, tags or places listed when a selector is refused: a line or two of a terminal. */
export const valuesShownMax = 10;

/** From a measurement's end until all its replies can be read: they take 7 s, and the store a second. */
export const answersSettleMs = 10_000;

/** Measurements of one piece of an export: some kilobytes each. */
export const exportRowsMax = 200;

/** One packet file: our agents' maximum, held in memory while it is stored. */
export const packetFileBytesMax = 4 << 20;

/** Files of packets of one user, and of all: the database keeps them until they expire. */
export const packetBytesOfUserMax = 256 * 2 ** 20;
export const packetBytesMax = 4 * 2 ** 30;

/** A column store's default retention. */
export const packetFileKeepHours = 7 * 24;

/** Interfaces of one agent with a file in a measurement: an agent has few. */
export const packetFilesOfAgentMax = 16;

/** Tokens of a user, including recently ended ones: one for each program, and some more. */
export const tokensOfUserMax = 100;
export const deadTokenDaysKept = 30;

/** Lifetime of a token in days: a year at most, so that a forgotten one ends. */
export const tokenDaysMax = 365;
export const tokenDaysDefault = 90;

/** Characters of a token's name: it must fit a terminal row. */
export const tokenNameCharsMax = 100;

/** Tools counted by name per token and day; days for which they are kept: some 2,000 rows per token. */
export const tokenToolsMax = 20;
export const tokenUseDaysKept = 90;

/** Interval at which the use of tokens is stored. */
export const tokenUsesFlushMs = 3000;

/** Tokens x tools counted between two writes: 300 bytes each. */
export const tokenUsesHeldMax = 10_000;

/** Days of an embargo: two years, the most that funders allow. */
export const embargoDaysMax = 730;

/** Characters each of a licence, a contact and a citation: a bibliography entry. */
export const termsCharsMax = 2000;

/** URL of the gateway's own submissions: no request is sent to it. */
export const campaignUrl = "http://campaign.invalid/";

/** Lookups in one shared statement: as many as submissions are read at a time, with their rows below 1 MB. */
export const sharedAsksMax = 64;

/** Submissions of one accepting statement: below the 64 subtransactions that PostgreSQL keeps at hand. */
export const acceptsAtOnceMax = 32;

/** Slots of small submissions on disk, 48 KiB each: four times those read at a time. More of them get a file each. */
export const spoolSlotsMax = 256;

/** Progress reports in one statement: with an agent's usual maximum of measurements, below 1 MB. */
export const progressAtOnceMax = 32;

/**
 * Milliseconds between two updates of a measurement's and an agent's time stamps by steady progress; the counts
 * themselves are always stored.
 */
export const steadySeenEveryMs = 5000;

/** Destinations of a submission counted one by one: more would need over 20 MB for each body being read. */
export const targetsCountedMax = 65_536;

/** Prefixes by which a measurement is found: 1,000 targets are listed one by one, in some 10 KB. */
export const targetPrefixesMax = 1024;

/** Characters of a measurement's name: it must fit a terminal row. */
export const measurementNameCharsMax = 100;

/** Tags of a measurement, and characters of one. */
export const measurementTagsMax = 16;
export const measurementTagCharsMax = 40;

/** Characters of a note: it may come in a query, whose 16 KB hold as many in any script. */
export const measurementNoteCharsMax = 1000;

/** Different lists of targets that a search by AS looks through, and remembers the ASes of: up to 1,024 each. */
export const targetListsMax = 10_000;

/** Characters to search for in names, notes and tags. */
export const searchCharsMax = 800;

/** `vantage admin trace`: a request may have been repeated under one id, and each is two queries to the store. */
export const tracedMeasurementsMax = 20;
/** Refused submissions that wait to be written: a flood's beginning suffices. */
export const refusalsWaitingMax = 1000;
/** Between two writes of refused submissions. */
export const refusalsWriteMs = 1000;
/** Refused submissions kept of each user, and for how long: users ask soon, and about the last ones. */
export const refusalsOfUserMax = 200;
export const refusalsKeptDays = 7;
/** A reason quotes what was wrong in the request. */
export const refusalReasonCharsMax = 1000;
/** Changes while a measurement ran: enough for a day of an operator. */
export const tracedChangesMax = 100;
