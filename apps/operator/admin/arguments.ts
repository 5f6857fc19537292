/** Arguments shared by several commands of `vantage admin`. */
import { kindOf, number, text, unfit } from "../../../lib/command/command/kinds.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { readPrefix } from "../../../lib/net/ip/typed-address.ts";

/** Resolved to a user by who.ts. */
export const userKind = kindOf("USER", "any", (given) => (given === "" ? unfit("is empty") : given));

export const userArgument = {
  kind: userKind,
  required: true,
  meaning:
    "a name, a subject (sub), a number, or a hash or its first 8 characters: as any page or command prints it",
} as const;

/** A number, or `default` (null) for the gateway's configured one. */
export function limitOption(meaning: string, low: number, high: number) {
  const kind = kindOf("N", "any", (given) => ({
    limit: given === "default" ? null : number(low, high).read(given),
  }));
  return { kind, meaning: `${meaning}; default = the gateway's` } as const;
}

/** In canonical form. */
export const prefixKind = kindOf("PREFIX", "any", (given) => {
  const read = readPrefix(given);
  return read.ok ? formatPrefix(read.value) : unfit(read.reason);
});

export const reasonOption = {
  reason: {
    kind: text,
    placeholder: "TEXT",
    short: "r",
    required: true,
    meaning: "why: it is kept, and shown",
  },
} as const;

export const keyIdArgument = {
  kind: kindOf("KEY_ID", "any", (given) =>
    /^[\da-f]{16}$/.test(given) ? given : unfit("is not 16 hex digits"),
  ),
  required: true,
  meaning: "the key, as the list names it",
} as const;
