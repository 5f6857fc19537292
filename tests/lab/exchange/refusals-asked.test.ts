/** What a collector hears of an exchange's refusals: marks from its BIRD, the rest from its policy generator. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { birdRefusals } from "../../../apps/peering/collector/refused/bird-refusals.ts";
import { exchangeRefusals } from "../../../apps/peering/collector/refused/exchange-refusals.ts";
import { RefusedLook } from "../../../apps/peering/collector/refused/refused-look.ts";
import { serve } from "../../../lib/engines/http/serve.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { address } from "../../../lib/net/ip/address.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { LiveTable } from "../../../lib/net/rib/live-table.ts";
import { outsideRefusalWords } from "../../../lib/peering/policy/outside-refusal.ts";
import { refusalMarks, refusalWords } from "../../../lib/peering/policy/refusal.ts";
import { until } from "../../exchange/until.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import * as plan from "./plan.ts";

const router = address("192.0.2.1");
/** Leased by another user, who announces nothing. */
const notOwn = plan.absent.leases[0]?.prefix ?? "";

let lab: ExchangeLab;
beforeAll(async () => {
  lab = await ExchangeLab.start();
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
});

test("a user's route has the generator's reason, one from outside its mark's", async () => {
  const { app } = lab.service;
  const server = serve((request, connection) => app.fetch(request, connection), {
    ...{ host: "127.0.0.1", port: 0 },
  });
  const table = new LiveTable();
  const reasons = new Map(refusalMarks(plan.platformAsn));
  const socket = join(lab.folder, "exchange.ctl");
  const look = new RefusedLook({
    ...{ router, table, nowUs: () => BigInt(Date.now()) * 1000n, log: jsonLog("collector", () => {}) },
    asked: [() => birdRefusals(socket, reasons), () => exchangeRefusals(server.url)],
  });
  const reasonOf = (peer: string, prefix: string) => {
    const read = parsePrefix(prefix);
    return read && table.refusals.reasonOf(router, { peer: address(peer), prefix: read, changedUs: 0 });
  };
  const says = (peer: string, prefix: string, words: string) =>
    until(words, async () => {
      await look.look();
      return reasonOf(peer, prefix) === words;
    });
  const session = await lab.rogue.dialUp(plan.rogue.asn);
  lab.rogue.announce(session, { prefix: notOwn, path: [plan.rogue.asn], nextHop: plan.rogueAddress });
  await says(plan.rogueAddress, notOwn, refusalWords.notLeased);
  const upstream = plan.upstreamLink.other;
  await says(upstream, plan.infrastructurePrefix, outsideRefusalWords.ownNet);
  await says(upstream, plan.farPrefix(1), outsideRefusalWords.originInvalid);
  expect(reasonOf(upstream, plan.coveredRoute)).toBeUndefined();
  await server[Symbol.asyncDispose]();
  await look.look();
  expect([look.counts.failures, table.refusals.has(router)]).toEqual([1, false]);
  await lab.rogue.hangUp(session);
});
