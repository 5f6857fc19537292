/**
 * A list of devices kept by hand, for an exchange without a coordination server: a device in each line, as
 * `USER_HASH 100.64.0.10 [fd7a:115c:a1e0::a]`; `#` starts a comment.
 */
import type { Exclusion } from "./exclusion.ts";
import type { NodeList } from "./headscale-nodes.ts";
import { printable } from "./printable.ts";
import type { VpnNode } from "./vpn-node.ts";

/** Reads the list. A malformed line is reported, with its number, and excludes no other user. */
export function readStaticNodes(text: string): NodeList {
  const read = text.split("\n").flatMap((line, index) => {
    const content = line.replace(/#.*/, "").trim();
    return content === "" ? [] : [readLine(content, index + 1)];
  });
  return {
    nodes: read.filter((one) => "owner" in one),
    excluded: read.filter((one) => "reason" in one),
    unserved: [],
  };
}

function readLine(content: string, number: number): VpnNode | Exclusion {
  const [userHash = "", ...addresses] = content.split(/\s+/);
  if (!/^[0-9a-f]{64}$/.test(userHash) || addresses.length < 1 || addresses.length > 2) {
    return { userHash: null, reason: "badNode", detail: `line ${number}: ${printable(content, 60)}` };
  }
  const owner = { userHash, providerId: null, email: null };
  return { id: "", owner, addresses, availableRoutes: [], approvedRoutes: [] };
}
