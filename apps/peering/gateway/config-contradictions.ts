/** Checks that involve more than one key of the configuration. */
import type { Contradiction } from "../../../lib/engines/config/load-config.ts";
import { asnRangesProblem, holdsAsn, parseAsnRange } from "../../../lib/peering/lease/asn-ranges.ts";
import type { GivenConfig } from "./config-schema.ts";

export function contradictions({
  asns,
  leases,
  subjects,
  email,
  service,
  rpki,
}: GivenConfig): Contradiction[] {
  return [
    ...asnProblems(asns),
    ...oneOf(["leases", "pool"], "pool_file", leases.pool.length > 0, leases.pool_file !== undefined),
    ...oneOf(["subjects", "keys"], "keys_file", subjects.keys.length > 0, subjects.keys_file !== undefined),
    ...emailProblems(email),
    ...service.keys.flatMap(({ key, key_sha256 }, i) =>
      oneOf(["service", "keys", i, "key"], "key_sha256", key !== undefined, key_sha256 !== undefined),
    ),
    ...(rpki.adapter !== "none" && rpki.origin_asn === undefined
      ? [{ path: ["rpki", "origin_asn"], reason: "is missing: authorisations name it" }]
      : []),
    ...(rpki.adapter === "krill" ? krillProblems(rpki.krill) : []),
    ...(rpki.krill.aspa ? aspaProblems(asns, rpki.origin_asn) : []),
  ];
}

function asnProblems({ pool }: GivenConfig["asns"]): Contradiction[] {
  const reason = asnRangesProblem(pool.flatMap((text) => parseAsnRange(text) ?? []));
  return reason === null ? [] : [{ path: ["asns", "pool"], reason }];
}

const advice: Readonly<Record<string, string>> = {
  "subjects.keys": "; make one with: vantage peering-gateway --make-key",
};

/** A key and its alternative: exactly one must be given. */
function oneOf(
  path: readonly (string | number)[],
  other: string,
  isGiven: boolean,
  isOtherGiven: boolean,
): Contradiction[] {
  if (isGiven !== isOtherGiven) {
    return [];
  }
  const missing = `is missing, and so is ${other}${advice[path.join(".")] ?? ""}`;
  return [{ path, reason: isGiven ? `cannot be given beside ${other}` : missing }];
}

function emailProblems(email: GivenConfig["email"]): Contradiction[] {
  if (email.provider === "none") {
    return [];
  }
  const needed = [
    "url",
    "client_id",
    ...(email.provider === "keycloak" ? (["realm"] as const) : []),
  ] as const;
  return [
    ...needed
      .filter((key) => email[key] === undefined)
      .map((key) => ({ path: ["email", key], reason: `is missing: ${email.provider} needs it` })),
    ...oneOf(
      ["email", "client_secret"],
      "client_secret_file",
      email.client_secret !== undefined,
      email.client_secret_file !== undefined,
    ),
  ];
}

function krillProblems(krill: GivenConfig["rpki"]["krill"]): Contradiction[] {
  return [
    ...(["url", "ca"] as const)
      .filter((key) => krill[key] === undefined)
      .map((key) => ({ path: ["rpki", "krill", key], reason: "is missing: the adapter krill needs it" })),
    ...oneOf(
      ["rpki", "krill", "token"],
      "token_file",
      krill.token !== undefined,
      krill.token_file !== undefined,
    ),
  ];
}

/** No AS can be its own provider. */
function aspaProblems({ pool }: GivenConfig["asns"], originAsn = 0): Contradiction[] {
  const own = pool.flatMap((text) => parseAsnRange(text) ?? []);
  return holdsAsn(own, originAsn)
    ? [
        {
          path: ["asns", "pool"],
          reason: "has rpki.origin_asn, which cannot be its own provider (rpki.krill.aspa)",
        },
      ]
    : [];
}
