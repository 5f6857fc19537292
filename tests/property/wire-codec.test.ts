/** Our hand-made codec, capnp-es and Debian's capnp read each other's bytes, field by field. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Message } from "capnp-es";
import fc from "fast-check";
import { isIpv4 } from "../../lib/net/ip/address.ts";
import type { Probe } from "../../lib/net/packet/probe.ts";
import { asSent, type Reply } from "../../lib/net/packet/reply.ts";
import { decodeProbe, encodeProbe, encodeProbes, ProbeCursor } from "../../lib/net/wire/probe-codec.ts";
import { protocolNumber } from "../../lib/net/wire/protocol-number.ts";
import { decodeReply, encodeReply } from "../../lib/net/wire/reply-codec.ts";
import { Probe as EsProbe, type Protocol as EsProtocol } from "../capnp/probe.ts";
import { Reply as EsReply } from "../capnp/reply.ts";
import { arbitraryProbe, arbitraryReply } from "./arbitrary.ts";
import { capnpConvert, capnpJson, isRewritten, probeJson, replyJson, schemaFolder } from "./capnp-json.ts";

const sample = fc.sample(arbitraryReply, { numRuns: 300, seed: 3 });
/** `capnp` 0.9 cannot read back its own text when a string holds brackets or quotes, so these have none. */
const textSample = fc.sample(arbitraryReply, { numRuns: 6000, seed: 5 }).filter((reply) => {
  const { replySrcAddr, replyDstAddr, probeSrcAddr, probeDstAddr, replyQuotedSrcAddr } = reply;
  const addresses = [replySrcAddr, replyDstAddr, probeSrcAddr, probeDstAddr, replyQuotedSrcAddr];
  return !/["'()[\]{}\\#]/.test(
    `${reply.agentId}${reply.replySite}${String.fromCharCode(...addresses.flatMap((a) => [...a]))}`,
  );
});
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true });
  }
});
const probeSample = fc.sample(arbitraryProbe, { numRuns: 300, seed: 4 });

describe("our bytes", () => {
  test("of a reply are read by capnp-es", () => {
    fc.assert(
      fc.property(arbitraryReply, (reply) => {
        expect(fromCapnpEs(new Message(encodeReply(reply), false).getRoot(EsReply))).toEqual(reply);
      }),
    );
  });

  test("of a probe are read by capnp-es", () => {
    fc.assert(
      fc.property(arbitraryProbe, (probe) => {
        const message = encodeProbe(probe);
        expect(message.length).toBe(48);
        const root = new Message(message, false).getRoot(EsProbe);
        expect([...root.dstAddr.toUint8Array()]).toEqual([...probe.dst]);
        expect([root.srcPort, root.dstPort, root.ttl]).toEqual([probe.srcPort, probe.dstPort, probe.ttl]);
        expect(root.protocol).toBe(protocolNumber[probe.protocol] as EsProtocol);
      }),
    );
  });

  test("of concatenated replies are read by capnp", () => {
    expect(capnpJson("Reply", concatenated(sample.map(encodeReply)))).toEqual(sample.map(replyJson));
  });

  test.each([
    ["of rewritten quotes", schemaFolder, textSample.filter(isRewritten)],
    ["with a site", before(26), textSample.filter((one) => !isRewritten(one) && one.replySite !== "")],
    ["of others", before(25), textSample.filter((one) => !isRewritten(one) && one.replySite === "")],
  ])("of replies are what capnp itself writes, by a schema that ends there: %s", (_, folder, replies) => {
    expect(replies.length).toBeGreaterThan(50);
    const bytes = concatenated(replies.map(encodeReply));
    const text = capnpConvert("binary:text", "Reply", bytes, [], folder);
    expect(Buffer.compare(capnpConvert("text:binary", "Reply", text, [], folder), bytes)).toBe(0);
  });

  test("of concatenated probes are read by capnp", () => {
    expect(capnpJson("Probe", encodeProbes(probeSample))).toEqual(probeSample.map(probeJson));
  });
});

