/** Decoders of broker messages on damaged bytes: never an exception, always forward, never beyond the message. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mplsLabelsMax } from "../../lib/net/packet/reply.ts";
import { decodeProbe, encodeProbe } from "../../lib/net/wire/probe-codec.ts";
import { decodeReply, encodeReply } from "../../lib/net/wire/reply-codec.ts";
import { arbitraryProbe, arbitraryReply } from "../property/arbitrary.ts";
import { capnpConvert } from "../property/capnp-json.ts";
import { inTier } from "../run/tier.ts";
import { Mutator } from "./mutator.ts";

const roundsPerSeed = inTier({ usual: 80, long: 400 });

const replies = fc.sample(arbitraryReply, { numRuns: 100, seed: 11 }).map(encodeReply);
const probes = fc.sample(arbitraryProbe, { numRuns: 100, seed: 12 }).map(encodeProbe);
const split = (message: Uint8Array, type: "Probe" | "Reply", words: number) =>
  capnpConvert("binary:binary", type, message, [`--segment-size=${words}`]);

test("a damaged reply is read or refused, and nothing outside it matters", () => {
  const seeds = [
    ...replies,
    ...[1, 8, 16].flatMap((words) => replies.slice(0, 10).map((r) => split(r, "Reply", words))),
  ];
  const seen = attack(seeds, (bytes) => {
    const result = decodeReply(bytes);
    if (result.ok) {
      expect(result.reply.replyMplsLabels.length).toBeLessThanOrEqual(mplsLabelsMax);
      // What was read can be written and read again.
      expect(decodeReply(encodeReply(result.reply))).toMatchObject({ ok: true, reply: result.reply });
    }
    return result;
  });
  expect(seen).toEqual(
    new Set(
      [
        "ok",
        "truncated",
        "segmentCount",
        "messageSize",
        "rootMissing",
        "pointerKind",
        "pointerBounds",
      ].concat(["farSegment", "listElement", "text", "addressLength"]),
    ),
  );
});

test("a damaged probe is read or refused, and nothing outside it matters", () => {
  const seeds = [
    ...probes,
    ...[1, 2].flatMap((words) => probes.slice(0, 10).map((p) => split(p, "Probe", words))),
  ];
  const seen = attack(seeds, (bytes) => decodeProbe(bytes));
  for (const reason of [
    "ok",
    "protocolUnknown",
    "protocolFamily",
    "ttlZero",
    "addressLength",
    "pointerBounds",
  ]) {
    expect(seen).toContain(reason);
  }
});

interface Result {
  readonly ok: boolean;
  readonly reason?: string;
  readonly next: number;
}

/** Decodes mutants of the seeds, each with two different surroundings; returns what came out at least once. */
function attack(seeds: readonly Uint8Array[], decode: (bytes: Uint8Array) => Result): Set<string> {
  const mutator = new Mutator(21);
  const seen = new Set<string>();
  for (const seed of seeds) {
    for (let round = 0; round < roundsPerSeed; round++) {
      const bytes = mutator.mutate(seed, seeds);
      const result = decode(bytes);
      expect(result.next > 0 || bytes.length === 0).toBe(true);
      expect(result.next).toBeLessThanOrEqual(bytes.length);
      expect(decode(surrounded(bytes, 0x00))).toEqual(result);
      expect(decode(surrounded(bytes, 0xff))).toEqual(result);
      seen.add(result.ok ? "ok" : (result.reason ?? ""));
    }
  }
  return seen;
}

/** The same bytes at an odd offset inside a larger buffer: a read past the end gives `filler`. */
function surrounded(bytes: Uint8Array, filler: number): Uint8Array {
  const buffer = new Uint8Array(bytes.length + 64).fill(filler);
  buffer.set(bytes, 33);
  return buffer.subarray(33, 33 + bytes.length);
}
