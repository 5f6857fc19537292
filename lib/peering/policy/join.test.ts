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
import type { JoinRules } from "./owners.ts";
import { readStaticNodes } from "./static-nodes.ts";

const rules: JoinRules = { issuer, allowEmailJoin: false };
const [a, b, c] = [sampleUser(1), sampleUser(2), sampleUser(3)] as const;

function joined(mapped: readonly SampleUser[], inVpn: unknown = nodesAnswer(mapped), by = rules) {
  const mappings = readMappings(mappingsAnswer(mapped), asnPool);
  const nodes = readHeadscaleNodes(inVpn);
  const excluded = [...(mappings?.excluded ?? []), ...(nodes?.excluded ?? [])];
  return joinDevices({ mappings: mappings?.mappings ?? [], nodes: nodes?.nodes ?? [], excluded }, by);
}

function hashes(membership: ReturnType<typeof joinDevices>) {
  return membership.members.map(({ userHash }) => userHash).sort();
}

function reasons(membership: ReturnType<typeof joinDevices>) {
  return Object.fromEntries(membership.excluded.map(({ userHash, reason }) => [userHash, reason]));
}

test("users are joined by the subject behind the VPN's name of them, whatever their e-mail", () => {
  const nodes = nodesAnswer([
    { ...a, email: b.email },
    { ...b, email: a.email },
  ]);
  const { members } = joined([a, b], nodes);
  expect(members.find(({ userHash }) => userHash === hashOf(a))?.addresses[0]?.v4).toBe("100.64.0.1");
});

test("the order of either source changes nothing", () => {
  const { nodes } = nodesAnswer([a, b, c]);
  expect(joined([a, b, c])).toEqual(joined([c, b, a], { nodes: nodes.toReversed() }));
});

test("all devices of a user count, in the order of their addresses", () => {
  const devices = [["100.64.0.10"], ["100.127.255.254", "fd7a:115c:a1e0::3"], ["100.64.0.9"], ["100.64.0.9"]];
  const { members } = joined([{ ...a, devices }]);
  expect(members[0]?.addresses.map(({ v4, v6 }) => [v4, v6])).toEqual([
    ["100.64.0.9", null],
    ["100.64.0.10", null],
    ["100.127.255.254", "fd7a:115c:a1e0::3"],
  ]);
});

test.each([
  ["one address for two users", { devices: b.devices }, "duplicateAddress"],
  ["one IPv6 address for two users", { devices: [["100.64.0.77", "fd7a:115c:a1e0::2"]] }, "duplicateAddress"],
  ["one ASN for two users", { asn: b.asn }, "duplicateAsn"],
  ["one prefix for two users", { leases: b.leases }, "duplicatePrefix"],
] as const)("%s: both are out, nobody else", (_what, parts, reason) => {
  const membership = joined([{ ...a, ...parts }, b, c]);
  expect(hashes(membership)).toEqual([hashOf(c)]);
  expect(reasons(membership)).toEqual({ [hashOf(a)]: reason, [hashOf(b)]: reason });
});

test("a user listed twice by the gateway is excluded", () => {
  const membership = joined([a, { ...a, asn: 65_100 }, b], nodesAnswer([a, b]));
  expect(hashes(membership)).toEqual([hashOf(b)]);
  expect(reasons(membership)[hashOf(a)]).toBeDefined();
});

test.each([
  [["100.64.0.999"]],
  [["100.63.255.255"]],
  [["100.128.0.0"]],
  [["100.64.0.1\n"]],
  [["fd7a:115c:a1e0::1"]],
  [["100.64.0.1", "2001:db8::1"]],
  [["100.64.0.1", "x"]],
  [[]],
])("a device at %j takes its user out", (addresses) => {
  const membership = joined([{ ...a, devices: [["100.64.0.1"], addresses] }, b]);
  expect(hashes(membership)).toEqual([hashOf(b)]);
  expect(reasons(membership)).toEqual({ [hashOf(a)]: "badAddress" });
});

test("a user not in the VPN, without an ASN or of another issuer is excluded, with the reason", () => {
  const foreign = nodesAnswer([sampleUser(9)]).nodes.map((node) => ({
    ...node,
    user: { ...node.user, providerId: "https://elsewhere.example/x" },
  }));
  const nodes = { nodes: [...nodesAnswer([a, c]).nodes, ...foreign] };
  const membership = joined([a, b], nodes);
  expect(hashes(membership)).toEqual([hashOf(a)]);
  expect(reasons(membership)).toEqual({
    null: "otherIssuer",
    [hashOf(b)]: "noNode",
    [hashOf(c)]: "noMapping",
  });
});

test("tagged devices are machines, and devices that cannot be read are left out", () => {
  const [first] = nodesAnswer([a]).nodes;
  const nodes = { nodes: [{ ...first, tags: ["tag:exchange"] }, { ...first, ipAddresses: "x" }, 5] };
  const membership = joined([a], nodes);
  expect(membership.members).toEqual([]);
  expect(membership.excluded.map(({ reason }) => reason)).toEqual(["badNode", "badNode", "noNode"]);
});

test("by e-mail only where it is allowed, only without a better name, and never when two have it", () => {
  const nameless = (users: SampleUser[]) => ({
    nodes: nodesAnswer(users).nodes.map((node) => ({ ...node, user: { ...node.user, providerId: "" } })),
  });
  const byEmail = { ...rules, allowEmailJoin: true };
  expect(hashes(joined([a], nameless([a])))).toEqual([]);
  expect(hashes(joined([a], nameless([a]), byEmail))).toEqual([hashOf(a)]);
  const thief = { ...b, email: a.email };
  expect(hashes(joined([a], nodesAnswer([thief]), byEmail))).toEqual([]);
  expect(hashes(joined([a, thief], nameless([a]), byEmail))).toEqual([]);
});

test("a static list names users and addresses; a bad line excludes nobody else", () => {
  const text = `# by hand\n${hashOf(a)} 100.64.0.1 fd7a:115c:a1e0::1 # laptop\n\n${hashOf(b)} 100.64.0.2\nx y\n`;
  const { nodes, excluded } = readStaticNodes(text);
  const mappings = readMappings(mappingsAnswer([a, b]), asnPool)?.mappings ?? [];
  const membership = joinDevices({ mappings, nodes, excluded }, { issuer: null, allowEmailJoin: false });
  expect(hashes(membership)).toEqual([hashOf(a), hashOf(b)].sort());
  expect(membership.excluded).toEqual([{ userHash: null, reason: "badNode", detail: "line 5: x y" }]);
});

test("any number of users: nobody is excluded because there are many others", () => {
  const many = Array.from({ length: 10_000 }, (_, n) => sampleUser(n, { asn: 1 + n }));
  const mappings = readMappings(mappingsAnswer(many), { start: 1, end: 65_999 })?.mappings ?? [];
  const { nodes } = readHeadscaleNodes(nodesAnswer(many)) ?? { nodes: [] };
  const rules = { issuer, allowEmailJoin: false };
  expect(joinDevices({ mappings, nodes, excluded: [] }, rules).members).toHaveLength(10_000);
});
