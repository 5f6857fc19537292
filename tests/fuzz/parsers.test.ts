/**
 * The WebAssembly parser and its TypeScript reference on damaged frames, a million in the long tier: no trap, no
 * exception, nothing read beyond a frame, and every Reply equal byte for byte. What fails is printed as hex, to be
 * kept as a vector.
 */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePrefix } from "../../lib/net/ip/prefix.ts";
import type { TcpProof } from "../../lib/net/packet/tag.ts";
import { linkType } from "../packet/link-layer.ts";
import { refusals } from "../packet/raw-reply.ts";
import { inTier } from "../run/tier.ts";
import { capturedFolder } from "../vectors/captured-config.ts";
import { agentId, keys, sources } from "../vectors/hand/probe-sample.ts";
import { type Packet, readSavefile } from "../vectors/hand/savefile.ts";
import { folder } from "../vectors/make.ts";
import { WasmReceiver } from "../vectors/wasm-receiver.ts";
import { Mutator } from "./mutator.ts";

const roundPackets = inTier({ usual: 1500, long: 4000 });
const parserRounds = inTier({ usual: 40, long: 250 });
const matchRounds = inTier({ usual: 3, long: 5 });

const everywhere = ["0.0.0.0/0", "::/0"].flatMap((text) => parsePrefix(text) ?? []);
const seeds = [folder, capturedFolder].flatMap((folder) => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".pcap"));
  return names.map((name) => readSavefile(new Uint8Array(readFileSync(join(folder, name)))));
});
const frames = seeds.flatMap((savefile) =>
  savefile.packets.map((packet) => ({ ...packet, type: savefile.linkType })),
);
const others = frames.map(({ frame }) => frame);
/** Both have to ask the same of it. */
const halfOfAll: TcpProof = { hasLeft: (key, tick, print) => (key + tick + print) % 2 === 0 };
const linkTypes = [...Object.values(linkType), 147];

/** Damaged frames for one link type: mostly of that type's own vectors, some of others'. */
function mutants(mutator: Mutator, type: number): Packet[] {
  const own = frames.filter((frame) => frame.type === type);
  return Array.from({ length: roundPackets }, () => {
    const pool = own.length > 0 && mutator.below(8) > 0 ? own : frames;
    const { frame, timeNs } = pool[mutator.below(pool.length)] ?? { frame: new Uint8Array(0), timeNs: 0n };
    return { timeNs, frame: mutator.mutate(frame, others) };
  });
}

function run(receiver: WasmReceiver, rounds: number, seed: number): void {
  const mutator = new Mutator(seed);
  for (let round = 0; round < rounds; round++) {
    // Every second round on the two types of which there are most vectors.
    const type = round % 2 === 0 ? linkType.ethernet : (linkTypes[(round >> 1) % linkTypes.length] ?? 0);
    receiver.compare(mutants(mutator, type), type, 1);
  }
}

test("damaged frames are read alike, and each refusal is met", () => {
  const receiver = new WasmReceiver({
    agentId,
    keys: [],
    sources: everywhere,
    tcp: halfOfAll,
  });
  run(receiver, parserRounds, 1);
  expect([...receiver.seen.values()].reduce((sum, count) => sum + count, 0)).toBe(
    roundPackets * parserRounds,
  );
  for (const outcome of [...refusals, "mismatch", "untagged", "tcpUnproven"] as const) {
    expect(receiver.seen.get(outcome) ?? 0).toBeGreaterThan(inTier({ usual: 100, long: 500 }));
  }
});

test("damaged answers are matched, found late, or found foreign alike", () => {
  const receiver = new WasmReceiver({ agentId, keys, sources, tcp: halfOfAll });
  run(receiver, matchRounds, 2);
  for (const outcome of ["match", "mismatch", "tcpUnproven", "stale", "foreign"] as const) {
    expect(receiver.seen.get(outcome) ?? 0).toBeGreaterThan(inTier({ usual: 5, long: 50 }));
  }
});
