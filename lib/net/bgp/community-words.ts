/**
 * Meanings of well-known communities (RFC 1997, RFC 3765, RFC 7611, RFC 7999, RFC 8326, RFC 9494), and of the origin
 * validation state (RFC 8097).
 */
const known: Readonly<Record<string, string>> = {
  "65535:0": "graceful shutdown",
  "65535:1": "accept own",
  "65535:6": "long-lived stale",
  "65535:7": "no long-lived stale",
  "65535:666": "blackhole",
  "65535:65281": "no export",
  "65535:65282": "no advertise",
  "65535:65283": "no export outside the confederation",
  "65535:65284": "no peer",
};

/** Null = the meaning depends on the AS number in the community. */
export function communityMeaning(value: string): string | null {
  return known[value] ?? null;
}

const states = ["valid", "not-found", "invalid"] as const;
/** Opaque, not transitive: type 0x43, subtype 0, then six bytes, the last of which is the state. */
const stateHead = "4300";

/** Takes extended communities, 16 hexadecimal digits each; null = none of them carries a state. */
export function rpkiStateOf(extendedCommunities: readonly string[]): (typeof states)[number] | null {
  const state = extendedCommunities.find((text) => text.startsWith(stateHead));
  return state === undefined ? null : (states[Number.parseInt(state.slice(-2), 16)] ?? null);
}
