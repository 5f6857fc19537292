/** Any probe, answered in any way a router or target may: what comes back is the probe, its time, and its tag. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decodeReply, encodeReply } from "../../lib/net/wire/reply-codec.ts";
import { latestTickOf } from "../packet/latest-tick.ts";
import {
  type AnswerPacket,
  echoAnswer,
  errorAnswer,
  rstAck,
  synAck,
  tcpAnswer,
} from "../vectors/hand/answers.ts";
import { checksum, concat } from "../vectors/hand/bytes.ts";
import {
  type DnsAnswer,
  dnsAnswer,
  nsidOption,
  opt,
  option,
  record,
  sameName,
} from "../vectors/hand/dns-answers.ts";
import { mplsObject } from "../vectors/hand/extension.ts";
import { ethernet } from "../vectors/hand/frames.ts";
import { pseudoHeader } from "../vectors/hand/ip.ts";
import { agentId, keys, sent, sentTick, sources } from "../vectors/hand/probe-sample.ts";
import { timeAfter } from "../vectors/hand/vector.ts";
import { receiveReference } from "../vectors/reference-receiver.ts";
import { arbitraryDnsProbe, arbitraryShapedProbe } from "./arbitrary.ts";

/** Only the key that was used: where few bits of a tag are quoted, another one may fit by chance. */
const config = { agentId, keys: keys.slice(1), sources, tcp: { hasLeft: () => true } };
const sentProbe = arbitraryShapedProbe.map((probe) => sent(probe));
const rtt = fc.integer({ min: 0, max: 65534 });
const label = { label: 77, exp: 1, bottomOfStack: true, ttl: 3 };

/** The answer has to be read on Ethernet as it was meant, and to survive the wire. */
function expectRead({ packet, reply }: AnswerPacket, rttTenthMs: number): void {
  const received = receiveReference(ethernet()(packet), 1, timeAfter(rttTenthMs), config);
  const expected = { ...reply, agentId, rttTenthMs, rttUs: 0, timeReceivedNs: timeAfter(rttTenthMs) };
  expect(received).toMatchObject({ outcome: "match", key: 0, sentTick, reply: expected, flaws: [] });
  expect(decodeReply(encodeReply(expected))).toMatchObject({ ok: true, reply: expected });
}

describe("a probe", () => {
  test("has checksums that every host accepts", () => {
    fc.assert(
      fc.property(sentProbe, ({ packet, ipv4, src, probe, protocolNumber }) => {
        const transport = packet.slice(ipv4 ? 20 : 40);
        expect(ipv4 ? checksum(packet.slice(0, 20)) : 0).toBe(0);
        const pseudo =
          protocolNumber === 1 ? [] : pseudoHeader(src, probe.dst, protocolNumber, transport.length);
        expect(checksum(concat(pseudo, transport))).toBe(0);
      }),
    );
  });

  test("comes back from an error, however much of it is quoted", () => {
    fc.assert(
      fc.property(sentProbe, rtt, fc.nat(400), fc.nat(15), (probe, rttTenthMs, extraBytes, code) => {
        const type = probe.ipv4 ? 3 : 1;
        // IPv6 has no identification: without the first ten bytes of payload, nothing of the tag is quoted, and without
        // the eleventh no TTL of a probe with a size.
        const headBytes = probe.probe.shape?.sizeBytes === undefined ? 10 : 11;
        const provingBytes = probe.ipv4 || probe.probe.protocol === "tcp" ? 0 : headBytes;
        const quoteBytes = (probe.ipv4 ? 28 : 48) + provingBytes + extraBytes;
        expectRead(errorAnswer(probe, { type, code, quoteBytes }), rttTenthMs);
      }),
    );
  });

  test("comes back from an error with a label behind it, whatever the router's style", () => {
    fc.assert(
      fc.property(sentProbe, rtt, fc.constantFrom("compliant", "legacy"), (probe, rttTenthMs, style) => {
        const extension = { objects: mplsObject([label]), style } as const;
        const error = { type: probe.ipv4 ? 11 : 3, code: 0, extension, labels: [label] };
        expectRead(errorAnswer(probe, error), rttTenthMs);
      }),
    );
  });

  test("comes back from an error, with the labels behind it, whatever length its header says", () => {
    const legacy = { objects: mplsObject([label]), style: "legacy" } as const;
    fc.assert(
      fc.property(sentProbe, rtt, fc.nat(255), fc.boolean(), (probe, rttTenthMs, length, isLabelled) => {
        const type = probe.ipv4 ? 11 : 3;
        // A longer one announces a structure, which is missed where there is none.
        const place = length * (probe.ipv4 ? 4 : 8);
        fc.pre(isLabelled || place < 128);
        // The probe's own bytes there may look like a structure of version 2, which is then counted as malformed.
        fc.pre(isLabelled || (probe.packet[place] ?? 0) >>> 4 !== 2);
        const error = isLabelled ? { extension: legacy, labels: [label] } : {};
        expectRead(errorAnswer(probe, { type, code: 0, length, ...error }), rttTenthMs);
      }),
      { numRuns: 500 },
    );
  });

  test("comes back from its target", () => {
    fc.assert(
      fc.property(sentProbe, rtt, fc.constantFrom(synAck, rstAck), (probe, rttTenthMs, flags) => {
        fc.pre(probe.probe.protocol !== "udp");
        expectRead(probe.probe.protocol === "tcp" ? tcpAnswer(probe, flags) : echoAnswer(probe), rttTenthMs);
      }),
    );
  });
});

