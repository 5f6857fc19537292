/** Packets on their way to a file: bounded, counted, in the order of their times. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSavefile } from "../../../../tests/vectors/hand/savefile.ts";
import { PacketFile, type PacketLimits } from "./packet-file.ts";
import { PacketTap } from "./packet-tap.ts";
import { RecordedMeasurements, recordedAtATime, unprovenMeasurement } from "./recorded-measurements.ts";

const folder = mkdtempSync(join(tmpdir(), "packet-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const room: PacketLimits = { bytesMax: 1 << 20, packetsMax: 1000 };
const frame = (byte: number, length = 60) => new Uint8Array(length).fill(byte);

/** Puts frames 1, 2, … with these times (seconds, nanoseconds), alternating sent and received, and reads the file. */
function fileOf(times: readonly (readonly [number, number])[], limits = room) {
  const path = join(folder, `${crypto.randomUUID()}.pcap`);
  const tap = new PacketTap();
  const file = new PacketFile(path, "ethernet", limits);
  for (const [i, [seconds, nanoseconds]] of times.entries()) {
    tap.put([7, i % 2 === 0 ? "sent" : "received"], { seconds, nanoseconds }, frame(i + 1));
    file.add(tap.take());
  }
  file[Symbol.dispose]();
  return { counts: file.counts, path, saved: readSavefile(readFileSync(path)) };
}

describe("a file of packets", () => {
  test("holds them in the order of their times, to the nanosecond, as one that only its owner may read", () => {
    const { saved, path, counts } = fileOf([
      [1_800_000_000, 100_000_002],
      [1_800_000_000, 100_000_001],
      [1_800_000_000, 200_000_000],
      [1_800_000_000, 150_000_000],
      [1_800_000_009, 999_999_999],
    ]);
    expect(saved).toMatchObject({ linkType: 1, fractionNs: 1 });
    expect(saved.packets.map((packet) => [packet.timeNs, packet.frame[0]])).toEqual([
      [1_800_000_000_100_000_001n, 2],
      [1_800_000_000_100_000_002n, 1],
      [1_800_000_000_150_000_000n, 4],
      [1_800_000_000_200_000_000n, 3],
      [1_800_000_009_999_999_999n, 5],
    ]);
    expect(counts).toEqual({ sent: 3, received: 2, leftOut: 0 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["packets", { ...room, packetsMax: 2 }],
    ["bytes, its own header included", { ...room, bytesMax: 24 + 2 * (16 + 60) }],
  ])("has no more than its limit of %s, and counts the rest", (_, limits) => {
    const { saved, path, counts } = fileOf(
      [1, 2, 3, 4].map((second) => [second, 0] as const),
      limits,
    );
    expect(saved.packets.map((packet) => packet.frame[0])).toEqual([1, 2]);
    expect(counts).toEqual({ sent: 1, received: 1, leftOut: 2 });
    expect(statSync(path).size).toBeLessThanOrEqual(limits.bytesMax);
  });
});

test("a tap that isn't read refuses packets, and returns whole ones later", () => {
  const tap = new PacketTap();
  const put = () => tap.put([3, "received"], { seconds: 5, nanoseconds: 6 }, frame(9, 640), 1500);
  let taken = 0;
  while (put()) {
    taken++;
  }
  const packets = tap.take();
  expect(packets.length).toBe(taken);
  expect(packets[taken - 1]).toMatchObject({ measurement: 3, direction: "received", timeNs: 5_000_000_006n });
  // Captured 640 bytes, 1500 on the wire.
  expect(packets[0]?.record.subarray(8, 16)).toEqual(Uint8Array.of(0x80, 2, 0, 0, 0xdc, 5, 0, 0));
  expect([put(), tap.take().length]).toEqual([true, 1]);
});

test("a packet larger than any that we send or capture is refused", () => {
  expect(new PacketTap().put([3, "received"], { seconds: 5, nanoseconds: 6 }, frame(9, 1000))).toBeFalse();
});

test("only what was requested is recorded, as other threads see it, up to the limit", () => {
  const asked = new RecordedMeasurements();
  const seen = new RecordedMeasurements(asked.buffer);
  expect([seen.any, seen.has(0), seen.has(unprovenMeasurement)]).toEqual([false, false, false]);
  expect([asked.add(0), seen.any, seen.has(0), seen.has(1), seen.has(unprovenMeasurement)]).toEqual([
    ...[true, true, true, false, false],
  ]);
  for (let measurement = 1; measurement < recordedAtATime; measurement++) {
    expect(asked.add(measurement)).toBeTrue();
  }
  expect([asked.add(recordedAtATime), seen.has(recordedAtATime)]).toEqual([false, false]);
  asked.remove(5);
  expect([seen.has(5), asked.add(99), seen.has(99)]).toEqual([false, true, true]);
  for (const measurement of [...Array(recordedAtATime).keys(), 99]) {
    asked.remove(measurement);
  }
  expect(seen.any).toBeFalse();
});
