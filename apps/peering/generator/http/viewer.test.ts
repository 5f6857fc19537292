import { expect, test } from "bun:test";
import { parsePrefix } from "../../../../lib/net/ip/prefix.ts";
import type { Policy } from "../../../../lib/peering/policy/policy.ts";
import { viewerOf } from "./viewer.ts";

const operators = ["127.0.0.0/8", "::1", "192.0.2.0/24"].map(parsePrefix).filter((one) => one !== null);
const addresses = ["100.64.0.10", "100.64.0.11"].map((v4) => ({ v4, v6: null, nodeId: "" }));
const user = {
  userHash: "a".repeat(64),
  asn: 65_000,
  email: null,
  addresses,
  prefixes: [],
  notRequested: [],
  held: [],
  suspendedFor: null,
  mayPoison: false,
  mayBlackhole: false,
};
const policy: Policy = { users: [user] };

test.each(["127.0.0.1", "::1", "192.0.2.9", "::ffff:192.0.2.9"])("%s is an operator", (remote) => {
  expect(viewerOf(remote, operators, policy)).toEqual({ kind: "operator" });
});

test("a device of a user sees all devices of that user, any other device of the VPN itself only", () => {
  expect(viewerOf("100.64.0.11", operators, policy)).toEqual({
    kind: "user",
    addresses: ["100.64.0.10", "100.64.0.11"],
  });
  expect(viewerOf("100.64.0.12", operators, policy)).toEqual({ kind: "user", addresses: ["100.64.0.12"] });
});

test.each([null, "", "x", "198.51.100.1", "2001:db8::1", "fd7a:115c:a1e0::b", "100.128.0.1"])(
  "%p is a stranger",
  (remote) => {
    expect(viewerOf(remote, operators, policy)).toEqual({ kind: "stranger" });
  },
);