describe("bytes of others", () => {
  test("made by capnp-es, with an empty label list where there is none", () => {
    fc.assert(
      fc.property(arbitraryReply, (reply) => {
        const bytes = new Uint8Array(toCapnpEs(reply).toArrayBuffer());
        expect(decodeReply(bytes)).toEqual({ ok: true, reply, next: bytes.length });
      }),
    );
  });

  test("made by capnp of replies, from one segment to one per object", () => {
    const bytes = concatenated(sample.map(encodeReply));
    for (const words of [1, 4, 8, 16, 1024]) {
      expect(allReplies(capnpConvert("binary:binary", "Reply", bytes, [`--segment-size=${words}`]))).toEqual(
        sample,
      );
    }
  });

  test("made by capnp of probes, with IPv4 addresses of 4 bytes, from one segment to many", () => {
    const shortened = probeSample.map((probe) => {
      const short = { ...probeJson(probe), dstAddr: [...probe.dst.slice(12)] };
      return isIpv4(probe.dst) ? short : probeJson(probe);
    });
    const json = new TextEncoder().encode(shortened.map((probe) => JSON.stringify(probe)).join("\n"));
    for (const words of [1, 2, 1024]) {
      const bytes = capnpConvert("json:binary", "Probe", json, [`--segment-size=${words}`]);
      expect(allProbes(bytes)).toEqual(probeSample);
    }
  });

  test("at any alignment, with messages before and after", () => {
    fc.assert(
      fc.property(arbitraryReply, fc.integer({ min: 0, max: 9 }), (reply, shift) => {
        const message = encodeReply(reply);
        const buffer = concatenated([new Uint8Array(shift).fill(0xff), message, encodeReply(reply)]);
        expect(decodeReply(buffer, shift)).toEqual({ ok: true, reply, next: shift + message.length });
        expect(decodeReply(buffer.subarray(shift))).toEqual({ ok: true, reply, next: message.length });
      }),
    );
  });
});

const later = {
  ...{ rttUs: 0, replyQuotedTrafficClass: 0, replyNextHopMtu: 0, replyQuotedFlowLabel: 0, replySite: "" },
  ...asSent,
};

describe("agents and stores that do not know rttUs and what came after it", () => {
  const folder = before(21);
  const bytes = concatenated(
    textSample.map((reply) => encodeReply({ ...reply, rttUs: 1 + (reply.rttUs >>> 1) })),
  );

  test("read every other field as before", () => {
    const expected = textSample.map((reply) => {
      const all = Object.entries(replyJson(reply));
      return Object.fromEntries(all.filter(([name]) => !(name in later)));
    });
    expect(capnpJson("Reply", bytes, folder)).toEqual(expected);
  });

  test("write what is read, without what they do not know", () => {
    const text = capnpConvert("binary:text", "Reply", bytes, [], folder);
    const theirs = capnpConvert("text:binary", "Reply", text, [], folder);
    expect(theirs.length).toBeLessThan(bytes.length - 8 * textSample.length);
    expect(allReplies(theirs)).toEqual(textSample.map((reply) => ({ ...reply, ...later })));
  });
});

