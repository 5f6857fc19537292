/** Answers of Atlas that are not to the probe beside which they stand: copies, and late ones. */
import { expect, test } from "bun:test";
import { JsonTraceReader } from "./json-trace-reader.ts";
import { sentUs } from "./trace.ts";

const common = { prb_id: 7, timestamp: 1_795_692_661, dst_addr: "198.51.100.7", src_addr: "192.0.2.1" };

function read(given: object) {
  const notes: { readonly reason: string; readonly isDamage: boolean }[] = [];
  const trace = new JsonTraceReader((odd) => void notes.push(odd)).line(
    JSON.stringify({ ...common, ...given }),
  );
  return { notes: notes.map(({ reason, isDamage }) => [reason, isDamage]), trace };
}

test("a ping's duplicate is a copy of the answer before it, and no further probe", () => {
  const result = [{ rtt: 9 }, { dup: 1, rtt: 9.4, ttl: 57 }, { rtt: 10 }, { x: "*" }];
  const { trace, notes } = read({ type: "ping", sent: 3, result });
  expect(notes).toEqual([]);
  expect(trace?.probes).toEqual([{ ttl: 64, sent: 3 }]);
  const sent = trace?.replies.map((reply) => sentUs(reply) - 1e6 * common.timestamp);
  expect(sent).toEqual([0, 0, 100]);
});

test("a late answer is left out and counted, and is not a probe of the hop at which it stands", () => {
  const [target, late] = [
    { from: "198.51.100.7", rtt: 9.1 },
    { from: "10.0.0.9", late: 2 },
  ];
  const { trace, notes } = read({
    type: "traceroute",
    result: [
      { hop: 2, result: [{ x: "*" }, { x: "*" }, { x: "*" }] },
      { hop: 3, result: [late, target, { ...target, dup: true, rtt: 9.5 }, target, target] },
    ],
  });
  expect(notes).toEqual([["late answer", false]]);
  expect(trace?.probes).toEqual([
    { ttl: 2, sent: 3 },
    { ttl: 3, sent: 3 },
  ]);
  const answers = trace?.replies.map((one) => [one.reply_src_addr, sentUs(one) - 1e6 * common.timestamp]);
  expect(answers).toEqual([300, 300, 400, 500].map((us) => ["198.51.100.7", us]));
});