/** Sites, response codes and records that change nothing. */
const arbitraryAnswer: fc.Arbitrary<DnsAnswer> = fc
  .record({
    name: fc.oneof(
      fc
        .string({ unit: "binary-ascii", minLength: 1, maxLength: 63 })
        .filter((name) => /^[ -~]+$/.test(name)),
      fc.constant("b1.fra"),
    ),
    code: fc.nat(15),
    isTruncated: fc.boolean(),
    others: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }),
  })
  .map(({ name, code, isTruncated, others }) => ({
    ...{ flags: code | (isTruncated ? 0x200 : 0), code: code | (isTruncated ? 128 : 0), site: name },
    authority: others.map((data) => record(sameName, [1, 1], [...data])),
    additional: [opt([...option(15, [0, 9]), ...nsidOption(name)])],
  }));

describe("a query", () => {
  const query = arbitraryDnsProbe.map((probe) => sent(probe));

  test("has checksums that every host accepts", () => {
    fc.assert(
      fc.property(query, ({ packet, ipv4, src, probe, protocolNumber }) => {
        const transport = packet.slice(ipv4 ? 20 : 40);
        expect(
          checksum(concat(pseudoHeader(src, probe.dst, protocolNumber, transport.length), transport)),
        ).toBe(0);
      }),
    );
  });

  test("comes back from an error, however much of it is quoted", () => {
    fc.assert(
      fc.property(query, rtt, fc.nat(100), (probe, rttTenthMs, extraBytes) => {
        // IPv6 has no identification: the TTL is in the question.
        const quoteBytes = (probe.ipv4 ? 28 : 48 + 12 + 33) + extraBytes;
        expectRead(errorAnswer(probe, { type: probe.ipv4 ? 3 : 1, code: 4, quoteBytes }), rttTenthMs);
      }),
    );
  });

  test("comes back from a name server, with its site", () => {
    fc.assert(
      fc.property(query, rtt, arbitraryAnswer, (probe, rttTenthMs, answer) => {
        expectRead(dnsAnswer(probe, answer), rttTenthMs);
      }),
    );
  });
});

test("a time code is unique within one wrap, and 0 and 0xffff are one code", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 45), fc.nat(65534), (tick, age) => {
      const code = tick % 65535;
      expect(latestTickOf(code, tick + age)).toBe(tick);
      expect(code === 0 ? latestTickOf(0xffff, tick + age) : tick).toBe(tick);
    }),
  );
});
