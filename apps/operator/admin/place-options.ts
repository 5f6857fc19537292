/** Options for the location and tags of agents or of an enrolment key, by which users choose agents. */
import { kindOf, number, text, unfit } from "../../../lib/command/command/kinds.ts";
import type { Given } from "../../../lib/command/command/table.ts";
import { prefixKind } from "./arguments.ts";

const countryKind = kindOf("CC", "any", (given) =>
  /^[a-z]{2}$/i.test(given) ? given.toUpperCase() : unfit("is not two letters, as DE"),
);

export const placeOptions = {
  tag: {
    kind: text,
    placeholder: "TAG",
    short: "t",
    multiple: true,
    meaning: "a tag that users choose agents by, as eu; the given ones replace all earlier ones",
  },
  country: { kind: countryKind, meaning: "where it is: two letters of ISO 3166-1" },
  location: { kind: text, meaning: "where it is, for people, as 'Oslo, rack 4'" },
  as: { kind: number(0, 2 ** 32 - 1, "ASN"), meaning: "the AS of its network" },
  grant: {
    kind: prefixKind,
    multiple: true,
    meaning: "a source prefix that it may send from; the given ones replace all earlier ones",
  },
} as const;

/** The members of a request's body, without absent options. */
export function placeOf(given: Given<typeof placeOptions>): Record<string, unknown> {
  const { tag, country, location, as: asn, grant } = given;
  return {
    ...(tag.length === 0 ? {} : { tags: tag }),
    ...(country === null ? {} : { country }),
    ...(location === null ? {} : { location }),
    ...(asn === null ? {} : { asn }),
    ...(grant.length === 0 ? {} : { granted_prefixes: grant }),
  };
}
