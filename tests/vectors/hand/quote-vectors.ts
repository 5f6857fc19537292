/** Vectors of what routers do to quotes: cut them, rewrite them, put labels behind them. */
import type { MplsLabel } from "../../../lib/net/packet/reply.ts";
import { expired } from "./answer-vectors.ts";
import { type ErrorOptions, echoAnswer, errorAnswer, withWrongChecksum } from "./answers.ts";
import { concat, patched, u16, zeros } from "./bytes.ts";
import { type Extension, mplsObject, otherObject } from "./extension.ts";
import { translated } from "./nat.ts";
import {
  all,
  icmp4,
  icmp6,
  router4,
  router6,
  type SentProbe,
  sent,
  sentTick,
  sized,
  tcp4,
  udp4,
  udp6,
} from "./probe-sample.ts";
import { answered, type Flaw, type Vector, type VectorPacket, vector } from "./vector.ts";

const stack = [
  { label: 16000, exp: 0, bottomOfStack: false, ttl: 1 },
  { label: 1048575, exp: 7, bottomOfStack: false, ttl: 255 },
  { label: 3, exp: 5, bottomOfStack: true, ttl: 64 },
];
const deepStack = Array.from({ length: 20 }, (_, i) => {
  return { label: 100 + i, exp: 0, bottomOfStack: i === 19, ttl: 1 };
});

const error = (sent: SentProbe, options: Partial<ErrorOptions>) =>
  errorAnswer(sent, { ...expired(sent), ...options });

/** The same extension behind both families, and the labels that have to be found. */
function both(
  what: string,
  extension: Extension,
  labels: readonly MplsLabel[] = stack,
  ...flaws: readonly Flaw[]
): VectorPacket[] {
  const counted = flaws.length === 0 ? {} : { flaws };
  return [udp4, udp6].map((sent) => {
    return answered(`${what}, IPv${sent.ipv4 ? 4 : 6}`, error(sent, { extension, labels }), counted);
  });
}

