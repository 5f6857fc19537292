/**
 * The table of lib/net/wire/reply-fields.ts against real packets: each source is computed here from the bytes of the
 * probe and its answer, and has to be what the reader puts into the field.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { address, mapped } from "../../lib/net/ip/address.ts";
import { type ReplyColumn, replyFields } from "../../lib/net/wire/reply-fields.ts";
import { type ReplySource, sourceTexts } from "../../lib/net/wire/reply-sources.ts";
import { expired } from "./hand/answer-vectors.ts";
import { echoAnswer, errorAnswer, rstAck, synAck, tcpAnswer } from "./hand/answers.ts";
import { dnsAnswer, nsidOption, opt } from "./hand/dns-answers.ts";
import { mplsObject } from "./hand/extension.ts";
import * as probes from "./hand/probe-sample.ts";
import { timeAfter } from "./hand/vector.ts";
import { receiveReference } from "./reference-receiver.ts";

const rttTenthMs = 123;
const labels = [{ label: 16000, exp: 3, bottomOfStack: true, ttl: 1 }];

/** An answer cut into what the sources speak of; `at` is the outer transport header. */
interface Sample {
  readonly packet: DataView;
  readonly ipv4: boolean;
  readonly at: number;
  readonly quote: DataView;
  readonly quoteAt: number;
}

function sampleOf(packet: Uint8Array): Sample {
  const ipv4 = (packet[0] ?? 0) >> 4 === 4;
  const at = ipv4 ? 20 : 40;
  const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
  const isError = packet.length >= at + 8 + at + 8;
  return { packet: view, ipv4, at, quote: isError ? new DataView(packet.buffer, at + 8) : view, quoteAt: at };
}

function addressAt(view: DataView, ipv4: boolean, place: 0 | 1): Uint8Array {
  const bytes = ipv4 ? 4 : 16;
  const offset = view.byteOffset + (ipv4 ? 12 : 8) + place * bytes;
  const raw = new Uint8Array(view.buffer, offset, bytes);
  return ipv4 ? mapped(raw) : raw.slice();
}

/** Every source of the table, from the bytes. */
const sourceValues: Readonly<Record<ReplySource, (sample: Sample) => unknown>> = {
  captureTime: () => timeAfter(rttTenthMs),
  agentId: () => probes.agentId,
  answerSource: ({ packet, ipv4 }) => addressAt(packet, ipv4, 0),
  answerDestination: ({ packet, ipv4 }) => addressAt(packet, ipv4, 1),
  answerId: ({ packet, ipv4 }) => (ipv4 ? packet.getUint16(4) : 0),
  answerSize: ({ packet, ipv4 }) => packet.getUint16(ipv4 ? 2 : 4),
  answerTtl: ({ packet, ipv4 }) => packet.getUint8(ipv4 ? 8 : 7),
  answerProtocol: ({ packet, ipv4 }) => packet.getUint8(ipv4 ? 9 : 6),
  icmpType: ({ packet, at }) => packet.getUint8(at),
  icmpCode: ({ packet, at }) => packet.getUint8(at + 1),
  echoIdentifier: ({ packet, at }) => packet.getUint16(at + 4),
  echoTtl: ({ packet, at }) => packet.byteLength - at - 8 - 10,
  mplsLabels: () => labels,
  noLabels: () => [],
  quotedSource: ({ quote, ipv4 }) => addressAt(quote, ipv4, 0),
  quotedDestination: ({ quote, ipv4 }) => addressAt(quote, ipv4, 1),
  quotedId: ({ quote, ipv4 }) => (ipv4 ? quote.getUint16(4) : 0),
  quotedSize: ({ quote, ipv4 }) => quote.getUint16(ipv4 ? 2 : 4),
  quotedTtl: ({ quote, ipv4 }) => quote.getUint8(ipv4 ? 8 : 7),
  quotedTrafficClass: ({ quote, ipv4 }) => (ipv4 ? quote.getUint8(1) : (quote.getUint16(0) >> 4) & 0xff),
  quotedFlowLabel: ({ quote, ipv4 }) => (ipv4 ? 0 : quote.getUint32(0) & 0xf_ffff),
  nextHopMtu: () => 0,
  quotedProtocol: ({ quote, ipv4 }) => quote.getUint8(ipv4 ? 9 : 6),
  quotedSourcePort: ({ quote, quoteAt }) => quote.getUint16(quoteAt),
  quotedDestinationPort: ({ quote, quoteAt }) => quote.getUint16(quoteAt + 2),
  quotedIdentifier: ({ quote, quoteAt }) => quote.getUint16(quoteAt + 4),
  quotedUdpTtl: ({ quote, quoteAt }) => quote.getUint16(quoteAt + 4) - 18,
  quotedIcmpTtl: ({ quote, ipv4 }) => quote.getUint16(ipv4 ? 2 : 4) - (ipv4 ? 20 : 0) - 18,
  quotedTcpTtl: ({ quote, quoteAt }) => quote.getUint8(quoteAt + 6),
  tcpProtocol: () => 6,
  tcpFlags: ({ packet, at }) => packet.getUint8(at + 13),
  tcpProbeSize: ({ ipv4 }) => (ipv4 ? 40 : 20),
  tcpAcknowledgedTtl: ({ packet, at }) => ((packet.getUint32(at + 8) - 1) >>> 8) & 0xff,
  answerDestinationPort: ({ packet, at }) => packet.getUint16(at + 2),
  answerSourcePort: ({ packet, at }) => packet.getUint16(at),
  udpProtocol: () => 17,
  responseCode: () => 5,
  dnsProbeSize: ({ ipv4 }) => (ipv4 ? 20 : 0) + 66,
  questionTtl: ({ packet, at }) => {
    const letters = Array.from({ length: 8 }, (_, i) => packet.getUint8(at + 8 + 12 + 1 + i));
    return letters.reduce((ttl, letter, i) => ttl | ((letter & 0x20) === 0 ? 1 << i : 0), 0);
  },
  siteName: () => site,
  noText: () => "",
  roundTripTime: () => rttTenthMs,
  // Behind the reader: the engine knows when a probe left within its tick.
  fineRoundTripTime: () => 0,
  zero: () => 0,
  // Quotes of these samples are as sent; quote-rewritten has the others.
  rewritten: () => 0,
  rewrittenSourcePort: () => 0,
  rewrittenIdentifier: () => 0,
  checksumDelta: () => 0,
  rewrittenSource: () => address("::"),
  noAddress: () => address("::"),
};

