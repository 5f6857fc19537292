/** From where on `vantage doctor` complains, each with its reason; and how long it waits. */

/** An answer of a service: they answer in a second, or are in trouble. */
export const answerMsMax = 5000;
/** A broker: it answers in a second, with TLS and a login in two. */
export const brokerMsMax = 3000;
/** Bytes of an answer: `/metrics` of a busy gateway has some 100 kB. */
export const answerBytesMax = 4 << 20;
/** A command that says its version, or lists rules. */
export const commandMsMax = 5000;

/** A `Date` header has whole seconds: less than this is no offset. Leases and tokens are judged by the second. */
export const clockWarnMs = 2000;
/** From here on tokens are refused, and leases end at a wrong time. */
export const clockFailMs = 60_000;

/** Free bytes of a state folder: spools and journals grow to some 100 MB. */
export const freeBytesWarn = 1 << 30;
export const freeBytesFail = 64 << 20;

/** Of a process that has a connection for each user or agent. */
export const openFilesMin = 4096;
/** Of one that has a few of each kind. */
export const openFilesFew = 256;

/** The full IPv6 table has some 230,000 routes, and grows. */
export const kernelRoutesMin = 300_000;

/** WireGuard's tunnel of the VPN: what fits into 1280 bytes goes everywhere. */
export const tunnelMtuMax = 1280;
/** Less than that is no IPv6 (RFC 8200 s.5). */
export const tunnelMtuMin = 1280;

/** Key of this device in the VPN: long enough to renew it in office hours. */
export const keyDaysWarn = 7;
/** A lease that ends so soon is worth a word. */
export const leaseMinutesWarn = 60;

/** PostgreSQL's number of version 15, which the schema needs. */
export const postgresVersionMin = 150_000;
/** Findings of one kind that are listed: the rest is counted. */
export const listedMax = 20;
/** Between two looks at what may just be changing: the daemon tells the kernel of a route in some milliseconds. */
export const settleMs = 500;