/** Each length in an error, with or without a structure at byte 128. */
function withLengths(
  what: string,
  lengths: { readonly v4: readonly number[]; readonly v6: readonly number[] },
  options: Partial<ErrorOptions>,
  ...flaws: readonly Flaw[]
): VectorPacket[] {
  const counted = flaws.length === 0 ? {} : { flaws };
  return [udp4, udp6].flatMap((sent) =>
    lengths[sent.ipv4 ? "v4" : "v6"].map((length) => {
      const name = `${what} ${length}, IPv${sent.ipv4 ? 4 : 6}`;
      return answered(name, error(sent, { ...options, length }), counted);
    }),
  );
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

const objects = mplsObject(stack);
const headerBytes = (sent: SentProbe) => (sent.ipv4 ? 20 : 40);

/** Where the last two bytes of the tag are, with zeros of the TTL behind them: 36 bytes, or 56. */
const tagLength = ({ ipv4 }: SentProbe) => ({ length: ipv4 ? 9 : 7 });

/** The same from the first port at which these two bytes begin with a 2, as a structure does. */
function withTagLikeStructure({ probe, ipv4 }: SentProbe): SentProbe {
  for (let srcPort = 24_100; ; srcPort++) {
    const candidate = sent({ ...probe, srcPort, ttl: 20 });
    const [first = 0, second = 0] = candidate.packet.subarray(ipv4 ? 36 : 56);
    if (first >> 4 === 2 && (first & 0xf) + second > 0) {
      return candidate;
    }
  }
}

const firstFragment = () => error(udp4, { checksum: "wrong", outer: { fragmentField: 0x2000 } });

export const quoteVectors: readonly Vector[] = [
  vector("mpls-compliant", [
    ...all.map((sent) => {
      const extension = { objects, style: "compliant" } as const;
      const what = `${sent.probe.protocol} over IPv${sent.ipv4 ? 4 : 6}`;
      return answered(what, error(sent, { extension, labels: stack }));
    }),
    answered(
      "unreachable",
      errorAnswer(udp4, { type: 3, code: 13, extension: { objects, style: "compliant" }, labels: stack }),
    ),
    ...both("no checksum", { objects, style: "compliant", checksum: "zero" }),
    ...both("behind another object", { objects: concat(otherObject, objects), style: "compliant" }),
    ...both("two stacks", { objects: concat(objects, objects), style: "compliant" }, [...stack, ...stack]),
  ]),
  vector("mpls-legacy", both("quote of 128 bytes, no length", { objects, style: "legacy" })),
  vector("mpls-broken", [
    ...both("wrong checksum", { objects, style: "compliant", checksum: "wrong" }, [], "badChecksum"),
    ...both("legacy, wrong checksum", { objects, style: "legacy", checksum: "wrong" }, [], "badChecksum"),
    ...both("legacy, no checksum", { objects, style: "legacy", checksum: "zero" }, [], "badChecksum"),
    ...both("version 1", { objects, style: "compliant", version: 1 }, [], "badVersion"),
    ...both("legacy, version 1: not told from the quote", { objects, style: "legacy", version: 1 }, []),
    ...both("no object", { objects: new Uint8Array(0), style: "compliant" }, []),
    ...both("only another object", { objects: otherObject, style: "compliant" }, []),
    ...both("object of length 0", { objects: concat(objects, zeros(4)), style: "compliant" }),
    ...both(
      "object beyond the packet",
      { objects: concat(u16(99), [1, 1], zeros(8)), style: "compliant" },
      [],
      "malformed",
    ),
    ...both(
      "object beyond the packet, behind a good one",
      { objects: concat(objects, u16(99), [1, 1], zeros(8)), style: "compliant" },
      stack,
      "malformed",
    ),
    ...both(
      "a stack deeper than is kept",
      { objects: mplsObject(deepStack), style: "compliant" },
      deepStack.slice(0, 16),
      "tooMany",
    ),
    answered("length of a quote longer than the packet, IPv4", error(udp4, { length: 200 })),
    answered("length of a quote longer than the packet, IPv6", error(udp6, { length: 200 })),
  ]),
  vector("quote-length", [
    ...withLengths("no extension, length", { v4: upTo(31), v6: upTo(15) }, {}),
    ...withLengths(
      "structure at 128, length",
      { v4: [...upTo(31), 33, 36, 64, 255], v6: [...upTo(15), 17, 18, 32, 255] },
      { extension: { objects, style: "legacy" }, labels: stack },
    ),
    ...withLengths(
      "structure with a wrong checksum at 128, length",
      { v4: [1, 7, 8, 31], v6: [1, 5, 6, 15] },
      { extension: { objects, style: "legacy", checksum: "wrong" } },
      "badChecksum",
    ),
    ...[udp4, udp6].map((like) => {
      const what = `a length whose place in the tag looks like a structure without a checksum`;
      return answered(`${what}, IPv${like.ipv4 ? 4 : 6}`, error(withTagLikeStructure(like), tagLength(like)));
    }),
    ...both("a short quote whose length is true", { objects, style: "short" }),
    ...both("the same without a checksum", { objects, style: "short", checksum: "zero" }),
    ...both("the same, wrong checksum", { objects, style: "short", checksum: "wrong" }, [], "badChecksum"),
  ]),
  vector("wrong-checksum", [
    ...all.map((sent) => {
      const what = `error, ${sent.probe.protocol} over IPv${sent.ipv4 ? 4 : 6}`;
      return answered(what, error(sent, { checksum: "wrong" }), { flaws: ["checksum"] });
    }),
    ...[icmp4, icmp6].map((sent) => {
      const { packet, reply } = echoAnswer(sent);
      const damaged = { packet: withWrongChecksum(packet, sent.ipv4), reply };
      return answered(`echo reply over IPv${sent.ipv4 ? 4 : 6}`, damaged, { flaws: ["checksum"] });
    }),
    answered(
      "wrong, and labels that are too",
      error(udp4, {
        checksum: "wrong",
        extension: { objects, style: "compliant", checksum: "wrong" },
      }),
      { flaws: ["checksum", "badChecksum"] },
    ),
    answered("the first of several fragments, whose checksum is of all", firstFragment()),
  ]),
  vector(
    "quote-8-bytes",
    all.map((sent) => {
      const what = `${sent.probe.protocol} over IPv${sent.ipv4 ? 4 : 6}`;
      const short = error(sent, { quoteBytes: headerBytes(sent) + 8 });
      // IPv6 has no identification, so 8 bytes of UDP or ICMPv6 prove nothing.
      const proven = sent.ipv4 || sent.probe.protocol === "tcp";
      return proven ? answered(what, short) : answered(what, short, { outcome: "untagged" });
    }),
  ),
  vector("sized", [
    ...sized.flatMap((sent) => {
      const what = `${sent.probe.protocol} over IPv${sent.ipv4 ? 4 : 6}, size 1400`;
      const short = error(sent, { quoteBytes: headerBytes(sent) + 8 });
      return [
        answered(what, error(sent, {})),
        answered(`${what}, TTL the last that is quoted`, error(sent, { quoteBytes: headerBytes(sent) + 19 })),
        // IPv6 has no identification for the TTL.
        answered(`${what}, 8 bytes quoted`, short, sent.ipv4 ? {} : { outcome: "quoteOther" }),
      ];
    }),
    ...sized
      .filter(({ probe }) => probe.protocol.startsWith("icmp"))
      .map((sent) => answered(`echo reply of ${sent.probe.protocol}, size 1400`, echoAnswer(sent))),
  ]),
  vector("quote-short", [
    answered("7 bytes of UDP", error(udp4, { quoteBytes: 27 }), { outcome: "quoteTruncated" }),
    answered("half an IPv4 header", error(udp4, { quoteBytes: 10 }), { outcome: "quoteTruncated" }),
    answered("7 bytes of UDP, IPv6", error(udp6, { quoteBytes: 47 }), { outcome: "quoteTruncated" }),
    answered("nothing", error(udp6, { quoteBytes: 0 }), { outcome: "quoteTruncated" }),
  ]),
  vector("quote-rewritten", [
    answered("IPv4 options in the quote", withQuotedOptions(udp4)),
    answered("IPv4 options in the quote of TCP", withQuotedOptions(tcp4)),
    answered(
      "a time code that a NAT has set back by 10 ms",
      error(udp4, {
        rewrite: (quote) => patched(quote, 26, u16((sentTick - 100) % 65535)),
        rewriting: { replyRewritten: 8, replyChecksumDelta: 65535 - 100 },
      }),
    ),
    answered("the same, and little is quoted", rewritten(udp4, 26, [1, 2], 28), { outcome: "mismatch" }),
    answered("a tag that is not ours", rewritten(udp4, 32, [1, 2, 3]), { outcome: "mismatch" }),
    answered("a tag that is not ours, IPv6", rewritten(udp6, 52, [1, 2, 3]), { outcome: "mismatch" }),
  ]),
  vector("nat", [
    ...[...all, ...sized].flatMap((sent) => [
      answered(`${nameOf(sent)}, gives nothing back`, behindNat(sent, {})),
      answered(`${nameOf(sent)}, gives addresses back`, behindNat(sent, { port: 1, returns: "addresses" })),
    ]),
    ...[icmp4, icmp6, ...sized.filter(({ probe }) => probe.protocol.startsWith("icmp"))].map((sent) =>
      answered(`${nameOf(sent)}, another identifier`, behindNat(sent, { port: 1025 })),
    ),
    ...[udp4, udp6].map((sent) => unproven(`${nameOf(sent)}, another port`, sent, 1025)),
    ...[icmp4, tcp4].map((sent) => {
      const what = `${nameOf(sent)}, gives nothing back, 8 bytes quoted`;
      const rewriting = { replyRewritten: 1, replyQuotedSrcAddr: natSource(sent) };
      const answer = error(sent, {
        ...translated(sent, { source: natSource(sent) }),
        quoteBytes: 28,
        rewriting,
      });
      return answered(what, answer);
    }),
    answered("half of TCP's header quoted", error(tcp4, { ...natOf(tcp4), quoteBytes: 30, rewriting: {} })),
    ...[udp4, icmp4, tcp4, ...sized.filter(({ ipv4 }) => ipv4)].map((sent) => {
      const rewrite = (quote: Uint8Array) => patched(quote, 4, [0xab, 0xcd]);
      const rewriting = { replyRewritten: 16 };
      return answered(
        `${nameOf(sent)}, another identification`,
        error(sent, { rewrite, rewriting, quoteBytes: 60 }),
      );
    }),
    answered("another identification, 8 bytes of UDP quoted", rewritten(udp4, 4, [1, 2], 28), {
      outcome: "mismatch",
    }),
  ]),
];

/** The error with these bytes of the quoted packet changed; what they say of tag and time is not in the Reply. */
function rewritten(sent: SentProbe, offset: number, bytes: readonly number[], quoteBytes?: number) {
  const rewrite = (quote: Uint8Array) => patched(quote, offset, bytes);
  return error(sent, { rewrite, ...(quoteBytes === undefined ? {} : { quoteBytes }) });
}

function nameOf({ probe, ipv4 }: SentProbe): string {
  return `${probe.protocol} over IPv${ipv4 ? 4 : 6}${probe.shape === undefined ? "" : ", size 1400"}`;
}

function natSource({ ipv4 }: SentProbe) {
  return ipv4 ? router4 : router6;
}

/** Gives addresses back, as it must. */
function natOf(sent: SentProbe) {
  return translated(sent, { source: natSource(sent), returns: "addresses" });
}

function behindNat(sent: SentProbe, options: { readonly port?: number; readonly returns?: "addresses" }) {
  const quoteBytes = headerBytes(sent) + 40;
  return error(sent, { ...translated(sent, { source: natSource(sent), ...options }), quoteBytes });
}

/** Nobody can say which port it was: the source is all that is known. */
function unproven(what: string, sent: SentProbe, port: number): VectorPacket {
  const source = natSource(sent);
  const { rewrite } = translated(sent, { source, port });
  const answer = error(sent, { rewrite, rewriting: { replyRewritten: 1, replyQuotedSrcAddr: source } });
  const reply = { ...answer.reply, probeSrcPort: port };
  return answered(what, { ...answer, reply }, { outcome: "mismatch" });
}

/** As if the probe had passed a router that adds options: header and total length are larger in the quote. */
function withQuotedOptions(sent: SentProbe) {
  const rewrite = (quote: Uint8Array) => {
    const length = quote.length + 4;
    const longer = concat(quote.slice(0, 20), [0x94, 4, 0, 0], quote.slice(20));
    return patched(patched(longer, 0, [0x46]), 2, u16(length));
  };
  return error(sent, { rewrite });
}
