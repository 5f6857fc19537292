/** Consumer groups of the store: one for each topic, so that neither waits for the other. */
export const groups = { replies: "vantage-store", probes: "vantage-store-probes" } as const;
