/** Cutting a measurement into records loses nothing: joined again, each target has every probe, once, in order. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import fc from "fast-check";
import type { OutgoingRecord } from "../../lib/engines/broker/broker.ts";
import { ProbeSpool } from "../../lib/engines/submission/probe-spool.ts";
import { RecordMaker } from "../../lib/engines/submission/record-maker.ts";
import { parseTargets } from "../../lib/engines/submission/targets.ts";
import { address } from "../../lib/net/ip/address.ts";
import type { Probe } from "../../lib/net/packet/probe.ts";
import { encodeProbes, ProbeCursor, probeMessageBytes } from "../../lib/net/wire/probe-codec.ts";
import { decodeTargetHeader } from "../../lib/net/wire/target-header.ts";

const targetLists = ["a", "a,b", "a:192.0.2.1,a:[2001:db8::1]", "a,b:192.0.2.1,b,c,b:192.0.2.2,a:192.0.2.9"];

const sizes = fc.record({
  probes: fc.integer({ min: 1, max: 700 }),
  recordProbesMax: fc.integer({ min: 1, max: 1000 }),
  recordBytesMax: fc.integer({ min: 2000, max: 60_000 }),
  sliceRecords: fc.integer({ min: 1, max: 9 }),
  targets: fc.constantFrom(...targetLists),
});

function probeOf(index: number): Probe {
  return {
    dst: address("192.0.2.1"),
    srcPort: index >> 8,
    dstPort: index & 255,
    ttl: 1 + (index % 255),
    protocol: "udp",
  };
}

/** As the publisher does: whole slices of the spool, each cut into records. */
function cut(spool: ProbeSpool, maker: RecordMaker, sliceRecords: number): OutgoingRecord[] {
  const records: OutgoingRecord[] = [];
  const sliceProbes = sliceRecords * maker.probesPerRecord;
  for (let first = 0; first < spool.probes; first += maker.probesPerRecord) {
    const wanted = Math.min(maker.probesPerRecord, sliceProbes);
    const messages = spool.read(first, wanted, new Uint8Array(wanted * probeMessageBytes));
    records.push(...maker.recordsOf(first, messages));
  }
  return records;
}

function headerOf(record: OutgoingRecord, agent: string) {
  const decoded = decodeTargetHeader(record.headers[agent] ?? "");
  return decoded.ok ? decoded.header : null;
}

test("every target gets every probe once, in order, in records that fit", () => {
  fc.assert(
    fc.property(sizes, ({ probes, targets: list, sliceRecords, ...limits }) => {
      using spool = ProbeSpool.nameless(tmpdir());
      for (let i = 0; i < probes; i++) {
        spool.append(probeOf(i));
      }
      spool.flush();
      const targets = parseTargets(list);
      const maker = new RecordMaker({ measurementId: "m", targets, probes, notAfterMs: 1e12, ...limits });
      const records = cut(spool, maker, sliceRecords);
      const whole = encodeProbes(Array.from({ length: probes }, (_, i) => probeOf(i)));
      for (const { agent, source } of targets) {
        const own = records.filter((record) => {
          const header = headerOf(record, agent);
          return (
            header !== null && (header.srcIp === "") === (source === null) && isFrom(header.srcIp, source)
          );
        });
        expect(Buffer.concat(own.map(({ value }) => value))).toEqual(Buffer.from(whole));
        let next = 0;
        for (const record of own) {
          expect(headerOf(record, agent)).toMatchObject({
            measurementId: "m",
            firstProbe: next,
            notAfterMs: 1e12,
          });
          next += countProbes(record.value);
        }
        const marked = records.filter((record) => headerOf(record, agent)?.endOfMeasurement === true);
        expect(marked).toEqual(
          [records.findLast((record) => agent in record.headers)].filter((r) => r !== undefined),
        );
      }
      for (const { key, value, headers } of records) {
        const head = Object.entries(headers).reduce(
          (sum, [name, text]) => sum + name.length + text.length,
          key.length,
        );
        expect(value.length + head).toBeLessThanOrEqual(limits.recordBytesMax);
        expect(countProbes(value)).toBeLessThanOrEqual(limits.recordProbesMax);
      }
    }),
    { numRuns: 150 },
  );
});

function isFrom(srcIp: string, source: Uint8Array | null): boolean {
  return source === null ? srcIp === "" : srcIp !== "" && Buffer.from(address(srcIp)).equals(source);
}

function countProbes(value: Uint8Array): number {
  const cursor = new ProbeCursor(value);
  let count = 0;
  while (cursor.next < value.length) {
    cursor.advance();
    expect(cursor.reason).toBeNull();
    count++;
  }
  return count;
}
