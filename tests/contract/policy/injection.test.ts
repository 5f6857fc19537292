/**
 * Hostile text from both sources, the gateway and the coordination server: the policy must always be one that BIRD
 * reads, and must never grant more than the honest users have.
 */
import { expect, test } from "bun:test";
import { readHeadscaleNodes } from "../../../lib/peering/policy/headscale-nodes.ts";
import { joinDevices } from "../../../lib/peering/policy/join.ts";
import { readMappings } from "../../../lib/peering/policy/mapping.ts";
import { policyAt } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { aroundPolicy, birdComplaint } from "../../exchange/bird-parses.ts";
import { type Grant, grantsOf } from "../../exchange/granted.ts";
import { asnPool, issuer, mappingsAnswer, nodesAnswer, sampleUser } from "../../exchange/samples.ts";

const honest = sampleUser(1);
const victim = sampleUser(2);
const rogue = sampleUser(3);

const hostileTexts = [
  "x\n    accept;\n#",
  "x\r\naccept;",
  "\u2028accept;\u2029\u0085\v\f\0",
  '"; accept; "',
  "'; include \"/etc/passwd\"; '",
  "} accept; function f() {",
  "*/ accept; /*",
  "<%= it %> %{accept}",
  "\u{1f600}é\u202e",
  "a".repeat(20_000),
  "",
  " ",
];
const hostileNumbers = [
  ...["65003; accept", "0x1", "65003", -1, 0, 1.5, 1e21, 4_294_967_296, 23_456, 64_512, Number.NaN],
  ...[null, [65_003], { valueOf: 1 }, true, honest.asn],
];
const hostilePrefixes = [
  ...["2001:db8:3::1/48", "2001:db8:3::/47", "2001:db8:3::/49", "::/0", "2001:db8:3::/48{0,128}"],
  ...["2001:db8:3::/48, ::/0", "2001:db8:3::/48+", "2001:db8:3::/48 ]) then accept; #", "10.0.0.0/48"],
  ...["2001:db8:3::/048 ", "::ffff:10.0.0.0/48", "2001:db8:3::%eth0/48", ...hostileTexts],
];
const hostileAddresses = [
  ...[
    "100.64.0.999",
    "100.064.0.3",
    "100.64.3",
    "0x64.64.0.3",
    "100.64.0.3/32",
    "100.64.0.3) then accept; #",
  ],
  ...["192.0.2.1", "0.0.0.0", "255.255.255.255", "100.128.0.1", ...hostileTexts],
  honest.devices[0]?.[0],
];

type Entry = Record<string, unknown>;

/** The three users, the third of whom says and is what `mapping` and `node` make of it. */
function policyWith(mapping: Entry, node: Entry = {}): string {
  const mappings = mappingsAnswer([honest, victim, rogue]).mappings as Entry[];
  const nodes = nodesAnswer([honest, victim, rogue]).nodes as Entry[];
  mappings[2] = { ...mappings[2], ...mapping };
  nodes[2] = { ...nodes[2], ...node };
  const read = readMappings({ mappings }, asnPool);
  const devices = readHeadscaleNodes({ nodes });
  const excluded = [...(read?.excluded ?? []), ...(devices?.excluded ?? [])];
  const input = { mappings: read?.mappings ?? [], nodes: devices?.nodes ?? [], excluded };
  const membership = joinDevices(input, { issuer, allowEmailJoin: true });
  return policyText(
    policyAt(membership, { nowMs: 0, suspended: new Map(), held: new Map(), emails: new Map() }),
  ).text;
}

const cases: (readonly [what: string, text: string])[] = [
  ...hostileTexts.map((email) => ["e-mail", policyWith({ email }, { user: { email } })] as const),
  ...hostileTexts.map((name) => ["name", policyWith({}, { name, givenName: name, id: name })] as const),
  ...hostileTexts.map((one) => ["hash", policyWith({ user_hash: one })] as const),
  ...hostileTexts.map(
    (one) => ["provider id", policyWith({}, { user: { providerId: issuer + one } })] as const,
  ),
  ...hostileNumbers.map((asn) => ["ASN", policyWith({ asn })] as const),
  ...hostilePrefixes.map(
    (prefix) => ["prefix", policyWith({ leases: undefined, prefixes: [prefix] })] as const,
  ),
  ...hostilePrefixes.map((prefix) => {
    const leases = [{ prefix, end_time: "2030-01-01T00:00:00Z" }];
    return ["lease", policyWith({ leases })] as const;
  }),
  ...hostileTexts.map(
    (end_time) => ["end", policyWith({ leases: [{ prefix: "::/48", end_time }] })] as const,
  ),
  ...hostileAddresses.map((one) => ["address", policyWith({}, { ipAddresses: [one] })] as const),
  ...hostileAddresses.map(
    (one) => ["second address", policyWith({}, { ipAddresses: ["100.64.0.3", one] })] as const,
  ),
];

function isHonest({ address, asn, prefix }: Grant): boolean {
  const n = asn - asnPool.start;
  return n >= 1 && n <= 3 && address === `100.64.0.${n}` && prefix === `2001:db8:${n}::/48`;
}

test("nothing grants more than the honest users have, and nothing takes away from who is not involved", () => {
  expect(cases.length).toBeGreaterThan(100);
  for (const [what, text] of cases) {
    const grants = grantsOf(text);
    expect([what, grants.filter((grant) => !isHonest(grant))]).toEqual([what, []]);
    expect(grants.map(({ asn }) => asn)).toContain(victim.asn);
  }
});

test("BIRD reads every one of them", () => {
  const different = [...new Set(cases.map(([, text]) => text))];
  expect(different.length).toBeGreaterThan(5);
  for (const text of different) {
    expect(birdComplaint(aroundPolicy, { "policy.conf": text })).toBe("");
  }
});
