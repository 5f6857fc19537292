import { expect, test } from "bun:test";
import { manySorts, nowMs, sampleReply } from "../../../tests/contract/store/samples.ts";
import { Mutator } from "../../../tests/fuzz/mutator.ts";
import { decodeReply, encodeReply } from "../../wire/reply-codec.ts";
import { timeAheadMaxNs, timeBehindMaxNs } from "./limits.ts";
import { type RejectedMessage, type RejectReason, ReplyBlock } from "./reply-block.ts";

const mutants = 30_000;

function add(block: ReplyBlock, value: Uint8Array, headers: Record<string, string> = {}): RejectedMessage[] {
  return block.add({ value, headers, partition: 0 }, nowMs);
}

/** What the codec says of a record: replies, and reasons for the others. */
function expected(record: Uint8Array): { replies: number; reasons: RejectReason[] } {
  const reasons: RejectReason[] = [];
  let replies = 0;
  for (let at = 0; at < record.length; ) {
    const result = decodeReply(record, at);
    const timeNs = result.ok ? result.reply.timeReceivedNs : 0n;
    const nowNs = BigInt(nowMs) * 1_000_000n;
    if (!result.ok) {
      reasons.push(result.reason);
    } else if (timeNs < nowNs - timeBehindMaxNs || timeNs > nowNs + timeAheadMaxNs) {
      reasons.push("timeReceived");
    } else {
      replies++;
    }
    at = result.next;
  }
  return { replies, reasons };
}

test("on damaged records it finds the replies that the codec finds, and never throws", () => {
  const mutator = new Mutator(7);
  const messages = manySorts.map(encodeReply);
  const [first = new Uint8Array(0), ...others] = messages;
  for (let i = 0; i < mutants; i++) {
    const one = mutator.mutate(messages[i % messages.length] ?? first, others);
    const record = Buffer.concat([one, first]);
    const block = new ReplyBlock();
    const rejected = add(block, record);
    const { replies, reasons } = expected(record);
    const sum = rejected.map(({ reason }) => reason).sort();
    expect([block.rows, sum.length], one.toHex()).toEqual([replies, reasons.length]);
    if (!reasons.includes("timeReceived") && !sum.includes("timeReceived")) {
      expect(sum, one.toHex()).toEqual(reasons.sort());
    }
  }
});

test("a rejected message leaves no trace in the block", () => {
  const [good, withLabels] = [encodeReply(sampleReply(1)), encodeReply(manySorts[2] ?? sampleReply(2))];
  // The last pointer, of the probe's destination, is read after all else.
  const bad = withLabels.slice();
  bad[88] = 0xff;
  const [clean, mixed] = [new ReplyBlock(), new ReplyBlock()];
  add(clean, Buffer.concat([good, withLabels]));
  expect(add(mixed, Buffer.concat([bad, good, bad, withLabels, bad])).length).toBe(3);
  expect(mixed.toBytes().toHex()).toBe(clean.toBytes().toHex());
});

test("a cleared block is as good as new", () => {
  const block = new ReplyBlock();
  add(block, Buffer.concat(manySorts.map(encodeReply)), { measurement_id: "m" });
  const once = block.toBytes().slice();
  expect(block.bytes).toBeGreaterThan(500);
  block.clear();
  expect([block.rows, block.bytes]).toEqual([0, 0]);
  add(block, Buffer.concat(manySorts.map(encodeReply)), { measurement_id: "m" });
  expect(block.toBytes().toHex()).toBe(once.toHex());
});

test.each([
  ["60 days old", -60n * 86_400n * 10n ** 9n, 0],
  ["a nanosecond older", -60n * 86_400n * 10n ** 9n - 1n, 1],
  ["a day ahead", 86_400n * 10n ** 9n, 0],
  ["a nanosecond more", 86_400n * 10n ** 9n + 1n, 1],
])("a reply that is %s is one, or not", (_, differenceNs, rejected) => {
  const timeReceivedNs = BigInt(nowMs) * 1_000_000n + differenceNs;
  expect(add(new ReplyBlock(), encodeReply(sampleReply(0, { timeReceivedNs }))).length).toBe(rejected);
});

test("headers that look alike when joined are distinguished", () => {
  const [a, b] = [new ReplyBlock(), new ReplyBlock()];
  const message = encodeReply(sampleReply(0));
  const first = { measurement_id: "x,y", probe_agent: "", probe_instance: "" };
  const second = { measurement_id: "x", probe_agent: "y,", probe_instance: "" };
  add(a, message, first);
  add(a, message, second);
  add(b, message, first);
  add(b, message, first);
  expect(a.toBytes().toHex()).not.toBe(b.toBytes().toHex());
});
