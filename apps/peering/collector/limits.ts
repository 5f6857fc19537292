/** Every limit of the collector, with its reason. */

/** Routers that are connected at once: an exchange has some ten, and each may send a full table. */
export const sessionsDefault = 64;
export const sessionsMax = 1024;

/** Bytes that wait for the broker. Above, nothing more is read of routers and files: TCP holds routers back. */
export const pendingBytesMax = 64 * 1024 * 1024;

/** Size of a batch that is kept, published, and reused: a few transactions a second at 100,000 updates/s. */
export const batchBytes = 4 * 1024 * 1024;

/** Updates of one entry of the kept routes: a kill may lose this many. */
export const runBytes = 64 * 1024;

/** Bytes of a record's messages: below what a broker takes, with room for key and headers. */
export const recordBytes = 900_000;

/** Interval of checks for updates to publish: rows arrive soon, and records hold many. */
export const flushMs = 10;

/** Pause between attempts while the broker is unavailable. */
export const retryMs = 1000;

/** How long a router may take to send its tables again before missing routes count as withdrawn. */
export const holdSecDefault = 300;
export const holdSecMax = 86_400;

/**
 * The file of kept routes is rewritten when it has grown to this: a full table of ten peers has half of it.
 */
export const keptBytesMax = 1024 * 1024 * 1024;

/** A file of kept routes is replaced after six hours: a lookup of an earlier time reads a whole one. */
export const keptMsMax = 6 * 3_600_000;

/** Replaced files are kept for as long as `bmp.updates` is, with at most so many bytes. */
export const historyDays = 7;
export const historyBytesMax = 16 * 1024 * 1024 * 1024;

/** Polling interval of an MRT file; inotify reports its growth earlier. */
export const fileLookMs = 500;

/** A record of MRT holds one message: 65,535 bytes and its head. More is damage. */
export const mrtRecordBytesMax = 128 * 1024;

/** Interval of the sign of life in the state folder: the precision of a gap's start. */
export const aliveMs = 1000;

/** Silence after which the kernel asks whether a router is still there: it speaks seldom where nothing changes. */
export const keepAliveMs = 60_000;

/** The longest text of an IPv6 prefix has 49 characters. */
export const resourceCharsMax = 64;

/** Characters of a router's name that others are shown. */
export const routerNameCharsMax = 255;

/** Paths of one answer about routes: some 600 bytes each. */
export const routesShownMax = 10_000;

/** Prefixes that one request for rejected routes goes through: some 0.2 s of work; the next continues behind them. */
export const rejectedNodesMax = 100_000;

/** Prefixes visited before other requests get a turn. */
export const rejectedSliceNodes = 1000;

/** Bytes of a file of VRPs: that of all registries has some 60 million in 2026. */
export const vrpFileBytesMax = 512 * 1024 * 1024;

/** Bytes of one VRP as text, and of all else in such a file: rpki-client lists keys of routers and ASPAs, too. */
export const vrpBytesMax = 4096;
export const vrpRestBytesMax = 64 * 1024 * 1024;

/** Polling interval of the VRP file: validators write it every ten minutes or so. */
export const vrpFileLookMs = 5000;

/** VRPs that an answer shows of a route: few prefixes have more than three. */
export const vrpsShownMax = 20;

/** Polling interval of a router's refused routes: BIRD walks its tables for it. */
export const refusedLookMs = 10_000;

/** How long a cache of RTR may take to be connected: TCP alone tries for two minutes. */
export const rtrConnectMs = 10_000;

/** How long a cache may take for a whole answer: all VRPs have some 20 million bytes, which is 0.6 Mbit/s. */
export const rtrAnswerMs = 300_000;

/** Pause between attempts to connect to a cache: short after a restart, no load while it is unavailable. */
export const rtrRetryMs = { first: 1000, longest: 60_000 } as const;

/** Time to send a cache the reason why a session ends. */
export const rtrFarewellMs = 1000;

/** Characters of a cache's reasons that others are shown. */
export const rtrReasonCharsMax = 255;

/** Caches that are asked: another one stands in for the first. Each has a table of its own, of some 40 MB. */
export const rtrCachesMax = 2;
