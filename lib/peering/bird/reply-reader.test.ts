import { expect, test } from "bun:test";
import { ReplyReader } from "./reply-reader.ts";
import { readRoutes } from "./routes.ts";
import { readSessions } from "./sessions.ts";

/** As BIRD 2.0.12 sent it, with a greeting before. */
const said = `0001 BIRD 2.0.12 ready.
2002-Name       Proto      Table      State  Since         Info
1002-peering    BGP        ---        start  2026-11-21 13:12:27.165  Passive
1006-  BGP state:          Passive
     Neighbor range:   100.64.0.0/10
     Local AS:         64500
${" "}
1002-peering_00001 BGP        ---        up     2026-11-21 13:12:28.108  Established
1006-  BGP state:          Established
     Neighbor address: 100.64.0.12
     Neighbor AS:      65012
     Local AS:         64500
     Last error:       Received: Connection closed
   Channel ipv6
     State:          UP
     Routes:         2 imported, 3 filtered, 19997 exported, 2 preferred
     Route change stats:     received   rejected   filtered    ignored   accepted
       Import updates:              9          1          3          2          4
       Import withdraws:            5          0        ---          2          3
       Export updates:          19999          2          0        ---      19997
${" "}
1006-
0000 
`;

function answersOf(text: string, chunkBytes: number) {
  const reader = new ReplyReader();
  const bytes = new TextEncoder().encode(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) => i * chunkBytes);
  return chunks.flatMap((start) => reader.read(bytes.subarray(start, start + chunkBytes)));
}

test.each([1, 7, 4096])("an answer is read whole, %d bytes at a time", (chunkBytes) => {
  const answers = answersOf(said, chunkBytes);
  expect(answers.map((answer) => answer.at(-1)?.code)).toEqual([1, 0]);
  expect(answers[1]?.[3]).toEqual({ code: 1006, text: "    Neighbor range:   100.64.0.0/10" });
});

test("a partial answer gives nothing", () => {
  expect(answersOf(said.slice(0, -7), 4096)).toHaveLength(1);
});

test("sessions have a neighbour; the template of the dynamic ones has none", () => {
  expect(readSessions(answersOf(said, 4096)[1] ?? [])).toEqual([
    {
      name: "peering_00001",
      isUp: true,
      state: "Established",
      since: "2026-11-21 13:12:28.108",
      neighborAddress: "100.64.0.12",
      neighborAsn: 65_012,
      lastError: "Received: Connection closed",
      importedRoutes: 2,
      filteredRoutes: 3,
      exportedRoutes: 19_997,
      acceptedUpdates: 4,
      bogusUpdates: 1,
      idleWithdrawals: 2,
    },
  ]);
});

test("BIRD 3 counts in more columns, and names attributes otherwise", () => {
  const table = [
    "     Route change stats:     received   rejected   filtered    ignored   RX limit      limit   accepted",
    "       Import updates:              6          1          3          0          0          0          2",
    "       Import withdraws:            5          0        ---          3        ---        ---          4",
  ];
  const two = answersOf(said, 4096)[1] ?? [];
  const three = two.map((line) => {
    const at = ["Route change", "Import updates", "Import withdraws"].findIndex((word) =>
      line.text.includes(word),
    );
    return at < 0 ? line : { ...line, text: table[at]?.slice(1) ?? "" };
  });
  expect(readSessions(three)).toMatchObject([{ acceptedUpdates: 2, bogusUpdates: 1, idleWithdrawals: 1 }]);
  const lines = [
    "2001:db8:1::/48      unicast [peering_00001 12:00:00.000] * (100/?) [AS65012i]",
    "\thostentry: via 100.64.0.12 table master4",
    "\tbgp_path: 65012",
    "\tbgp_next_hop: 100.64.0.12",
    "\tbgp_large_community: (64500, 1, 5)",
    "\tbgp_unknown_0x63: (transitive)",
    "\tbgp_pmsi_tunnel: ingress-replication 192.0.2.1 mpls 0",
    "\tbgp_unknown_0x64: ",
  ].map((text) => ({ code: 1007, text }));
  expect(readRoutes(lines)).toEqual([
    {
      prefix: "2001:db8:1::/48",
      protocol: "peering_00001",
      since: "12:00:00.000",
      path: "65012",
      nextHop: "100.64.0.12",
      largeCommunities: [[64_500, 1, 5]],
      unknownAttributes: [0x63, 22],
    },
  ]);
});

test("routes: several for one prefix, sets in the path, large communities, none of these", () => {
  const lines = [
    "Table master6:",
    "2001:db8:1::/48      unicast [peering_00001 12:00:00.000 from 100.64.0.12] * (100) [AS65012i]",
    "\tvia 100.64.0.12 on tailscale0",
    "\tType: BGP univ",
    "\tBGP.as_path: 65012 {65013 65014}",
    "\tBGP.next_hop: 2001:db8::1 fe80::1",
    "\tBGP.large_community: (64500, 0, 1) (64500, 1, 2)",
    "                     unicast [upstream_transit 12:00:00.000] (100) [AS64499i]",
    "\tBGP.as_path: 64496 64499",
    "2001:db8:2::/48      unreachable [platform 12:00:00.000] * (200)",
  ].map((text) => ({ code: 1007, text }));
  expect(readRoutes(lines)).toEqual([
    {
      prefix: "2001:db8:1::/48",
      protocol: "peering_00001",
      since: "12:00:00.000",
      path: "65012 {65013 65014}",
      nextHop: "2001:db8::1",
      largeCommunities: [
        [64_500, 0, 1],
        [64_500, 1, 2],
      ],
      unknownAttributes: [],
    },
    {
      prefix: "2001:db8:1::/48",
      protocol: "upstream_transit",
      since: "12:00:00.000",
      path: "64496 64499",
      nextHop: "",
      largeCommunities: [],
      unknownAttributes: [],
    },
    {
      prefix: "2001:db8:2::/48",
      protocol: "platform",
      since: "12:00:00.000",
      path: "",
      nextHop: "",
      largeCommunities: [],
      unknownAttributes: [],
    },
  ]);
});
