import { expect, test } from "bun:test";
import { address } from "../ip/address.ts";
import { Path } from "../paths/path.ts";
import type { Column } from "../terminal/rows-output.ts";
import { catchmentColumns, lossColumns } from "./figure-columns.ts";
import { pathColumns } from "./path-columns.ts";
import { drawingOf } from "./path-drawing.ts";
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
function path(): Path {
  const target = address("203.0.113.9");
  const made = new Path(target, 2);
  const answer = (flow: number, ttl: number, from: string, kind = {}) => {
    made.markSent(flow, ttl);
    made.record(flow, ttl, {
      from: address(from),
      rttMs: ttl,
      labels: ttl === 2 ? [{ label: 7, exp: 0, bottomOfStack: true, ttl: 1 }] : [],
      kind: { kind: "ttlExceeded", ...kind },
    });
  };
  answer(0, 1, "192.0.2.1");
  made.markSent(1, 1);
  made.record(1, 1, "lost");
  answer(0, 2, "192.0.2.2");
  answer(1, 2, "192.0.2.3");
  answer(0, 3, "192.0.2.4", { kind: "unreachable", family: 4, code: 13 });
  answer(1, 3, "203.0.113.9", { kind: "echoReply" });
  return made;
}

test("a path comes back with all that is drawn of it", () => {
  const flows = [
    { srcPort: 1, dstPort: 2 },
    { srcPort: 3, dstPort: 2 },
  ];
  const stored = {
    ...{ agent: "west", target: address("203.0.113.9"), protocol: "udp" as const, flows, firstTtl: 1 },
    path: path(),
  };
  const row = rowOf(pathColumns, stored);
  const { path: known, ...drawn } = drawingOf(stored);
  const { path: read, ...back } = readPathRow(row) ?? { path: new Path(stored.target, 0) };
  expect(back).toEqual(drawn);
  expect([0, 1].map((flow) => read.endOfFlow(flow))).toEqual([0, 1].map((flow) => known.endOfFlow(flow)));
  expect([read.reached(), read.lastAnsweredTtl]).toEqual([true, 3]);
  expect(readPathRow({ ...row, protocol: "gre" })).toBeNull();
});
