/** Every limit of lib/measuring/probing: what it guards, its unit, and why the value is safe. */

/** Instances of one agent: each is a sender with a thread of its own. */
export const instancesMax = 256;

/** Instances that an operator may change remotely: all of them. */
export const desiredInstancesMax = instancesMax;

/** Packets per second of one instance: above 100 Gbit/s of the smallest probes. */
export const probingRateMax = 1_000_000_000;

/** Characters of an agent's message about its health or a failure. */
export const messageCharsMax = 1000;

/** Range of milliseconds between two health reports: fast enough to stop within 2 s, and up to one an hour. */
export const reportIntervalMinMs = 100;
export const reportIntervalMaxMs = 3_600_000;

/** Milliseconds between reports of an agent that does not state its interval: existing agents report every 30 s. */
export const reportIntervalDefaultMs = 30_000;

/** Reports that an agent may miss before it is offline. */
export const reportsMissedMax = 3;

/** Queues, counters and refused changes of one report: several times what an agent of 256 instances has. */
export const queuesMax = 1024;
export const countersMax = 512;
export const refusalsMax = 1024;

/** Stopped measurements in one health response: 37 bytes each; the newest are first. */
export const cancelledMax = 1000;

/** Reports of progress in one request: 200 bytes each. */
export const progressReportsMax = 1000;

/** Probes or replies that an agent reports of one measurement: sums over 1,000 agents stay exact in a number. */
export const progressCountMax = 2 ** 40;

/** Prefixes of a blocklist or allowlist: 16 bytes each in memory, 20 in the response to agents. */
export const blocklistPrefixesMax = 1_000_000;

/** Characters of a table of 65,536 numbers of 2 bytes that cannot be compressed further. */
export const crowdCharsMax = 180_000;

/** Weight of a TCP or DNS packet in the rate limit per destination: its receiver keeps state, or has to work. */
export const tcpCost = 10;

/** Bad lines of a list that are named in one message: enough to recognise what kind of file it is. */
export const listErrorsShownMax = 5;

/** Agents that one selector may select: as many as one measurement can have (lib/engines/submission/limits.ts). */
export const selectedAgentsMax = 1000;

/** Characters of a tag: a word that people type. */
export const tagCharsMax = 64;

/** Targets held in memory, at 25 bytes each: 250 MB. */
export const tableTargetsMax = 10_000_000;

/** Addresses of a prefix that is probed completely: an IPv4 /8. */
export const wholePrefixAddressesMax = 2 ** 24;

/** Addresses drawn from each prefix: as many as a whole prefix may have. */
export const perPrefixMax = wholePrefixAddressesMax;
