import { expect, test } from "bun:test";
import type { SampleUser } from "../../../tests/exchange/samples.ts";
import {
  asnPool,
  hashOf,
  issuer,
  mappingsAnswer,
  nodesAnswer,
  sampleUser,
} from "../../../tests/exchange/samples.ts";
import { readHeadscaleNodes } from "./headscale-nodes.ts";
import { joinDevices } from "./join.ts";
import { readMappings } from "./mapping.ts";
import { anywhere, mayAnnounce, nextEndMs, type PolicyConditions, policyAt, rejectAll } from "./policy.ts";
import { policyText } from "./policy-text.ts";
import { refusalOf } from "./refusal.ts";

const soon = "2026-01-01T00:00:00Z";
const later = "2026-01-02T00:00:00Z";
const leases = [
  { prefix: "2001:db8:a::/48", end_time: soon },
  { prefix: "2001:db8:b::/48", end_time: later },
];
const user = sampleUser(1, { leases });
const moment: PolicyConditions = { nowMs: 0, suspended: new Map(), held: new Map(), emails: new Map() };

function membershipOf(...users: SampleUser[]) {
  return joinDevices(
    {
      mappings: readMappings(mappingsAnswer(users), asnPool)?.mappings ?? [],
      nodes: readHeadscaleNodes(nodesAnswer(users))?.nodes ?? [],
      excluded: [],
    },
    { issuer, allowEmailJoin: false },
  );
}

function prefixesAt(nowMs: number, parts: Partial<PolicyConditions> = {}) {
  return policyAt(membershipOf(user), { ...moment, nowMs, ...parts }).users[0]?.prefixes;
}

test("a lease is in the policy until the instant of its end, and not at it", () => {
  expect(prefixesAt(Date.parse(soon) - 1)).toEqual(["2001:db8:a::/48", "2001:db8:b::/48"]);
  expect(prefixesAt(Date.parse(soon))).toEqual(["2001:db8:b::/48"]);
  expect(prefixesAt(Date.parse(later))).toEqual([]);
});

test("the next end is the first that is still to come", () => {
  const membership = membershipOf(user);
  expect(nextEndMs(membership, 0)).toBe(Date.parse(soon));
  expect(nextEndMs(membership, Date.parse(soon))).toBe(Date.parse(later));
  expect(nextEndMs(membership, Date.parse(later))).toBeNull();
});

test("a suspended user announces nothing, whatever is leased", () => {
  expect(prefixesAt(0, { suspended: new Map([[hashOf(user), "suspended" as const]]) })).toEqual([]);
});

test.each([
  [{ isSuspended: true }, "userSuspended"],
  [{ isStopped: true }, "announcementsStopped"],
  [{ isSuspended: true, isStopped: true }, "userSuspended"],
] as const)("what an operator has stopped at the gateway is refused for that: %o", (parts, refusal) => {
  const stopped = { ...user, ...parts };
  const policy = policyAt(membershipOf(stopped), moment);
  expect(policy.users[0]?.prefixes).toEqual([]);
  const route = { prefix: "2001:db8:a::/48", from: "100.64.0.1", path: String(user.asn), marks: [] };
  expect(refusalOf(route, policy, 64_500)).toBe(refusal);
});

test("a user with the right to it may announce single addresses of live leases, and nothing else beside these", () => {
  const of = (mayBlackhole: boolean, prefix: string) => {
    const [one] = policyAt(membershipOf({ ...user, mayBlackhole }), {
      ...moment,
      nowMs: Date.parse(soon),
    }).users;
    return one !== undefined && mayAnnounce(one, prefix);
  };
  expect([of(true, "2001:db8:b::/48"), of(false, "2001:db8:b::/48")]).toEqual([true, true]);
  expect([of(true, "2001:db8:b::5/128"), of(false, "2001:db8:b::5/128")]).toEqual([true, false]);
  expect([of(true, "2001:db8:b::4/127"), of(true, "2001:db8:b::/49")]).toEqual([false, false]);
  // The lease around it has ended.
  expect([of(true, "2001:db8:a::5/128"), of(true, "2001:db8:a::/48")]).toEqual([false, false]);
});

