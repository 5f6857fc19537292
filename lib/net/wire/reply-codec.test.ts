import { expect, test } from "bun:test";
import { address } from "../ip/address.ts";
import { asSent, type Reply } from "../packet/reply.ts";
import { encodeProbe } from "./probe-codec.ts";
import { encodeReply } from "./reply-codec.ts";

const reply: Reply = {
  timeReceivedNs: 0x0102030405060708n,
  agentId: "agent-ab",
  replySrcAddr: address("192.0.2.1"),
  replyDstAddr: address("192.0.2.2"),
  replyId: 0x1112,
  replySize: 0x1314,
  replyTtl: 0x15,
  replyQuotedTtl: 0x16,
  replyProtocol: 0x17,
  replyIcmpType: 0x18,
  replyIcmpCode: 0x19,
  replyMplsLabels: [{ label: 0xabcde, exp: 5, bottomOfStack: true, ttl: 0x1a }],
  probeSrcAddr: address("192.0.2.3"),
  probeDstAddr: address("192.0.2.4"),
  probeId: 0x2122,
  probeSize: 0x2324,
  probeTtl: 0x25,
  probeProtocol: 0x26,
  probeSrcPort: 0x2728,
  probeDstPort: 0x292a,
  rttTenthMs: 0x2b2c,
  rttUs: 0x2d2e2f30,
  replyQuotedTrafficClass: 0x31,
  replyNextHopMtu: 0x3233,
  replyQuotedFlowLabel: 0x34353637,
  replySite: "s1.fra",
  ...asSent,
};

/** The layout in the head of reply-codec.ts, byte for byte: the WASM encoder is held to the same vector. */
const replyWords = [
  "00000000 1a000000", // one segment of 26 words
  "00000000 05000700",
  "08070605 04030201",
  "12111413 15161718",
  "19252221 24232631",
  "28272a29 2c2b3332",
  "302f2e2d 37363534",
  "19000000 4a000000", // agentId: 6 words on, 9 bytes
  "1d000000 82000000", // replySrcAddr
  "21000000 82000000", // replyDstAddr
  "25000000 0f000000", // replyMplsLabel: 9 words on, composite, 1 word
  "29000000 82000000", // probeSrcAddr
  "2d000000 82000000", // probeDstAddr
  "31000000 3a000000", // replySite: 12 words on, 7 bytes
  "6167656e 742d6162",
  "00000000 00000000",
  "00000000 00000000",
  "0000ffff c0000201",
  "00000000 00000000",
  "0000ffff c0000202",
  "04000000 01000000", // one element of one word
  "debc0a00 05011a00",
  "00000000 00000000",
  "0000ffff c0000203",
  "00000000 00000000",
  "0000ffff c0000204",
  "73312e66 72610000",
];

test("a reply has the documented bytes", () => {
  expect(Buffer.from(encodeReply(reply)).toString("hex")).toBe(replyWords.join("").replaceAll(" ", ""));
});

test("without labels and site, and with an agent id of 7 bytes, a reply has 176 bytes", () => {
  const short = { ...reply, agentId: "agent-1", replyMplsLabels: [], replySite: "" };
  expect(encodeReply(short)).toHaveLength(176);
});

test("a probe has the documented 48 bytes", () => {
  const probe = {
    dst: reply.replySrcAddr,
    srcPort: 24000,
    dstPort: 33434,
    ttl: 9,
    protocol: "icmp",
  } as const;
  expect(Buffer.from(encodeProbe(probe)).toString("hex")).toBe(
    "00000000050000000000000001000100c05d9a820900020001000000820000000000000000000000" + "0000ffffc0000201",
  );
});