/** A folder with the schema of replies as it was before this field. */
function before(ordinal: number): string {
  const folder = mkdtempSync(join(tmpdir(), "vantage-wire-"));
  const schema = readFileSync(join(schemaFolder, "reply.capnp"), "utf8");
  const lines = schema.split("\n").filter((line) => Number(/@(\d+) :/.exec(line)?.[1] ?? 0) < ordinal);
  writeFileSync(join(folder, "reply.capnp"), lines.join("\n"));
  folders.push(folder);
  return folder;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function allReplies(bytes: Uint8Array): Reply[] {
  const replies: Reply[] = [];
  for (let at = 0; at < bytes.length; ) {
    const result = decodeReply(bytes, at);
    expect(result.ok).toBe(true);
    if (result.ok) {
      replies.push(result.reply);
    }
    at = result.next;
  }
  return replies;
}

function allProbes(bytes: Uint8Array): Probe[] {
  const probes: Probe[] = [];
  const cursor = new ProbeCursor(bytes);
  while (cursor.next < bytes.length) {
    const at = cursor.next;
    cursor.advance();
    expect(cursor.reason).toBeNull();
    const { dst, srcPort, dstPort, ttl, protocol } = cursor;
    probes.push({ dst: dst.slice(), srcPort, dstPort, ttl, protocol });
    expect(decodeProbe(bytes, at)).toMatchObject({ ok: true, probe: probes.at(-1) ?? {} });
  }
  return probes;
}

function fromCapnpEs(root: EsReply): Reply {
  const { timeReceivedNs, agentId, rtt: rttTenthMs, rttUs } = root;
  const { replyQuotedTrafficClass, replyNextHopMtu, replyQuotedFlowLabel, replySite } = root;
  const { replyRewritten, replyQuotedSrcPort, replyChecksumDelta } = root;
  const { replyId, replySize, replyTtl, replyQuotedTtl, replyProtocol, replyIcmpType, replyIcmpCode } = root;
  const { probeId, probeSize, probeTtl, probeProtocol, probeSrcPort, probeDstPort } = root;
  return {
    ...{
      timeReceivedNs,
      agentId,
      replyId,
      replySize,
      replyTtl,
      replyQuotedTtl,
      replyProtocol,
      replyIcmpType,
    },
    ...{ replyIcmpCode, probeId, probeSize, probeTtl, probeProtocol, probeSrcPort, probeDstPort },
    ...{ rttTenthMs, rttUs, replyQuotedTrafficClass, replyNextHopMtu, replyQuotedFlowLabel, replySite },
    ...{ replyRewritten, replyQuotedSrcPort, replyChecksumDelta },
    replyQuotedSrcAddr: root._hasReplyQuotedSrcAddr()
      ? new Uint8Array(root.replyQuotedSrcAddr.toUint8Array())
      : new Uint8Array(16),
    replySrcAddr: new Uint8Array(root.replySrcAddr.toUint8Array()),
    replyDstAddr: new Uint8Array(root.replyDstAddr.toUint8Array()),
    probeSrcAddr: new Uint8Array(root.probeSrcAddr.toUint8Array()),
    probeDstAddr: new Uint8Array(root.probeDstAddr.toUint8Array()),
    replyMplsLabels: Array.from(root.replyMplsLabel, ({ label, exp, sBit, ttl }) => {
      return { label, exp, bottomOfStack: sBit, ttl };
    }),
  };
}

function toCapnpEs(reply: Reply): Message {
  const message = new Message();
  const root = message.initRoot(EsReply);
  const { replyMplsLabels, replySrcAddr, replyDstAddr, probeSrcAddr, probeDstAddr, ...others } = reply;
  const { rttTenthMs, replyQuotedSrcAddr, ...plain } = others;
  Object.assign(root, plain, { rtt: rttTenthMs });
  root._initReplyQuotedSrcAddr(16).copyBuffer(replyQuotedSrcAddr);
  root._initProbeDstAddr(16).copyBuffer(probeDstAddr);
  const labels = root._initReplyMplsLabel(replyMplsLabels.length);
  for (const [i, { label, exp, bottomOfStack, ttl }] of replyMplsLabels.entries()) {
    Object.assign(labels.get(i), { label, exp, sBit: bottomOfStack, ttl });
  }
  root._initReplySrcAddr(16).copyBuffer(replySrcAddr);
  root._initReplyDstAddr(16).copyBuffer(replyDstAddr);
  root._initProbeSrcAddr(16).copyBuffer(probeSrcAddr);
  return message;
}
