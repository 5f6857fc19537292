import { expect, test } from "bun:test";
import * as v from "valibot";
import { issueReason, jsonTypeNames } from "./issue-reason.ts";

const schema = v.pipe(
  v.strictObject({
    probe_limit: v.optional(v.number()),
    deliveries: v.optional(v.pipe(v.array(v.strictObject({ webhook: v.string() })), v.maxLength(3))),
    detectors: v.optional(
      v.record(v.string(), v.optional(v.strictObject({ raise: v.optional(v.number()) }))),
    ),
    share: v.optional(
      v.variant("kind", [
        v.strictObject({ kind: v.literal("link") }),
        v.strictObject({ kind: v.literal("public"), licence: v.string() }),
      ]),
    ),
    mode: v.optional(v.picklist(["fast", "slow"])),
    protocol: v.optional(v.picklist(["udp", "icmp"], "must be a protocol, udp or icmp")),
    sites: v.optional(v.union([v.literal("all"), v.array(v.string())], 'must be "all", or a list of sites')),
  }),
  v.check(() => true),
);

function reasons(value: unknown): string[] {
  return (v.safeParse(schema, value).issues ?? []).map(
    (issue) => `${v.getDotPath(issue)} ${issueReason(issue, jsonTypeNames, schema)}`,
  );
}

test("an unknown member is unknown, at any depth, with what may have been meant", () => {
  expect(reasons({ probe_limits: 1 })).toEqual(['probe_limits is unknown; did you mean "probe_limit"?']);
  expect(reasons({ probes_per_day: 1 })).toEqual([
    "probes_per_day is unknown; known here: probe_limit, deliveries, detectors, share, mode, protocol, sites",
  ]);
  expect(reasons({ deliveries: [{ webhook: "x", z: 1 }] })).toEqual([
    "deliveries.0.z is unknown; known here: webhook",
  ]);
  expect(reasons({ detectors: { loss: { rise: 1 } } })).toEqual([
    'detectors.loss.rise is unknown; did you mean "raise"?',
  ]);
  expect(reasons({ share: { kind: "link", license: "x" } })).toEqual([
    'share.license is unknown; did you mean "licence"?',
  ]);
});

test("what is missing, of another type or not in a list is said as before", () => {
  expect(reasons({ deliveries: [{}] })).toEqual(["deliveries.0.webhook is missing"]);
  expect(reasons({ probe_limit: "1" })).toEqual(['probe_limit must be a number, not "1"']);
  expect(reasons({ mode: "quick" })).toEqual(['mode must be one of fast, slow, not "quick"']);
});

test("a picklist or union with words of its own is said in these", () => {
  expect(reasons({ protocol: "sctp" })).toEqual(['protocol must be a protocol, udp or icmp, not "sctp"']);
  expect(reasons({ sites: 7 })).toEqual(['sites must be "all", or a list of sites, not 7']);
});
