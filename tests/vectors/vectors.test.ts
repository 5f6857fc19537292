/** Every pcap file of this folder, against the JSON beside it and between the two implementations. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Reply, rewrittenBits, rttUnknownTenthMs } from "../../lib/net/packet/reply.ts";
import { capturedConfig, capturedFolder } from "./captured-config.ts";
import { type ExpectedPacket, replyToJson } from "./expected.ts";
import { agentId, keys, sources, tcp } from "./hand/probe-sample.ts";
import { readSavefile } from "./hand/savefile.ts";
import { vectors } from "./hand/vectors.ts";
import { filesOf, folder } from "./make.ts";
import { receiveReference } from "./reference-receiver.ts";
import { WasmReceiver } from "./wasm-receiver.ts";

const folders = [
  { folder, config: { agentId, keys, sources, tcp } },
  { folder: capturedFolder, config: capturedConfig },
];
const cases = folders.flatMap(({ folder, config }) => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".pcap"));
  return files.map((file) => ({ name: file.slice(0, -".pcap".length), folder, config }));
});

function load(folder: string, name: string) {
  const expected = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as ExpectedPacket[];
  return { savefile: readSavefile(new Uint8Array(readFileSync(join(folder, `${name}.pcap`)))), expected };
}

test.each(vectors)("$name: the files are what make.ts writes", (vector) => {
  for (const [name, bytes] of filesOf(vector)) {
    expect(Buffer.compare(readFileSync(join(folder, name)), bytes)).toBe(0);
  }
});

describe.each(cases)("$name", ({ name, folder, config }) => {
  const { savefile, expected } = load(folder, name);

  test("has an expectation for each packet", () => {
    expect(expected.length).toBeGreaterThan(0);
    expect(savefile.packets).toHaveLength(expected.length);
  });

  test("the reference says what is expected", () => {
    const seen = savefile.packets.map(({ frame, timeNs }, i) => {
      const { outcome, reply, flaws } = receiveReference(frame, savefile.linkType, timeNs, config);
      const said = { what: expected[i]?.what ?? "", outcome, ...(flaws.length === 0 ? {} : { flaws }) };
      return reply === undefined ? said : { ...said, reply: replyToJson(reply) };
    });
    expect(seen).toEqual(expected);
  });

  test("the module says the same, byte for byte", () => {
    new WasmReceiver(config).compare(savefile.packets, savefile.linkType, savefile.fractionNs);
  });

  test("a frame cut at any byte says the same or less, and the same in both", () => {
    const cuts = savefile.packets.flatMap(({ frame, timeNs }) =>
      Array.from({ length: frame.length }, (_, length) => ({ timeNs, frame: frame.slice(0, length) })),
    );
    new WasmReceiver(config).compare(cuts, savefile.linkType, savefile.fractionNs);
    for (const { frame, timeNs } of savefile.packets) {
      const whole = receiveReference(frame, savefile.linkType, timeNs, config);
      for (let length = 0; length < frame.length; length++) {
        const cut = receiveReference(frame.slice(0, length), savefile.linkType, timeNs, config);
        if (cut.reply !== undefined && whole.reply !== undefined) {
          const less = lessRewritten(whole.reply, cut.reply);
          const { replyMplsLabels, rttTenthMs, replySite, replyIcmpCode: code, ...fields } = less;
          expect(cut.reply).toMatchObject(fields);
          expect(["", replySite]).toContain(cut.reply.replySite);
          // The upper bits of a DNS response code stand at the end of the message.
          expect([code, code & 0x8f]).toContain(cut.reply.replyIcmpCode);
          expect([[], replyMplsLabels]).toContainEqual(cut.reply.replyMplsLabels);
        }
      }
    }
  });
});

/** The whole reply without what a NAT rewrote and less of a quote does not show. */
function lessRewritten(whole: Reply, cut: Reply): Reply {
  const { replyQuotedSrcPort: port, replyChecksumDelta, replyRewritten } = cut;
  expect(replyRewritten & ~whole.replyRewritten).toBe(0);
  // The TTL of a probe with a size may be taken from a rewritten identification; nothing proves it then.
  const isUnproven = cut.rttTenthMs === rttUnknownTenthMs;
  const probeTtl =
    isUnproven && whole.replyRewritten === rewrittenBits.identification ? cut.probeTtl : whole.probeTtl;
  const probeSrcPort =
    port === 0 && whole.replyQuotedSrcPort > 0 ? whole.replyQuotedSrcPort : whole.probeSrcPort;
  return { ...whole, replyRewritten, replyQuotedSrcPort: port, replyChecksumDelta, probeSrcPort, probeTtl };
}
