import { expect, test } from "bun:test";
import { address } from "../ip/address.ts";
import { rttSummary } from "../paths/rtt-summary.ts";
import type { Column } from "../terminal/rows-output.ts";
import { catchmentColumns, lossColumns } from "./figure-columns.ts";
import type { MeasuredPath } from "./measured-path.ts";
import { pathColumns } from "./path-columns.ts";
import { readCatchmentRow, readLossRow, readPathRow } from "./read-figure-rows.ts";

function rowOf<Row>(columns: readonly Column<Row>[], one: Row): Record<string, unknown> {
  return JSON.parse(JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, value(one)]))));
}

test("loss comes back", () => {
  const loss = { agent: "west", destination: address("2001:db8::1"), submitted: 9, answered: 7, replies: 8 };
  expect(readLossRow(rowOf(lossColumns, loss))).toEqual(loss);
  expect(readLossRow({ ...rowOf(lossColumns, loss), destination: "x" })).toBeNull();
});

test("catchment comes back", () => {
  const counts = { replies: 4, destinations: 3, responders: 2, share: 0.25 };
  const catchment = { probeAgent: "west", probeInstance: 1, heardBy: "east", ...counts };
  expect(readCatchmentRow(rowOf(catchmentColumns, catchment))).toEqual(catchment);
  expect(readCatchmentRow({})).toBeNull();
});

/** Two flows that part at hop 2; one is refused at hop 3, the other reaches the target. */
function path(): MeasuredPath {
  const target = address("203.0.113.9");
  const labels = [{ label: 7, exp: 0, bottomOfStack: true, ttl: 1 }];
  const node = { probes: 2, answered: 1, samplesMs: [1.5], rtt: rttSummary([[1.5]]), labels: [] };
  const exceeded = { kind: "ttlExceeded" } as const;
  const refused = { kind: "unreachable", family: 4, code: 13 } as const;
  return {
    ...{ agent: "west", target, protocol: "udp", reached: true },
    flows: [
      { srcPort: 1, dstPort: 2, endTtl: 3 },
      { srcPort: 3, dstPort: 2, endTtl: null },
    ],
    probes: { submitted: 6, answered: 5, lost: 1 },
    hops: [
      {
        ttl: 1,
        nodes: [
          { ...node, address: address("192.0.2.1"), flows: [0], kind: exceeded },
          { ...node, address: null, flows: [1], answered: 0, rtt: null, samplesMs: [], kind: null },
        ],
      },
      { ttl: 2, nodes: [{ ...node, address: address("192.0.2.2"), flows: [0, 1], kind: exceeded, labels }] },
      { ttl: 3, nodes: [{ ...node, address: target, flows: [0], kind: refused }] },
    ],
  };
}

test("a path comes back with all that is drawn of it", () => {
  const row = rowOf(pathColumns, path());
  expect(readPathRow(row)).toEqual(path());
  expect(readPathRow({ ...row, protocol: "gre" })).toBeNull();
});
