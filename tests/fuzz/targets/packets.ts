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
import { folder } from "../../vectors/make.ts";
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

/** What is compared at once. */
const batchPackets = 512;
let waiting: Packet[] = [];
let round = 0;

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
    read: (frame) => {
      waiting.push({ frame, timeNs: 1_767_225_600_000_000_000n });
      if (waiting.length === batchPackets) {
        const packets = waiting;
        waiting = [];
        const receiver = new WasmReceiver({ agentId, keys: [], sources: everywhere, tcp });
        receiver.compare(packets, linkTypes[round++ % linkTypes.length] ?? 0, 1);
      }
    },
  },
];

/** Frames that lie in the module's memory at once. */
const loadedMax = 2048;
const damagesMax = 4;

/**
 * The module alone on `cases` frames that are damaged where they lie; returns how many it has read. Throws when it
 * traps, stops within a frame, counts wrongly, or writes outside its own room.
 */
export function attackModule(cases: number, seed: number): number {
  const hotpath = new Hotpath();
  hotpath.configureReceive({ agentId, keys, sources: everywhere, integrityCheck: false, tcp });
  const mutator = new Mutator(seed);
  const originals = load(hotpath, mutator);
  const whole = hotpath.bytes.slice(at.captureAt, originals.end);
  let done = 0;
  for (let turn = 0; done < cases; turn++) {
    hotpath.bytes.set(whole, at.captureAt);
    damage(hotpath.bytes, originals.frames, mutator);
    const type = linkTypes[turn % 3 === 0 ? (turn / 3) % linkTypes.length : 0] ?? 0;
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

function load({ bytes }: Hotpath, mutator: Mutator): Loaded {
  const loaded: { at: number; bytes: number }[] = [];
  let end: number = at.captureAt;
  while (loaded.length < loadedMax) {
    const packet = frames[mutator.below(frames.length)];
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
