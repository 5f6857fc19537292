import { expect, test } from "bun:test";
import type * as v from "valibot";
import type { exchangeStatusAnswer } from "../../../../lib/base/api/exchange-status.ts";
import { jsonLog } from "../../../../lib/engines/observe/log.ts";
import { address } from "../../../../lib/net/ip/address.ts";
import { prefixOf } from "../../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../../lib/net/rib/live-table.ts";
import { exchangeRefusals } from "./exchange-refusals.ts";
import { RefusedLook } from "./refused-look.ts";

type Status = v.InferOutput<typeof exchangeStatusAnswer>;

const router = address("192.0.2.2");
const peer = address("100.64.0.10");
const prefix = prefixOf(address("2001:db8:51::"), 48);
const explanation = "the prefix is not exactly one that the user has leased";

const refused = {
  prefix: "2001:db8:51::/48",
  as_path: "65000",
  next_hop: "100.64.0.10",
  reason: "notLeased",
};
const status: Status = {
  at: "2026-01-01T00:00:00.000Z",
  outside: [],
  caches: [],
  sessions: [
    {
      ...{ name: "peering_00001", address: "100.64.0.10", user_hash: null, asn: null, peer_asn: 65_000 },
      ...{ state: "Established", is_up: true, for_seconds: 1, last_error: null, remark: null, leases: [] },
      ...{ suspended_until: null, exported_routes: 0, accepted_routes: 0, refused_routes: 1, accepted: [] },
      refused: [{ ...refused, explanation }],
    },
  ],
};

test("the policy generator's reason counts before BIRD's; who does not answer leaves nothing", async () => {
  let isAway = false;
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: () => (isAway ? new Response("", { status: 503 }) : Response.json(status)),
  });
  const said: string[] = [];
  const { refusals } = new LiveTable();
  const look = new RefusedLook({
    ...{
      router,
      table: { refusals },
      nowUs: () => 5_000_000n,
      log: jsonLog("test", (line) => said.push(line)),
    },
    asked: [
      async () => [{ peer, prefix, reason: null }],
      () => exchangeRefusals(`http://127.0.0.1:${server.port}`),
    ],
  });
  const reason = () => refusals.reasonOf(router, { peer, prefix, changedUs: 0 });
  await look.look();
  expect(reason()).toBe(explanation);
  isAway = true;
  await look.look();
  await look.look();
  expect([refusals.has(router), reason()]).toEqual([false, undefined]);
  expect([look.counts, said.length]).toEqual([{ looks: 3, failures: 2 }, 1]);
  isAway = false;
  await look.look();
  expect(reason()).toBe(explanation);
  await server.stop(true);
});
