/**
 * The generated policy, whole, compared with a file; a real BIRD reads each one.
 *
 * `VANTAGE_GOLDEN=write bun test tests/golden` writes the files; look at the difference before you commit it.
 */
import { expect, test } from "bun:test";
import { readHeadscaleNodes } from "../../../lib/peering/policy/headscale-nodes.ts";
import { joinDevices } from "../../../lib/peering/policy/join.ts";
import { readMappings } from "../../../lib/peering/policy/mapping.ts";
import { policyAt, rejectAll } from "../../../lib/peering/policy/policy.ts";
import { policyText } from "../../../lib/peering/policy/policy-text.ts";
import { aroundPolicy, birdComplaint } from "../../exchange/bird-parses.ts";
import { birds } from "../../exchange/birds.ts";
import {
  asnPool,
  hashOf,
  issuer,
  mappingsAnswer,
  nodesAnswer,
  type SampleUser,
  sampleUser,
} from "../../exchange/samples.ts";
import { compareIn } from "../kept-file.ts";

function textOf(users: readonly SampleUser[], suspended: readonly SampleUser[] = []): string {
  const mappings = readMappings(mappingsAnswer(users), asnPool)?.mappings ?? [];
  const nodes = readHeadscaleNodes(nodesAnswer(users))?.nodes ?? [];
  const membership = joinDevices({ mappings, nodes, excluded: [] }, { issuer, allowEmailJoin: false });
  const moment = {
    nowMs: 0,
    suspended: new Map(suspended.map((user) => [hashOf(user), "suspended" as const])),
    held: new Map(),
    emails: new Map(),
  };
  return policyText(policyAt(membership, moment)).text;
}

const twoDevices = sampleUser(2, {
  devices: [["100.64.0.20"], ["100.64.0.3", "fd7a:115c:a1e0::3"]],
  leases: [5, 4].map((n) => ({ prefix: `2001:db8:${n}::/48`, end_time: "2030-01-01T00:00:00Z" })),
  email: null,
  mayPoison: true,
  mayBlackhole: true,
});
const texts = {
  "users.conf": textOf(
    [sampleUser(1), twoDevices, sampleUser(6, { leases: [] }), sampleUser(7)],
    [sampleUser(7)],
  ),
  "nobody.conf": textOf([]),
};

test.each(Object.entries(texts))("%s is as kept, and each BIRD reads it", (name, text) => {
  compareIn(import.meta.dirname, name, text);
  for (const { program } of birds) {
    expect(birdComplaint(aroundPolicy, { "policy.conf": text }, program)).toBe("");
  }
});

test("what is written when data is too old is the policy of nobody", () => {
  expect(policyText(rejectAll).text).toBe(texts["nobody.conf"]);
});
