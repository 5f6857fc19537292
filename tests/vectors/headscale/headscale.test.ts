/**
 * What a real Headscale 0.28.0 answered to `GET /api/v1/node`, for a device made with `headscale debug create-node`
 * whose user had logged in as `auth0|user-1`, after one of its two routes was approved over the API.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readHeadscaleNodes } from "../../../lib/policy/headscale-nodes.ts";
import { readSubject } from "../../../lib/policy/subject.ts";
import { tunnelAddressOf } from "../../../lib/policy/vpn-node.ts";

test("a recorded list of devices is read: address, owner, routes", () => {
  const text = readFileSync(join(import.meta.dirname, "nodes-0.28.0.json"), "utf8");
  const list = readHeadscaleNodes(JSON.parse(text));
  const [node] = list?.nodes ?? [];
  expect([list?.nodes.length, list?.excluded]).toEqual([1, []]);
  expect(node && tunnelAddressOf(node)).toEqual({ v4: "100.64.0.1", v6: "fd7a:115c:a1e0::1", nodeId: "1" });
  expect(readSubject(node?.owner.providerId ?? "", "https://login.example/")).toEqual({
    ok: true,
    subject: "auth0|user-1",
  });
  expect(node?.availableRoutes).toEqual(["2001:db8:1::/48", "::/0"]);
  expect(node?.approvedRoutes).toEqual(["2001:db8:1::/48"]);
});