const error = (sent: probes.SentProbe) => {
  const extension = { objects: mplsObject(labels), style: "compliant" } as const;
  return errorAnswer(sent, { ...expired(sent), extension, labels }).packet;
};

const site = "b1.fra.example";
const named = (sent: probes.SentProbe) =>
  dnsAnswer(sent, { flags: 5, additional: [opt(nsidOption(site))] }).packet;
/** hostname.bind over both families. */
const [dns4 = probes.udp4, , , dns6 = probes.udp6] = probes.dns;

const samples: readonly (readonly [ReplyColumn, string, Uint8Array])[] = [
  ["udpError", "IPv4", error(probes.udp4)],
  ["udpError", "IPv6", error(probes.udp6)],
  ["icmpError", "IPv4", error(probes.icmp4)],
  ["icmpError", "IPv6", error(probes.icmp6)],
  ["tcpError", "IPv4", error(probes.tcp4)],
  ["tcpError", "IPv6", error(probes.tcp6)],
  ["echoReply", "IPv4", echoAnswer(probes.icmp4).packet],
  ["echoReply", "IPv6", echoAnswer(probes.icmp6).packet],
  ["tcpAnswer", "IPv4", tcpAnswer(probes.tcp4, synAck).packet],
  ["tcpAnswer", "IPv6", tcpAnswer(probes.tcp6, rstAck).packet],
  ["dnsAnswer", "IPv4", named(dns4)],
  ["dnsAnswer", "IPv6", named(dns6)],
];

/** Names of the table that differ from those of the Reply in TypeScript. */
const renamed: Readonly<Record<string, string>> = { replyMplsLabel: "replyMplsLabels", rtt: "rttTenthMs" };

describe.each(samples)("%s over %s", (column, _family, packet) => {
  const { reply } = receiveReference(packet, 101, timeAfter(rttTenthMs), probes);
  const values = new Map(Object.entries(reply ?? {}));

  test.each(replyFields)("$name", (field) => {
    expect(values.get(renamed[field.name] ?? field.name)).toEqual(
      sourceValues[field.sources[column]](sampleOf(packet)),
    );
  });
});

test("the table has every field of the schema, in its order, and no source that nothing uses", () => {
  const schema = readFileSync(join(import.meta.dirname, "../../lib/net/wire/reply.capnp"), "utf8");
  const struct = schema.slice(schema.indexOf("struct Reply"));
  const names = [...struct.matchAll(/^ {2}(\w+) @(\d+)/gm)].map(([, name, ordinal]) => [
    name,
    Number(ordinal),
  ]);
  expect(names).toEqual(replyFields.map(({ name }, ordinal) => [name, ordinal]));
  const used = new Set(replyFields.flatMap((field) => Object.values(field.sources)));
  expect([...used].sort()).toEqual((Object.keys(sourceTexts) as ReplySource[]).sort());
});
