/** Every limit of lib/answers/results: what it guards, its unit, and why the value is safe. */

/** Round-trip times shown with a router's figures; of more, a random sample. */
export const samplesMax = 100;

/**
 * Replies or probes of one query: of the first one, so that it arrives soon; for readers that keep up, some 120 MB as
 * text, which are passed on as they arrive and occupy a store thread for about a second; and for slow readers, some 5
 * MB, which are buffered.
 */
export const firstRows = 1000;
export const streamedRows = 200_000;
export const heldRows = 8000;
/** Windows planned at a time: the store sorts the numbers of all their rows, 8 bytes each. */
export const planWindows = 8;
/**
 * Rows in one part of a columnar file, which is buffered: some 4 MB. Larger parts are read faster, and Arrow's are not
 * compressed. A Parquet footer has some 5 kB for each, which are kept until the end.
 */
export const columnRows = { parquet: 65_536, arrow: 8192 } as const;
/** Milliseconds that one query waits for its reader, blocking a store thread meanwhile. */
export const readerMsMax = 500;

/** Destinations of one query: a path has some 10 kB of text, a row of loss 150 bytes. */
export const pathsDestinationsMax = 300;
export const figureDestinationsMax = 50_000;
/** Windows of destinations that the store computes at a time: one alone does not occupy two of its threads. */
export const windowsAtOnce = 2;
/** Paths and multipaths computed and passed on at a time: each has some 10 kB. */
export const rowsAtOnce = 10;

/** Probes of one TTL in one trace: other formats number them by a byte, and a line stays below some 1 MB. */
export const tracedProbesMax = 100;

/** Probes of one row of pings: a line stays below some 1 MB. */
export const pingedProbesMax = 1000;

/**
 * Measurements of a campaign in one query, newest first: the query contains their names some five times, and a server
 * accepts 256 KB.
 */
export const campaignRunsMax = 1000;
/** Measurements of a campaign in a trend, newest first, read in parts: two years of hourly ones, some MB. */
export const trendRunsMax = 20_000;

/** Default number of paths, and of rows of loss and catchment. */
export const pathsDefault = 100;
export const figureRowsDefault = 10_000;

/** Cached texts of addresses: 300 bytes each; a measurement meets some 10,000 routers. */
export const contextTextsMax = 50_000;

/** Time bins of a heat map: a screen shows no more, and with their buckets they are below 2 MB. */
export const heatBinsMax = 300;

/** Bytes of one line of a response that is drawn: a path with all its hops has some 10,000. */
export const lineBytesMax = 16 << 20;

/**
 * Links, or nodes, of one query, which are buffered: some 20 MB. Each further part is computed anew, which takes as
 * long as the first one.
 */
export const linkRowsMax = 50_000;
/** Links, and nodes, of one graph, those with most flows first: a line of some 9 MB, below `lineBytesMax`. */
export const graphLinksMax = 10_000;
export const graphNodesMax = 10_000;

/** Agents, once for each family, whose own choice of a source is found for an export: 60 bytes each in its queries. */
export const chosenSourcesMax = 1000;
/** Replies of an address examined for alias hints, spread over time: some 20 MB of text in total. */
export const aliasSamplesMax = 64;

/**
 * Routers of a hop in one path, in the order of their first flows; if a path exceeds the second number in total, a few
 * of each hop. A load balancer has some 100 next hops, but what an agent writes is unbounded: a path of 100,000 routers
 * would be 50 MB of text. Omitted ones are counted (`more_routers`).
 */
export const hopRoutersMax = 256;
export const pathRoutersMax = 4096;
export const hopRoutersOfWidePath = 16;

/** Different quotes of one router that a path has: marks, MTUs and rewritten fields are few, whoever makes them up. */
export const marksMax = 64;
