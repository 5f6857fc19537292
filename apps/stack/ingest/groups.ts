/** Consumer groups of the store: one for each topic, so that none waits for another. */
export const groups = {
  replies: "vantage-store",
  probes: "vantage-store-probes",
  updates: "vantage-store-updates",
} as const;
