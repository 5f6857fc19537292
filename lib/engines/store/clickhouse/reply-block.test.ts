import { expect, test } from "bun:test";
import { manySorts, nowMs, sampleReply } from "../../../../tests/contract/store/samples.ts";
import { Mutator } from "../../../../tests/fuzz/mutator.ts";
import { inTier } from "../../../../tests/run/tier.ts";
import { asSent } from "../../../net/packet/reply.ts";
import { replyRttUsOffset } from "../../../net/wire/layout.ts";
import { decodeReply, encodeReply } from "../../../net/wire/reply-codec.ts";
import { timeAheadMaxNs, timeBehindMaxNs } from "./limits.ts";
import { PlainReply } from "./plain-reply.ts";
import { type RejectedMessage, type RejectReason, ReplyBlock } from "./reply-block.ts";

const mutants = inTier({ usual: 2000, long: 20_000 });

function add(
  block: ReplyBlock,
  value: Uint8Array,
  headers: Record<string, string> = {},
): readonly RejectedMessage[] {
  return block.add({ value, headers, partition: 0 }, nowMs);
}

/** What the codec says of a record: replies, in the form of our encoders, and reasons for the others. */
function expected(record: Uint8Array): { replies: Uint8Array[]; reasons: RejectReason[] } {
  const reasons: RejectReason[] = [];
  const replies: Uint8Array[] = [];
  for (let at = 0; at < record.length; ) {
    const result = decodeReply(record, at);
    const timeNs = result.ok ? result.reply.timeReceivedNs : 0n;
    const nowNs = BigInt(nowMs) * 1_000_000n;
    if (!result.ok) {
      reasons.push(result.reason);
    } else if (timeNs < nowNs - timeBehindMaxNs || timeNs > nowNs + timeAheadMaxNs) {
      reasons.push("timeReceived");
    } else {
      replies.push(encodeReply(result.reply));
    }
    at = result.next;
  }
  return { replies, reasons };
}

test("on damaged records it finds the replies that the codec finds, and never throws", () => {
  const mutator = new Mutator(7);
  const [block, plain] = [new ReplyBlock(), new ReplyBlock()];
  const messages = manySorts.map(encodeReply);
  const [first = new Uint8Array(0), ...others] = messages;
  for (let i = 0; i < mutants; i++) {
    const one = mutator.mutate(messages[i % messages.length] ?? first, others);
    const record = Buffer.concat([one, first]);
    block.clear();
    plain.clear();
    const rejected = add(block, record);
    const { replies, reasons } = expected(record);
    const sum = rejected.map(({ reason }) => reason).sort();
    expect([block.rows, sum.length], one.toHex()).toEqual([replies.length, reasons.length]);
    add(plain, Buffer.concat(replies));
    expect(Buffer.compare(block.toBytes(), plain.toBytes()), one.toHex()).toBe(0);
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

test("a message is the same row in whichever way it is read", () => {
  const [plain, exact] = [new ReplyBlock(), new ReplyBlock()];
  const timeReceivedNs = BigInt(nowMs) * 1_000_000n;
  const record = Buffer.concat(manySorts.map((reply) => encodeReply({ ...reply, timeReceivedNs })));
  expect(add(plain, record)).toEqual([]);
  // At the very bound of what is taken, times are looked at one by one.
  const lastMs = nowMs + Number(timeBehindMaxNs / 1_000_000n);
  expect(exact.add({ value: record, headers: {}, partition: 0 }, lastMs)).toEqual([]);
  expect(exact.toBytes().toHex()).toBe(plain.toBytes().toHex());
});

test("a message of an earlier version is the same row, without what it does not know", () => {
  const [earlier, today] = [new ReplyBlock(), new ReplyBlock()];
  const quoted = { replyQuotedTrafficClass: 0, replyNextHopMtu: 0, replyQuotedFlowLabel: 0 };
  const later = { rttUs: 0, ...quoted, replySite: "", ...asSent };
  const given = manySorts.map((reply) => encodeReply({ ...reply, ...later }));
  expect(add(today, Buffer.concat(given))).toEqual([]);
  expect(add(earlier, Buffer.concat(given.map(asBefore)))).toEqual([]);
  expect(earlier.toBytes().toHex()).toBe(today.toBytes().toHex());
  // As fast as today's.
  const plain = new PlainReply();
  expect(
    given.map((message) => {
      plain.load(asBefore(message));
      return plain.open(0);
    }),
  ).toEqual(given.map(() => true));
});

/** The last word of the data section removed; what lies behind the pointers is as far from them as before. */
function asBefore(message: Uint8Array): Uint8Array {
  const dataEnd = 16 + replyRttUsOffset;
  const shorter = Buffer.concat([message.subarray(0, dataEnd), message.subarray(dataEnd + 8)]);
  shorter.writeUInt32LE(shorter.length / 8 - 1, 4);
  shorter.writeUInt16LE(replyRttUsOffset / 8, 12);
  return shorter;
}

test("a record that comes again is left out with all of its days, and what is new of a day is not", () => {
  const dayNs = 86_400n * 10n ** 9n;
  const midnightNs = ((BigInt(nowMs) * 1_000_000n) / dayNs) * dayNs;
  const at = (timeReceivedNs: bigint) => encodeReply(sampleReply(0, { timeReceivedNs }));
  const [late, early] = [at(midnightNs - 1n), at(midnightNs)];
  const block = new ReplyBlock();
  const of = (sequence: number) => ({ producer: "east", sequence: String(sequence) });
  expect(add(block, Buffer.concat([late, early, late]), of(2))).toEqual([]);
  expect([block.rows, block.repeated]).toEqual([3, 0]);
  add(block, Buffer.concat([late, early, late]), of(2));
  add(block, Buffer.concat([early, early]), of(1));
  expect([block.rows, block.repeated]).toEqual([3, 5]);
  add(block, Buffer.concat([early]), of(3));
  add(block, Buffer.concat([early, late]), of(3));
  expect([block.rows, block.repeated]).toEqual([5, 6]);
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
