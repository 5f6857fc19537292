/** Every limit of lib/results: what it guards, its unit, and why the value is safe. */

/** Round-trip times of one router of one hop that stand beside its figures; more of them are drawn by lot. */
export const samplesMax = 100;
