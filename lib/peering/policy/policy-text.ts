/**
 * The policy as the file that the routing daemon includes: BIRD 2 (2.0.12 tested).
 *
 * The same policy gives the same bytes: the text has no time in it, and everything is sorted. All foreign
 * values have been parsed and are written from their typed form; only the e-mail address in a comment is
 * text, reduced to printable ASCII.
 */
import { createHash } from "node:crypto";
import functions from "../../../templates/policy/functions.eta" with { type: "text" };
import file from "../../../templates/policy/peering_generated.conf.eta" with { type: "text" };
import { compileTemplate } from "../../base/templates/template.ts";
import { emailCharsMax } from "./limits.ts";
import type { Policy, PolicyUser } from "./policy.ts";
import { printable } from "./printable.ts";

const renderFunctions = compileTemplate<{
  blocks: readonly Block[];
  tunnels: readonly Tunnel[];
  poisoners: readonly string[];
  blackholers: readonly string[];
}>(functions);
const renderFile = compileTemplate<{ version: string; body: string }>(file);

interface Block {
  readonly email: string;
  readonly address: string;
  readonly asn: number;
  readonly prefixes: readonly string[];
}

interface Tunnel {
  readonly v4: string;
  readonly v6: string;
}

export interface PolicyText {
  readonly text: string;
  /**
   * Version of the functions in the text, which contains it, so that the daemon's active policy can be queried.
   */
  readonly version: string;
}

/** A block for each address of each user, in the policy's order; then everyone else is rejected. */
export function policyText({ users }: Policy): PolicyText {
  const blocks = users.flatMap(({ email, asn, addresses, ...rest }) =>
    addresses.map(({ v4 }) => ({ email: commentOf(email), address: v4, asn, prefixes: netsOf(rest) })),
  );
  const tunnels = users.flatMap(({ addresses }) =>
    addresses.flatMap(({ v4, v6 }) => (v6 === null ? [] : [{ v4, v6 }])),
  );
  const poisoners = addressesOf(users.filter(({ mayPoison }) => mayPoison));
  const blackholers = addressesOf(users.filter(({ mayBlackhole }) => mayBlackhole));
  const body = renderFunctions({ blocks, tunnels, poisoners, blackholers });
  const version = createHash("sha256").update(body).digest("hex").slice(0, 16);
  return { text: renderFile({ version, body }), version };
}

/** The exchange's own filter accepts a single address only as a blackhole. */
function netsOf({
  prefixes,
  mayBlackhole,
}: Pick<PolicyUser, "prefixes" | "mayBlackhole">): readonly string[] {
  return mayBlackhole ? prefixes.flatMap((prefix) => [prefix, `${prefix}{128,128}`]) : prefixes;
}

function addressesOf(users: readonly PolicyUser[]): string[] {
  return users.flatMap(({ addresses }) => addresses.map(({ v4 }) => v4));
}

function commentOf(email: string | null): string {
  return email === null ? "unknown" : printable(email, emailCharsMax);
}
