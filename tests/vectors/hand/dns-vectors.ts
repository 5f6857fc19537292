/** Vectors of DNS probes: what routers quote of them, and what name servers answer. */
import { expired } from "./answer-vectors.ts";
import { errorAnswer } from "./answers.ts";
import { concat, patched, u16, zeros } from "./bytes.ts";
import {
  chaosText,
  cookieOption,
  type DnsAnswer,
  dnsAnswer,
  nsidOption,
  opt,
  option,
  record,
  sameName,
  textOf,
} from "./dns-answers.ts";
import { ethernet } from "./frames.ts";
import { dns, keys, type SentProbe, sent } from "./probe-sample.ts";
import {
  answered,
  type Flaw,
  ignored,
  type Outcome,
  type Vector,
  type VectorPacket,
  vector,
} from "./vector.ts";

const nameOf = ({ probe, ipv4 }: SentProbe) => `${probe.shape?.dns} over IPv${ipv4 ? 4 : 6}`;
const [hostname4, server4, nsid4, hostname6] = dns as [SentProbe, SentProbe, SentProbe, SentProbe];
const isNsid = ({ probe }: SentProbe) => probe.shape?.dns === "nsid";
const site = "b1.fra.example";
const text = chaosText(textOf(site));

/** The answer to hostname.bind over IPv4, unless it says otherwise. */
const told = (what: string, answer: DnsAnswer, flaws: readonly Flaw[] = [], to = hostname4): VectorPacket =>
  answered(what, dnsAnswer(to, answer), flaws.length === 0 ? {} : { flaws });
const refused = (what: string, outcome: Outcome, answer: DnsAnswer, to = hostname4): VectorPacket =>
  ignored(what, outcome, ethernet()(dnsAnswer(to, answer).packet));

/** Nobody remembers them. */
const unsent = sent({ ...hostname4.probe, srcPort: 24_100 });
const unsentNsid = sent({ ...nsid4.probe, srcPort: 24_100 });
const stranger = sent({ ...nsid4.probe }, { k0: 1n, k1: 2n });
const foreignKey = sent({ ...nsid4.probe, srcPort: 24_101 }, keys[0]);

const zone = record(sameName, [6, 1], zeros(30));
const nameServers = Array.from({ length: 13 }, (_, i) => record([0], [2, 1], [1, 0x61 + i, ...sameName]));
const glue = Array.from({ length: 60 }, (_, i) => record([1, 0x61, 0], [1, 1], [192, 0, 2, i]));
const long = "n".repeat(200);
const upper = (question: Uint8Array) =>
  question.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 32 : byte));
const lower = (question: Uint8Array) =>
  question.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte));

