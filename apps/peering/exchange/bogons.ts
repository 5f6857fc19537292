/** Bogons, the default of the settings, as of 2026. */

/**
 * IANA's registry of special IPv6 addresses, and ranges that were never, or are no longer, allocated (RFC 7454 s.6.1).
 */
export const bogonPrefixes: readonly string[] = [
  "::/8",
  "100::/8",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3ffe::/16",
  "3fff::/20",
  "5f00::/16",
  "fc00::/7",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];

/** IANA's registry of special AS numbers: reserved, AS_TRANS, documentation, private. */
export const bogonAsns: readonly string[] = [
  "0",
  "23456",
  "64496-64511",
  "64512-65534",
  "65535",
  "65536-65551",
  "65552-131071",
  "4200000000-4294967295",
];
