/** Captured frames: by both parsers, which must agree, and by the WebAssembly module alone, at its own speed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Hotpath } from "../../../ffi/hotpath/hotpath.ts";
import * as at from "../../../ffi/hotpath/memory-layout.ts";
import { parsePrefix } from "../../../lib/net/ip/prefix.ts";
import { linkType } from "../../packet/link-layer.ts";
import { readReply } from "../../packet/read.ts";
import { capturedFolder } from "../../vectors/captured-config.ts";
import { agentId, keys } from "../../vectors/hand/probe-sample.ts";
import { type Packet, readSavefile, recordHeaderBytes, writeRecord } from "../../vectors/hand/savefile.ts";
import { timeAfter } from "../../vectors/hand/vector.ts";
import { folder } from "../../vectors/make.ts";
import type { ReferenceConfig } from "../../vectors/reference-receiver.ts";
import { WasmReceiver } from "../../vectors/wasm-receiver.ts";
import type { FuzzTarget } from "../fuzz-target.ts";
import { Mutator } from "../mutator.ts";

const everywhere = ["0.0.0.0/0", "::/0"].flatMap((text) => parsePrefix(text) ?? []);
const linkTypes: readonly number[] = [...Object.values(linkType), 147];

interface TypedFrame extends Packet {
  readonly type: number;
}

const frames: readonly TypedFrame[] = [folder, capturedFolder].flatMap((one) =>
  readdirSync(one)
    .filter((name) => name.endsWith(".pcap"))
    .map((name) => readSavefile(new Uint8Array(readFileSync(join(one, name)))))
    .flatMap(({ packets, linkType: type }) => packets.map((packet) => ({ ...packet, type }))),
);

/** Half of the answers to TCP fit a probe that has left. */
const tcp = { hasLeft: (_key: number, sentTick: number) => sentTick % 2 === 0 };

/** Frames of the hand-made vectors with these names. */
const framesOf = (...names: readonly string[]): readonly TypedFrame[] =>
  names.flatMap((name) =>
    readSavefile(new Uint8Array(readFileSync(join(folder, `${name}.pcap`)))).packets.map((packet) => {
      return { ...packet, type: linkType.ethernet };
    }),
  );
const framesOfKind = {
  all: frames,
  /** About DNS probes: what routers quote, what name servers answer. */
  dns: framesOf("dns-answer", "dns-forged", "dns-quoted"),
  /** Errors about probes with a size or behind a NAT, and packets that were too big. */
  shaped: framesOf("sized", "nat", "quote-rewritten", "other-errors", "unreachable"),
} as const;
export type FrameKind = keyof typeof framesOfKind;
/** Every probe has left, so that what is read of its answer is compared too. */
const allLeft = { keys: keys.slice(1), tcp: { hasLeft: () => true } };

/** What is compared at once. */
const batchPackets = 512;
let round = 0;

/** Compares both readers on frames of the types that it is given in turn. */
function both(config: Partial<ReferenceConfig>, nextType: () => number): (frame: Uint8Array) => void {
  let waiting: Packet[] = [];
  return (frame) => {
    waiting.push({ frame, timeNs: timeAfter(123) });
    if (waiting.length === batchPackets) {
      const packets = waiting;
      waiting = [];
      new WasmReceiver({ agentId, keys: [], sources: everywhere, tcp, ...config }).compare(
        packets,
        nextType(),
        1,
      );
    }
  };
}

export const packetTargets: readonly FuzzTarget[] = [
  {
    name: "packets, TypeScript",
    share: 2,
    seeds: frames.map(({ frame }) => frame),
    read: (bytes) => {
      for (const type of linkTypes) {
        readReply(bytes, type);
      }
    },
  },
  {
    name: "packets, both alike",
    share: 2,
    seeds: frames.map(({ frame }) => frame),
    read: both({}, () => linkTypes[round++ % linkTypes.length] ?? 0),
  },
  {
    name: "packets of DNS, both alike",
    share: 1,
    seeds: framesOfKind.dns.map(({ frame }) => frame),
    read: both(allLeft, () => linkType.ethernet),
  },
  {
    name: "packets of sizes and NATs, both alike",
    share: 1,
    seeds: framesOfKind.shaped.map(({ frame }) => frame),
    read: both(allLeft, () => linkType.ethernet),
  },
];

/** Frames that lie in the module's memory at once. */
const loadedMax = 2048;
const damagesMax = 4;

/**
 * The module alone on `cases` frames that are damaged where they lie; returns how many it has read. Throws when it
 * traps, stops within a frame, counts wrongly, or writes outside its own room.
 */
export function attackModule(cases: number, seed: number, kind: FrameKind = "all"): number {
  const hotpath = new Hotpath();
  const config = kind === "all" ? { keys, tcp } : allLeft;
  hotpath.configureReceive({ agentId, sources: everywhere, integrityCheck: false, ...config });
  const mutator = new Mutator(seed);
  const originals = load(hotpath, mutator, framesOfKind[kind]);
  const whole = hotpath.bytes.slice(at.captureAt, originals.end);
  let done = 0;
  for (let turn = 0; done < cases; turn++) {
    hotpath.bytes.set(whole, at.captureAt);
    damage(hotpath.bytes, originals.frames, mutator);
    const type = linkTypes[kind === "all" && turn % 3 === 0 ? (turn / 3) % linkTypes.length : 0] ?? 0;
    let from: number = at.captureAt;
    while (from < originals.end) {
      const next = hotpath.receive(from, originals.end, type, 1);
      if (next <= from || next > originals.end || hotpath.repliesEnd() < at.repliesAt) {
        throw new Error(`the module went from ${from} to ${next} of ${originals.end}`);
      }
      from = next;
    }
    done += originals.frames.length;
    if (hotpath.counter(at.counterFrames) !== done) {
      throw new Error(`the module counted ${hotpath.counter(at.counterFrames)} of ${done} frames`);
    }
  }
  return done;
}

interface Loaded {
  readonly frames: readonly { readonly at: number; readonly bytes: number }[];
  readonly end: number;
}

function load({ bytes }: Hotpath, mutator: Mutator, from: readonly TypedFrame[]): Loaded {
  const loaded: { at: number; bytes: number }[] = [];
  let end: number = at.captureAt;
  while (loaded.length < loadedMax) {
    const packet = from[mutator.below(from.length)];
    if (
      packet === undefined ||
      end + recordHeaderBytes + packet.frame.length > at.captureAt + at.captureBytes
    ) {
      break;
    }
    const record = writeRecord(packet, 1);
    bytes.set(record, end);
    loaded.push({ at: end + recordHeaderBytes, bytes: packet.frame.length });
    end += record.length;
  }
  return { frames: loaded, end };
}

const interesting = [0, 1, 4, 0x7f, 0x80, 0xff];

/** One to four bytes of each frame; where a frame is cut is the mutator's work in the slower targets. */
function damage(bytes: Uint8Array, all: Loaded["frames"], mutator: Mutator): void {
  for (const frame of all) {
    for (let times = 1 + mutator.below(damagesMax); times > 0 && frame.bytes > 0; times--) {
      const place = frame.at + mutator.below(frame.bytes);
      const kind = mutator.below(256 + interesting.length);
      bytes[place] = kind < 256 ? (bytes[place] ?? 0) ^ kind : (interesting[kind - 256] ?? 0);
    }
  }
}
