/** The recorded list of devices, as the policy generator reads it. */
import { expect, test } from "bun:test";
import { readHeadscaleNodes } from "../../../lib/peering/policy/headscale-nodes.ts";
import { readSubject } from "../../../lib/peering/policy/subject.ts";
import { tunnelAddressOf } from "../../../lib/peering/policy/vpn-node.ts";
import { recorded } from "./recorded.ts";

test("of a recorded list, the user's machine is read: address, owner, routes; the exchange server is nobody's", () => {
  const list = readHeadscaleNodes(recorded.list);
  expect([list?.nodes.length, list?.excluded]).toEqual([1, []]);
  const [node] = list?.nodes ?? [];
  expect(node && tunnelAddressOf(node)).toEqual({ v4: "100.64.0.2", v6: "fd7a:115c:a1e0::2", nodeId: "2" });
  expect(readSubject(node?.owner.providerId ?? "", recorded.issuer)).toEqual({
    ok: true,
    subject: "auth0|alice",
  });
  expect(node?.availableRoutes).toEqual(["2001:db8:20ab::/48"]);
  expect(node?.approvedRoutes).toEqual(["2001:db8:20ab::/48"]);
  expect(list?.unserved).toEqual([]);
});

test("a server's routes that no device serves are found, not a user's; unknown where the list does not say it", () => {
  const withRoutes = (subnetRoutes: readonly string[] | undefined) =>
    readHeadscaleNodes({ nodes: recorded.list.nodes.map((node) => ({ ...node, subnetRoutes })) })?.unserved;
  const [address, otherAddress] = ["100.64.0.1", "fd7a:115c:a1e0::1"];
  expect(withRoutes([])).toEqual([
    { nodeId: "1", addresses: [address, otherAddress], approvedRoutes: ["2000::/3"] },
  ]);
  expect(withRoutes(["2000::/3"])).toEqual([]);
  expect(withRoutes(undefined)).toEqual([]);
});
