/** The lab's small Internet: who is at which address. Addresses and names are those that the page has as examples. */

export const domain = "example.net";
/** DNS, and what the machines would find in the Internet: a list of validated route origins. */
export const internet = "192.0.2.254";
export const originsPort = 8000;

export const addresses = {
  platform: "192.0.2.1",
  exchange: "192.0.2.2",
  user: "192.0.2.3",
  agent: "192.0.2.7",
  second: "192.0.2.5",
  upstream: "192.0.2.6",
} as const;

export type MachineName = keyof typeof addresses;

/** The exchange's LAN is the same wire. */
export const lan = { exchange: "2001:db8:10::2", upstream: "2001:db8:10::1" } as const;
export const platformAsn = 64500;
/** Not from the ranges for documentation, which the exchange refuses as bogons; it never leaves the lab. */
export const upstream = { asn: 212_222, network: "2a0a:1:2::/48", address: "2a0a:1:2::1" } as const;
/** What agents probe, two hops away: gateways refuse addresses for documentation. It is in the lab alone, too. */
export const target = "45.45.45.1";

/** Each user's account at the identity provider. */
export const people = {
  user: { name: "alice", password: "alice-secret" },
  second: { name: "bob", password: "bob-secret" },
} as const;