const answers: readonly VectorPacket[] = [
  ...dns.flatMap((one) => [
    told(`text, ${nameOf(one)}`, { answers: [text], site: isNsid(one) ? "" : site }, [], one),
    told(`NSID alone, ${nameOf(one)}`, { additional: [opt(nsidOption(site))], site }, [], one),
    told(
      `NSID behind a cookie, ${nameOf(one)}`,
      {
        additional: [opt([...cookieOption(one), ...nsidOption(site)])],
        site,
      },
      [],
      one,
    ),
    told(`refused, ${nameOf(one)}`, { flags: 5, code: 5 }, [], one),
    told(
      `no such name, with NSID, ${nameOf(one)}`,
      {
        ...{ flags: 3, code: 3, authority: [zone], additional: [opt(nsidOption(site))], site },
      },
      [],
      one,
    ),
  ]),
  told("text and NSID", { answers: [text], additional: [opt(nsidOption("other"))], site }),
  told("an empty text, then NSID", { answers: [chaosText([0])], additional: [opt(nsidOption(site))], site }),
  told("two records of text", { answers: [text, chaosText(textOf("second"))], site }),
  told("two texts in one record", { answers: [chaosText([...textOf(site), ...textOf("more")])], site }),
  told("text of class IN counts for nothing", { answers: [record(sameName, [16, 1], textOf("no"))] }),
  told("text in another section counts for nothing", { authority: [text], additional: [text] }),
  told("truncated", { flags: 0x200, code: 128 }),
  told("a response code that EDNS extends: BADCOOKIE", { flags: 7, additional: [opt([], 1)], code: 23 }),
  told("the highest response code", { flags: 15, additional: [opt([], 255)], code: 127 }),
  told("a name in bytes that are not text", {
    additional: [opt(nsidOption([0, 0xff, 0x41]))],
    site: "0x00ff41",
  }),
  told("a line break and an escape in text", {
    answers: [chaosText(textOf("a\n\u001b[2J"))],
    site: "0x610a1b5b324a",
  }),
  told("markup and a formula are text here", { answers: [chaosText(textOf("=<b>\"'"))], site: "=<b>\"'" }),
  told("a name longer than is kept", { answers: [chaosText(textOf(long))], site: long.slice(0, 128) }, [
    "siteCut",
  ]),
  told(
    "bytes longer than are kept",
    {
      additional: [opt(nsidOption(Array.from({ length: 64 }, () => 7)))],
      site: `0x${"07".repeat(63)}`,
    },
    ["siteCut"],
  ),
  told("a referral to the root", {
    authority: nameServers,
    additional: [...glue.slice(0, 26), opt(nsidOption(site))],
    site,
  }),
  told("more records than are read", { additional: [...glue, ...glue, opt(nsidOption(site))] }, [
    "siteUnreadable",
  ]),
  told(
    "more options than are read",
    {
      additional: [opt([...Array.from({ length: 32 }, () => option(12, [])).flat(), ...nsidOption(site)])],
    },
    ["siteUnreadable"],
  ),
  told("fewer records than are announced", { answers: [text], counts: [9, 0, 0], site }, ["siteUnreadable"]),
  told("65535 records of each kind", { counts: [0xffff, 0xffff, 0xffff] }, ["siteUnreadable"]),
  told("a record beyond the message", { answers: [[...sameName, 0, 16, 0, 3, 0, 0, 0, 0, 0xff, 0xff]] }, [
    "siteUnreadable",
  ]),
  told("a text beyond its record", { answers: [chaosText([200, 65])] }, ["siteUnreadable"]),
  told("a record without a text", { answers: [chaosText([])] }, ["siteUnreadable"]),
  told("an option beyond its record", { additional: [opt([0, 3, 0, 99, 65])] }, ["siteUnreadable"]),
  told("a label of an unknown kind", { answers: [record([0x41, 0], [16, 3], textOf(site))] }, [
    "siteUnreadable",
  ]),
  told(
    "a label of 64 bytes",
    { answers: [record([64, ...Array(64).fill(0x61), 0], [16, 3], textOf(site))] },
    ["siteUnreadable"],
  ),
  told("a label of 63 bytes", {
    answers: [record([63, ...Array(63).fill(0x61), 0], [16, 3], textOf(site))],
    site,
  }),
  told("the last byte of ASCII is not printable", {
    additional: [opt(nsidOption([0x41, 0x7f]))],
    site: "0x417f",
  }),
  told("a name that points to itself", { answers: [record([0xc0, 33], [16, 3], textOf(site))], site }),
  told("a name without an end", { answers: [Array.from({ length: 300 }, () => 1)] }, ["siteUnreadable"]),
  told("bytes behind the message", { answers: [text, [1, 2, 3, 4]], counts: [1, 0, 0], site }),
  told("the first of several fragments", {
    ...{ answers: [text], length: 4000, outer: { fragmentField: 0x2000 }, site },
  }),
  answered(
    "behind extension headers",
    dnsAnswer(hostname6, {
      answers: [text],
      outer: { extensions: [[60, [0, 1, 4, 0, 0, 0, 0]]] },
      site,
    }),
  ),
];

