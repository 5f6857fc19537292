/** Thresholds of `vantage doctor`, each with its reason; and its timeouts. */

/** Timeout of a service: a healthy one answers in a second. */
export const answerMsMax = 5000;
/** Timeout of a broker: it answers in a second, with TLS and a login in two. */
export const brokerMsMax = 3000;
/** Bytes of an answer: `/metrics` of a busy gateway has some 100 kB. */
export const answerBytesMax = 4 << 20;
/** Timeout of a command that prints its version, or lists rules. */
export const commandMsMax = 5000;

/**
 * A `Date` header has whole seconds: less than this does not count as an offset. Leases and tokens are judged by the
 * second.
 */
export const clockWarnMs = 2000;
/** From here on tokens are refused, and leases end at a wrong time. */
export const clockFailMs = 60_000;

/** Free bytes of a state folder: spools and journals grow to some 100 MB. */
export const freeBytesWarn = 1 << 30;
export const freeBytesFail = 64 << 20;

/** Open files for a process with a connection for each user or agent. */
export const openFilesMin = 4096;
/** Open files for a process with few connections. */
export const openFilesFew = 256;

/** The full IPv6 table has some 230,000 routes, and grows. */
export const kernelRoutesMin = 300_000;

/** WireGuard's tunnel of the VPN: what fits into 1280 bytes goes everywhere. */
export const tunnelMtuMax = 1280;
/** The minimum of IPv6 (RFC 8200 s.5). */
export const tunnelMtuMin = 1280;

/** Key of this device in the VPN: long enough to renew it in office hours. */
export const keyDaysWarn = 7;
/** A lease that ends within this is reported. */
export const leaseMinutesWarn = 60;

/** PostgreSQL's number of version 15, which the schema needs. */
export const postgresVersionMin = 150_000;
/** Findings of one kind that are listed: the rest is counted. */
export const listedMax = 20;
/**
 * Pause before a second look at something that may be changing: the daemon installs a route in the kernel within
 * milliseconds.
 */
export const settleMs = 500;
