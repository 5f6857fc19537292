/** Every limit of lib/results: what it guards, its unit, and why the value is safe. */

/** Round-trip times of one router of one hop that stand beside its figures; more of them are drawn by lot. */
export const samplesMax = 100;

/** Replies or probes of the first page, that it comes soon; and of each other one: some 5 MB of text at a time. */
export const firstPageRows = 1000;
export const pageRows = 8000;
/** Pages whose ends are found at a time: the store sorts their times, 8 bytes each. */
export const planPages = 60;

/** Paths when nobody asks for a number, and rows of loss and of catchment. */
export const pathsDefault = 100;
export const figureRowsDefault = 10_000;

/** Characters of one line of an answer: a path with all its hops has some 100,000. */
export const lineCharsMax = 16 << 20;