test("the last known e-mail address stands in for one that is not at hand", () => {
  const membership = membershipOf({ ...user, email: null });
  const text = (emails: Map<string, string>) => policyText(policyAt(membership, { ...moment, emails })).text;
  expect(text(new Map())).toContain("# User: unknown\n");
  expect(text(new Map([[hashOf(user), "last@example.org"]]))).toContain("# User: last@example.org\n");
});

test("the version follows the rules, and nothing else", () => {
  const version = (one: SampleUser) => policyText(policyAt(membershipOf(one), moment)).version;
  expect(version(user)).toBe(version({ ...user }));
  expect(version(user)).not.toBe(version({ ...user, asn: 65_007 }));
  expect(policyText(rejectAll).text).toContain("# Unknown user\n  reject;\n}");
});

test.each([
  [{ marks: [[64_500, 1, 2]] }, "foreignAs"],
  [{ marks: [[64_500, 1, 4]] }, "rpkiInvalid"],
  [{ marks: [[64_501, 1, 4]] }, "pending"],
  [{ marks: [[64_500, 0, 1]] }, "pending"],
  [{ from: "100.64.0.2" }, "unknownAddress"],
  [{ path: "65002" }, "wrongAsn"],
  [{ path: "65001 {65001}" }, "wrongAsn"],
  [{ prefix: "2001:db8:a:1::/64" }, "moreSpecific"],
  [{}, "pending"],
] as const)("a refused route with %j: %s", (parts, refusal) => {
  const route = { prefix: "2001:db8:a::/48", from: "100.64.0.1", path: "65001 65001", marks: [], ...parts };
  expect(refusalOf(route, policyAt(membershipOf(user), moment), 64_500)).toBe(refusal);
});

test("what ends at this exchange server is refused for that, and is still leased elsewhere", () => {
  const [at, later] = [moment.nowMs + 1000, moment.nowMs + 2000];
  const { members } = membershipOf(user);
  const ending = members.map((member) => ({
    ...member,
    leases: member.leases.map((lease) => ({ ...lease, endsAtMs: later, endsHereAtMs: at })),
  }));
  expect(nextEndMs({ members: ending }, moment.nowMs)).toBe(at);
  expect(policyAt({ members: ending }, moment).users[0]?.prefixes).toHaveLength(2);
  const after = policyAt({ members: ending }, { ...moment, nowMs: at });
  expect(after.users[0]?.prefixes).toEqual([]);
  const route = { prefix: "2001:db8:a::/48", from: "100.64.0.1", path: "65001", marks: [] };
  expect(refusalOf(route, after, 64_500)).toBe("notRequested");
  expect(nextEndMs({ members: ending }, at)).toBe(later);
  expect(policyAt({ members: anywhere(ending) }, { ...moment, nowMs: at }).users[0]?.prefixes).toHaveLength(
    2,
  );
  expect(refusalOf(route, policyAt({ members: ending }, { ...moment, nowMs: later }), 64_500)).toBe(
    "notLeased",
  );
});

test("a route of a suspended user is refused for that", () => {
  const policy = policyAt(membershipOf(user), {
    ...moment,
    suspended: new Map([[hashOf(user), "suspended" as const]]),
  });
  const route = { prefix: "2001:db8:a::/48", from: "100.64.0.1", path: "65001", marks: [] };
  expect(refusalOf(route, policy, 64_500)).toBe("suspended");
});

test("a prefix that is held back is refused for that, and the others of the user are not", () => {
  const held = new Map([[hashOf(user), new Map([["2001:db8:a::/48", 0]])]]);
  const policy = policyAt(membershipOf(user), { ...moment, held });
  const route = { prefix: "2001:db8:a::/48", from: "100.64.0.1", path: "65001", marks: [] };
  expect(refusalOf(route, policy, 64_500)).toBe("held");
  expect(policy.users.map(({ prefixes, held: back }) => [prefixes, back])).toEqual([
    [["2001:db8:b::/48"], ["2001:db8:a::/48"]],
  ]);
});
