import { expect, test } from "bun:test";
import type { Policy } from "./policy.ts";
import { approvalsNeeded } from "./route-approval.ts";
import type { VpnNode } from "./vpn-node.ts";

const userHash = "a".repeat(64);
const leased = "2001:db8:1::/48";
const policy: Policy = {
  users: [
    {
      userHash,
      asn: 65_000,
      email: null,
      addresses: [],
      prefixes: [leased],
      notRequested: [],
      held: [],
      suspendedFor: null,
      mayPoison: false,
      mayBlackhole: false,
    },
  ],
};

function device(available: string[], approved: string[], id = "1"): { node: VpnNode; userHash: string } {
  const owner = { userHash, providerId: null, email: null };
  const node = { id, owner, addresses: [], availableRoutes: available, approvedRoutes: approved };
  return { node, userHash };
}

test("what is leased and offered is approved, in whatever spelling", () => {
  expect(approvalsNeeded([device(["2001:DB8:1:0::/48"], [])], policy)).toEqual([
    { nodeId: "1", routes: [leased] },
  ]);
});

test.each([[["::/0", "0.0.0.0/0", "2001:db8::/32", "2001:db8:1:1::/64", "2001:db8:2::/48", "x"]], [[]]])(
  "nothing else is, whatever is offered: %j",
  (available) => {
    expect(approvalsNeeded([device(available, [])], policy)).toEqual([]);
  },
);

test("a route that is not leased, or no longer, is removed", () => {
  const approved = [leased, "::/0"];
  expect(approvalsNeeded([device([leased], approved)], policy)).toEqual([{ nodeId: "1", routes: [leased] }]);
  expect(approvalsNeeded([device([leased], [leased])], { users: [] })).toEqual([{ nodeId: "1", routes: [] }]);
});

test("a correct approval stays, on each device that offers the route", () => {
  const devices = [device([leased], [leased]), device([leased], [], "2"), device([], [], "3")];
  expect(approvalsNeeded(devices, policy)).toEqual([{ nodeId: "2", routes: [leased] }]);
});