const forged: readonly VectorPacket[] = [
  refused("to a query that never left, without a cookie", "mismatch", { answers: [text] }, unsent),
  told(
    "to a query that nobody remembers, with its cookie",
    {
      ...{ answers: [text], additional: [opt(cookieOption(unsent))], site },
    },
    [],
    unsent,
  ),
  refused("with a cookie that is not ours", "mismatch", {
    additional: [opt(option(10, [1, 2, 3, 4, 5, 6, 7, 8]))],
  }),
  told("with a cookie that is too short to be one", { additional: [opt(option(10, [1, 2, 3, 4]))] }),
  told("nsid needs no memory", {}, [], unsentNsid),
  answered("nsid of another instance of this agent", dnsAnswer(foreignKey, {})),
  refused("nsid with a stranger's tag", "mismatch", {}, stranger),
  answered(
    "a wrap late, by its cookie",
    dnsAnswer(hostname4, { additional: [opt(cookieOption(hostname4))] }),
    {
      ...{ rttTenthMs: 65_535, outcome: "stale" },
    },
  ),
  answered("a wrap late, without one", dnsAnswer(hostname4, {}), {
    ...{ rttTenthMs: 65_535, outcome: "mismatch" },
  }),
  refused("a name in capitals: another TTL", "mismatch", { rewrite: upper }, server4),
  refused("a name in small letters: no TTL", "otherType", { rewrite: lower }),
  refused("a tag in capitals", "otherType", { rewrite: upper }, nsid4),
  refused("another name", "otherType", { rewrite: (one) => patched(one, 2, [0x21]) }),
  refused(
    "another tag's digit",
    "mismatch",
    { rewrite: (one) => patched(one, 3, [one[3] === 0x61 ? 0x62 : 0x61]) },
    nsid4,
  ),
  refused("another type", "otherType", { rewrite: (one) => patched(one, one.length - 3, [1]) }),
  refused("another class", "otherType", { rewrite: (one) => patched(one, one.length - 1, [1]) }),
  refused("a query", "otherType", { flags: 0x8000 }),
  refused("an update", "otherType", { flags: 0x2800 }),
  refused("UDP longer than its packet", "malformed", { length: 400 }),
  refused("UDP shorter than its header", "malformed", { length: 7 }),
  refused("UDP without a message", "otherType", { length: 12 }),
  refused("a message that ends in its question", "otherType", { length: 30 }),
  ignored("the host's own resolver", "otherType", ethernet()(ownAnswer())),
];

/** `www.example`, type A. */
function ownAnswer(): Uint8Array {
  const { packet } = dnsAnswer(server4, {});
  const question = concat(
    [3, 0x77, 0x77, 0x77, 7, ...new TextEncoder().encode("example"), 0],
    u16(1),
    u16(1),
  );
  const message = concat(packet.slice(28, 40), question);
  const udp = concat(u16(53), u16(40_000), u16(8 + message.length), [0, 0], message);
  return concat(patched(packet.slice(0, 20), 2, u16(20 + udp.length)), udp);
}

const quoteOf = (one: SentProbe, quoteBytes?: number) =>
  errorAnswer(one, { ...expired(one), ...(quoteBytes === undefined ? {} : { quoteBytes }) });
const ipBytes = ({ ipv4 }: SentProbe) => (ipv4 ? 20 : 40);
/** UDP header, DNS header and question. */
const questionBytes = ({ probe }: SentProbe) =>
  20 + ({ "hostname.bind": 19, "id.server": 15, nsid: 33 }[probe.shape?.dns ?? "nsid"] ?? 0);

export const dnsVectors: readonly Vector[] = [
  vector("dns-answer", answers),
  vector("dns-forged", forged),
  vector("dns-quoted", [
    ...dns.map((one) => answered(`whole, ${nameOf(one)}`, quoteOf(one))),
    ...dns.map((one) =>
      answered(`up to the question's end, ${nameOf(one)}`, quoteOf(one, ipBytes(one) + questionBytes(one))),
    ),
    ...dns.slice(0, 3).map((one) => answered(`8 bytes, ${nameOf(one)}`, quoteOf(one, 28))),
    ...dns.slice(0, 3).map((one) => answered(`half of the question, ${nameOf(one)}`, quoteOf(one, 45))),
    ...dns
      .slice(3)
      .map((one) =>
        ignored(`8 bytes, ${nameOf(one)}: no TTL`, "quoteOther", ethernet()(quoteOf(one, 48).packet)),
      ),
    answered("port unreachable", errorAnswer(hostname4, { type: 3, code: 3 })),
    answered("8 bytes of a query that nobody remembers", quoteOf(unsent, 28), { outcome: "mismatch" }),
    answered("the whole of a query that nobody remembers", quoteOf(unsent)),
    answered("a stranger's", quoteOf(stranger), { outcome: "mismatch" }),
    ignored(
      "a query of the host's own resolver",
      "quoteOther",
      ethernet()(errorAnswer(hostname4, { ...expired(hostname4), rewrite: ownQuery }).packet),
    ),
  ]),
];

/** A query of the same length, with another name. */
function ownQuery(quote: Uint8Array): Uint8Array {
  return patched(quote, 41, [0x77]);
}
