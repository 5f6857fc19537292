/** Echo replies from another address than the probed one: their tag fits a probe that left in their tick. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { EchoMemory } from "../../apps/probing/agent/engine/echo-memory.ts";
import { probeBytes, probeProtocolAt, probesAt } from "../../ffi/hotpath/memory-layout.ts";
import { address } from "../../lib/net/ip/address.ts";
import { ticksPerWrap } from "../../lib/net/packet/time-code.ts";
import { protocolNumber } from "../../lib/net/wire/protocol-number.ts";
import { inTier } from "../run/tier.ts";
import { echoAnswer } from "../vectors/hand/answers.ts";
import { ethernet } from "../vectors/hand/frames.ts";
import { agentId, keys, type SentProbe, sent, sentTick, sources, tcp } from "../vectors/hand/probe-sample.ts";
import { timeAfter } from "../vectors/hand/vector.ts";
import { receiveReference } from "../vectors/reference-receiver.ts";
import { WasmReceiver } from "../vectors/wasm-receiver.ts";
import { arbitraryProbe } from "./arbitrary.ts";

const others = { v4: address("203.0.113.99"), v6: address("2001:db8:ff::99") };

/** What a sender keeps of these probes; a receiver of another thread reads it. */
function memoryOf(probes: readonly SentProbe[], tick: number): EchoMemory {
  const writer = EchoMemory.allocate();
  const memory = new Uint8Array(probesAt + probes.length * probeBytes);
  for (const [i, { probe }] of probes.entries()) {
    memory.set(probe.dst, probesAt + i * probeBytes);
    memory[probesAt + i * probeBytes + probeProtocolAt] = protocolNumber[probe.protocol];
  }
  const words = new Int32Array(memory.buffer);
  const half = probes.length >> 1;
  writer.write(tick, memory, words, 0, half);
  writer.write(tick, memory, words, half, probes.length);
  return new EchoMemory(writer.buffer);
}

function config(probes: readonly SentProbe[], tick: number) {
  const memory = memoryOf(probes, tick);
  const copy = (key: number, sentAt: number, into: Int32Array) => (key === 1 ? memory.copy(sentAt, into) : 0);
  return { agentId, keys, sources, tcp, echoes: { copy } };
}

const fromElsewhere = (probe: SentProbe) =>
  ethernet()(echoAnswer(probe, { src: probe.ipv4 ? others.v4 : others.v6 }).packet);

const echoes = fc.array(
  arbitraryProbe.map((probe) => sent(probe)),
  { minLength: 1, maxLength: 40 },
);

test("the probe of an answer from elsewhere is found among those of its tick", () => {
  fc.assert(
    fc.property(echoes, (probes) => {
      const own = probes.filter(({ probe }) => probe.protocol.startsWith("icmp"));
      const all = config(probes, sentTick);
      const packets = own.map((probe) => ({ frame: fromElsewhere(probe), timeNs: timeAfter(77) }));
      new WasmReceiver(all).compare(packets, 1, 1);
      for (const probe of own) {
        const received = receiveReference(fromElsewhere(probe), 1, timeAfter(77), all);
        const reply = { probeDstAddr: probe.probe.dst, replySrcAddr: probe.ipv4 ? others.v4 : others.v6 };
        expect(received).toMatchObject({
          outcome: "match",
          key: 1,
          sentTick,
          reply: { ...reply, rttTenthMs: 77 },
        });
      }
    }),
    { numRuns: inTier({ usual: 30, long: 200 }) },
  );
});

test("not one of another tick or wrap, nor one with another tag or TTL", () => {
  const probe = sent({ dst: address("198.51.100.7"), srcPort: 7, dstPort: 0, ttl: 9, protocol: "icmp" });
  const outcome = (frame: Uint8Array, tick: number) => {
    const all = config([probe], tick);
    new WasmReceiver(all).compare([{ frame, timeNs: timeAfter(77) }], 1, 1);
    return receiveReference(frame, 1, timeAfter(77), all).outcome;
  };
  const frame = fromElsewhere(probe);
  const forged = (at: number) => Uint8Array.from(frame, (byte, i) => (i === at ? byte ^ 1 : byte));
  expect([0, 1, -1, ticksPerWrap, -ticksPerWrap].map((by) => outcome(frame, sentTick + by))).toEqual([
    "match",
    ...Array(4).fill("mismatch"),
  ]);
  // The tag is 10 bytes behind the start of the ICMP message, which is 34 bytes into the frame.
  expect([44, 51, 38, 39].map((at) => outcome(forged(at), sentTick))).toEqual(Array(4).fill("mismatch"));
});

test("the oldest are forgotten, and a tick has as many as a receiver tries", () => {
  const probe = sent({ dst: address("198.51.100.7"), srcPort: 7, dstPort: 0, ttl: 9, protocol: "icmp" });
  const memory = memoryOf(Array<SentProbe>(600).fill(probe), sentTick);
  const words = new Int32Array(512 * 4);
  expect(memory.copy(sentTick, words)).toBe(512);
  expect(new Uint8Array(words.buffer, 511 * 16, 16)).toEqual(Uint8Array.from(probe.probe.dst));
  expect(memory.copy(sentTick + 1, words)).toBe(0);
});
