import { expect, test } from "bun:test";
import { ticksPerWrap } from "../../../../lib/net/packet/time-code.ts";
import { TcpMemory, tcpRateMax } from "./tcp-memory.ts";

/** Not on the edge of a segment. */
const tick = 8192 * 2_000_000 + 17;
const ticksPerSegment = 8192;

function memoryOf(rate: number) {
  const writer = TcpMemory.allocate(rate);
  // As in a receiver, which sees writes only through the memory.
  return { writer, reader: new TcpMemory(writer.buffer) };
}

function printsFrom(first: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => Math.imul(first + i, 0x9e3779b1));
}

test("what left in a tick is known in that tick, and in no other", () => {
  const { writer, reader } = memoryOf(1000);
  expect(writer.write(tick, Uint32Array.of(7, 0xffff_ffff))).toBe(0);
  expect(writer.write(tick + 1, Uint32Array.of(9))).toBe(0);
  expect([7, 0xffff_ffff, 9].map((print) => reader.has(tick, print))).toEqual([true, true, false]);
  expect([7, 9].map((print) => reader.has(tick + 1, print))).toEqual([false, true]);
  expect(reader.has(tick + 2, 9)).toBe(false);
});

test("several batches of a tick are one", () => {
  const { writer, reader } = memoryOf(1000);
  writer.write(tick, printsFrom(0, 64));
  writer.write(tick, printsFrom(64, 64));
  expect([...printsFrom(0, 128)].every((print) => reader.has(tick, print))).toBe(true);
});

test("a probe is known for a wrap and the slack of a receiver, at the highest rate that there is room for", () => {
  const { writer, reader } = memoryOf(50_000);
  const perTick = Math.floor(writer.rateMax / 10_000);
  const ticks = 30 * ticksPerSegment;
  for (let i = 0; i < ticks; i++) {
    if (writer.write(tick + i, printsFrom(i * perTick, perTick)) > 0) {
      throw new Error(`Forgot a probe in tick ${i}`);
    }
    const old = i - ticksPerWrap - ticksPerSegment;
    if (old >= 0 && !reader.has(tick + old, Math.imul(old * perTick, 0x9e3779b1) >>> 0)) {
      throw new Error(`No probe of tick ${old} found in tick ${i}`);
    }
  }
  expect(reader.has(tick, 0)).toBe(false);
});

test("prints without room are reported, and do no harm to the others", () => {
  const { writer, reader } = memoryOf(1);
  const room = Math.ceil((writer.rateMax * ticksPerSegment) / 10_000);
  const first = ticksPerSegment * 2_000_000;
  const forgotten = [0, 1].map((i) => writer.write(first + i, printsFrom(i * room, room)));
  expect(forgotten[0]).toBeLessThanOrEqual(1);
  expect(forgotten[1]).toBeGreaterThanOrEqual(room - 1);
  expect(reader.has(first, 0)).toBe(true);
  expect(writer.write(first + ticksPerSegment, printsFrom(5, 1))).toBe(0);
  expect(reader.has(first + ticksPerSegment, Math.imul(5, 0x9e3779b1) >>> 0)).toBe(true);
});

test("what did not leave after all is not known", () => {
  const { writer, reader } = memoryOf(1000);
  writer.write(tick, Uint32Array.of(1, 2, 3));
  writer.takeBack(2, 3);
  writer.write(tick, Uint32Array.of(4));
  expect([1, 2, 3, 4].map((print) => reader.has(tick, print))).toEqual([true, false, false, true]);
  writer.takeBack(1, 1);
  writer.write(tick + 1, Uint32Array.of(5));
  expect([1, 4].map((print) => reader.has(tick, print))).toEqual([true, false]);
  expect(reader.has(tick + 1, 5)).toBe(true);
});

test("a clock set back to an earlier tick returns the number of prints dropped", () => {
  const { writer, reader } = memoryOf(1000);
  writer.write(tick, Uint32Array.of(1, 2));
  writer.write(tick + 1, Uint32Array.of(3));
  expect(writer.write(tick, Uint32Array.of(4))).toBe(2);
  expect([1, 4].map((print) => reader.has(tick, print))).toEqual([false, true]);
});

test("there is room for the requested rate, and never more than for the highest", () => {
  expect(TcpMemory.allocate(100).rateMax).toBeGreaterThanOrEqual(50_000);
  expect(TcpMemory.allocate(1_000_000).rateMax).toBeGreaterThanOrEqual(1_250_000);
  const highest = TcpMemory.allocate(20_000_000);
  expect(highest.rateMax).toBe(tcpRateMax);
  expect(highest.buffer.byteLength).toBe(983_040 + 83_886_080);
});

test("of a million foreign answers none fits while 1,500,000 probes/s leave", () => {
  const { writer, reader } = memoryOf(1_500_000);
  const random = crypto.getRandomValues(new Uint32Array(1 << 14));
  const ticks = 1000;
  for (let i = 0; i < ticks; i++) {
    writer.write(
      tick + i,
      random.subarray(i, i + 150).map((print) => print ^ Math.imul(i, 0x85ebca6b)),
    );
  }
  let fitting = 0;
  for (let round = 0; round < 61; round++) {
    crypto.getRandomValues(random);
    fitting += random.filter((print, i) => reader.has(tick + (i % ticks), print)).length;
  }
  // 150 prints in 2^32 make 0.035 of a million, before the tag's bits.
  expect(fitting).toBeLessThan(3);
});
