/** What several commands of `vantage admin` take. */
import { kindOf, number, text, unfit } from "../../../lib/command/command/kinds.ts";
import { userHashOf } from "../../../lib/engines/auth/token-verifier.ts";
import { formatPrefix } from "../../../lib/net/ip/prefix.ts";
import { readPrefix } from "../../../lib/net/ip/typed-address.ts";

/** Gateways know users by hash only; with the subject anybody can compute the hash. */
export const userKind = kindOf("USER", "any", (given) =>
  /^[\da-f]{64}$/.test(given) ? given : userHashOf(given === "" ? unfit("is empty") : given),
);

export const userArgument = {
  kind: userKind,
  required: true,
  meaning: "subject (sub) of the user's tokens, or hash of the user",
} as const;

/** With the name as it was given, which is to be typed again. */
export const namedUserArgument = {
  ...userArgument,
  kind: kindOf("USER", "any", (name) => ({ name, hash: userKind.read(name) })),
} as const;

/** A number, or `default` for that of the gateway's configuration: null. */
export function limitOption(meaning: string, low: number, high: number) {
  const kind = kindOf("N", "any", (given) => ({
    limit: given === "default" ? null : number(low, high).read(given),
  }));
  return { kind, meaning: `${meaning}; default = the gateway's` } as const;
}

/** In one spelling. */
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
