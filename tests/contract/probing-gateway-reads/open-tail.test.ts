/** Replies of an open measurement that must be attributed: one whose probe is stored after it is not passed over. */
import { expect, test } from "bun:test";
import { eventsBegin } from "../../../apps/probing/gateway/reads/event-position.ts";
import { findMeasurementWindow } from "../../../apps/probing/gateway/reads/measurement-window.ts";
import { ProgressWatch } from "../../../apps/probing/gateway/reads/progress-watch.ts";
import { ReplyTail } from "../../../apps/probing/gateway/reads/reply-tail.ts";
import { identityOf } from "../../../lib/engines/auth/token-verifier.ts";
import { Owned } from "../../../lib/engines/http/owned.ts";
import { startEngine } from "../../postgres/engines.ts";
import { probeOf, ResultsHome, replyOf, source } from "./results-home.ts";

test("an answer waits for its probe, also where the probe was added since the last look at the progress", async () => {
  await using database = await startEngine("pglite");
  await using home = await ResultsHome.start(database);
  const id = await home.submit("anna", 1, `west:${source}&open=true`);
  const timeMs = Date.now();
  const unmarked = (ttl: number) => ({ ...replyOf("", ttl), agent: "east", sender: "", timeMs });
  const probe = (index: number) => ({ ...probeOf(id, index), timeMs });
  // The second answer's probe is there early, so that only the count of probes tells that the first one's is not.
  await home.store.insertProbes([0, 2].map(probe));
  const { services } = home.gateway;
  const { userHash } = identityOf("anna");
  const measured = await findMeasurementWindow(
    services.database,
    Owned.of(userHash, { kind: "measurement", id }),
  );
  const watch = new ProgressWatch(services, userHash, measured);
  await watch.sample();
  const tail = new ReplyTail(services, watch, eventsBegin);
  const ttls = async () => (await tail.next(false)).map(({ reply }) => reply.row.probe_ttl);
  await home.store.insertReplies([unmarked(1)]);
  expect(await ttls()).toEqual([1]);

  const add = async (...ttls: number[]) => {
    const added = await home.gateway.ask("anna", `/api/measurements/${id}/probes`, {
      method: "POST",
      headers: { "content-type": "text/csv" },
      body: ttls.map((ttl) => `203.0.113.9,24000,33434,${ttl},udp\n`).join(""),
    });
    expect(added.status).toBe(200);
  };
  await add(2, 3);
  await home.store.insertReplies([unmarked(2)]);
  await home.store.insertReplies([unmarked(3)]);
  expect(await ttls()).toEqual([]);
  // A probe that is accepted later is not waited for, or a measurement that always gets more would never be read.
  await add(4);
  await home.store.insertProbes([probe(1)]);
  let later: unknown[] = [];
  while (later.length === 0) {
    later = await ttls();
  }
  expect(later).toEqual([2, 3]);
});
