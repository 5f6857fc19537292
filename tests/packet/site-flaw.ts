/** Why the name of a name server's site is missing or short, in the order of the hot path's counters. */
export const siteFlaws = [
  /** Records or options cannot be read to their end. */
  "siteUnreadable",
  /** The name is longer than what is kept. */
  "siteCut",
] as const;
export type SiteFlaw = (typeof siteFlaws)[number];
