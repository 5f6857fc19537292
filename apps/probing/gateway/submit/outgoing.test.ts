import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address } from "../../../../lib/net/ip/address.ts";
import { Outgoing } from "./outgoing.ts";
import { SpoolFolder } from "./spool-folder.ts";

const path = mkdtempSync(join(tmpdir(), "vantage-outgoing-"));
afterAll(() => rmSync(path, { recursive: true }));

const folder = new SpoolFolder(path, 1_000_000);
const dst = address("192.0.2.1");

async function spooled(id: string, probes: number) {
  const spool = folder.create(id);
  for (let i = 0; i < probes; i++) {
    spool.append({ dst, srcPort: i, dstPort: 2, ttl: 3, protocol: "udp" });
  }
  await folder.sync(id, spool);
  return spool;
}

function order(measurementId: string, probes: number) {
  const targets = [
    { agent: "a", source: null },
    { agent: "a", source: dst },
  ];
  return {
    id: measurementId,
    measurementId,
    firstProbe: 0,
    isOpen: false,
    recordsPackets: false,
    shape: {},
    requestId: null,
    intervalMs: null,
    targets,
    probes,
    recordProbes: 10,
    recordBytesMax: 990_000,
    notAfterMs: 0,
    share: null,
  };
}

/** First probe and number of probes of each record. */
function cuts({ records }: ReturnType<Outgoing["next"]>): [number, number][] {
  return records.map(({ headers, value }) => [JSON.parse(headers.a ?? "{}").first_probe, value.length / 48]);
}

test("each turn takes whole records for all targets, and the next one continues after them", async () => {
  const outgoing = new Outgoing(order("m-1", 25), folder, await spooled("m-1", 25));
  const first = outgoing.next(0);
  expect([first.probes, cuts(first)]).toEqual([
    10,
    [
      [0, 10],
      [0, 10],
    ],
  ]);
  // Not acknowledged: the broker did not accept them.
  expect(cuts(outgoing.next(0))).toEqual(cuts(first));
  outgoing.acknowledge(10);
  const rest = outgoing.next(1_000_000);
  expect([rest.probes, cuts(rest)]).toEqual([
    15,
    [
      [10, 10],
      [10, 10],
      [20, 5],
      [20, 5],
    ],
  ]);
  outgoing.acknowledge(15);
  expect(outgoing.isDone).toBe(true);
});

test("what the broker has is known to the next process, and the cuts stay where they were", async () => {
  const before = new Outgoing(order("m-2", 25), folder, await spooled("m-2", 25));
  before.acknowledge(before.next(0).probes);
  before.close();
  const after = new Outgoing(order("m-2", 25), folder, null);
  expect([after.isOpen, after.open(), after.published]).toEqual([false, true, 10]);
  expect(cuts(after.next(0))).toEqual([
    [10, 10],
    [10, 10],
  ]);
});

test("missing probes, or fewer than before, are reported", async () => {
  await spooled("m-3", 24);
  expect(new Outgoing(order("m-3", 25), folder, null).open()).toBe(false);
  expect(new Outgoing(order("m-4", 25), folder, null).open()).toBe(false);
});
