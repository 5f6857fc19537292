/** Thresholds of `vantage doctor`, each with its reason; and its timeouts. */

/** Timeout of a service: a healthy one responds in a second. */
export const answerMsMax = 5000;
/** Timeout of a broker: it responds in a second, with TLS and a login in two. */
export const brokerMsMax = 3000;
/** Bytes of a response: `/metrics` of a busy gateway has some 100 kB. */
export const answerBytesMax = 4 << 20;
/** Timeout of a command that prints its version, or lists rules. */
export const commandMsMax = 5000;

/**
 * A `Date` header has whole seconds: less than this does not count as an offset. Leases and tokens are checked by the
 * second.
 */
export const clockWarnMs = 2000;
/** Beyond it, tokens are refused, and leases end at the wrong time. */
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

/** The VPN's WireGuard tunnel: packets of 1280 bytes pass everywhere. */
export const tunnelMtuMax = 1280;
/** IPv6's minimum (RFC 8200 s.5). */
export const tunnelMtuMin = 1280;

/** Remaining life of this device's VPN key: enough to renew it in office hours. */
export const keyDaysWarn = 7;
/** A lease that ends within this is reported. */
export const leaseMinutesWarn = 60;

/** PostgreSQL's version number of 15, which the schema needs. */
export const postgresVersionMin = 150_000;
/** Listed findings of one kind; the rest is counted. */
export const listedMax = 20;
/**
 * Pause before a second check of something that may be changing: the daemon installs a route in the kernel within
 * milliseconds.
 */
export const settleMs = 500;
