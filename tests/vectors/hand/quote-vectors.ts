/** Vectors of what routers do to quotes: cut them, rewrite them, put labels behind them. */
import { expired } from "./answer-vectors.ts";
import { type ErrorOptions, errorAnswer } from "./answers.ts";
import { concat, patched, u16, zeros } from "./bytes.ts";
import { type Extension, mplsObject, otherObject } from "./extension.ts";
import { all, type SentProbe, sentTick, tcp4, udp4, udp6 } from "./probe-sample.ts";
import { answered, type Vector, type VectorPacket, vector } from "./vector.ts";

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
function both(what: string, extension: Extension, labels = stack): VectorPacket[] {
  return [udp4, udp6].map((sent) => {
    return answered(`${what}, IPv${sent.ipv4 ? 4 : 6}`, error(sent, { extension, labels }));
  });
}

const objects = mplsObject(stack);
const headerBytes = (sent: SentProbe) => (sent.ipv4 ? 20 : 40);

/** A length field of its own, in 4 or 8 bytes, in an error without extension. */
const lyingLength = (sent: SentProbe, length: number) => {
  const { packet, reply } = error(sent, {});
  return { packet: patched(packet, headerBytes(sent) + (sent.ipv4 ? 5 : 4), [length]), reply };
};

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
    ...both("wrong checksum", { objects, style: "compliant", checksum: "wrong" }, []),
    ...both("legacy, wrong checksum", { objects, style: "legacy", checksum: "wrong" }, []),
    ...both("legacy, no checksum", { objects, style: "legacy", checksum: "zero" }, []),
    ...both("no object", { objects: new Uint8Array(0), style: "compliant" }, []),
    ...both("only another object", { objects: otherObject, style: "compliant" }, []),
    ...both("object of length 0", { objects: concat(objects, zeros(4)), style: "compliant" }),
    ...both(
      "object beyond the packet",
      { objects: concat(u16(99), [1, 1], zeros(8)), style: "compliant" },
      [],
    ),
    ...both("a stack deeper than is kept", { objects: mplsObject(deepStack), style: "compliant" }, [
      ...deepStack.slice(0, 16),
    ]),
    answered("length of a quote longer than the packet, IPv4", lyingLength(udp4, 200)),
    answered("length of a quote longer than the packet, IPv6", lyingLength(udp6, 200)),
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
      rewritten(udp4, 26, u16((sentTick - 100) % 65535)),
      { outcome: "mismatch" },
    ),
    answered("a tag that is not ours", rewritten(udp4, 32, [1, 2, 3]), { outcome: "mismatch" }),
    answered("a tag that is not ours, IPv6", rewritten(udp6, 52, [1, 2, 3]), { outcome: "mismatch" }),
  ]),
];

/** The error with these bytes of the quoted packet changed; what they say of tag and time is not in the Reply. */
function rewritten(sent: SentProbe, offset: number, bytes: readonly number[]) {
  return error(sent, { rewrite: (quote) => patched(quote, offset, bytes) });
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
