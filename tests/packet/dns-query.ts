/**
 * The query of a DNS probe (RFC 1035), and the question as a quote or an answer returns it.
 *
 *     id = time code 2 | flags 0, so no recursion | 1 question | 0 | 0 | 1 additional record    2 bytes each
 *     question  hostname.bind or id.server: TXT 16, class CHAOS 3 (RFC 4892). The TTL is in the case of the name's
 *               first 8 letters, the lowest bit first: upper case is 1
 *               nsid: `v`, tag 8 bytes, TTL 1, in hexadecimal digits, then `invalid` (RFC 6761): TXT 16, class IN 1
 *     OPT       root name 1 | type 41 | payload 1232 | 0 0 0 0 | length 16                      (RFC 6891)
 *               NSID 3 | length 0                                                              (RFC 5001)
 *               COOKIE 10 | length 8 | tweak 2 | tag 6: a client's cookie                      (RFC 7873)
 *
 * An answer has the id, and the name in the case that was asked; from servers that know cookies the client's too. The
 * tweak makes the UDP checksum the time code, as in other probes; the length does not give the TTL back, so over IPv4
 * the identification does, as in probes with a size.
 */
import { type DnsQuestion, dnsPort, dnsQuestions } from "../../lib/net/packet/dns-question.ts";
import type { Probe } from "../../lib/net/packet/probe.ts";

export const dnsHeaderBytes = 12;
const questionEndBytes = 4;
const optHeadBytes = 11;
const optionHeadBytes = 4;
const cookieBytes = 8;
const udpPayloadBytes = 1232;
const typeTxt = 16;
const typeOpt = 41;
const optionNsid = 3;
const optionCookie = 10;

const names: Readonly<Record<DnsQuestion, readonly string[]>> = {
  "hostname.bind": ["hostname", "bind"],
  "id.server": ["id", "server"],
  nsid: [`v${"0".repeat(18)}`, "invalid"],
};
const classOf = (question: DnsQuestion) => (question === "nsid" ? 1 : 3);
const casedLetters = 8;

/** What a probe asks: only UDP to port 53 does. */
export function questionOf({ protocol, dstPort, shape }: Probe): DnsQuestion | null {
  return protocol === "udp" && dstPort === dnsPort ? (shape?.dns ?? null) : null;
}

function nameBytesOf(question: DnsQuestion): number {
  return names[question].reduce((sum, label) => sum + 1 + label.length, 1);
}

/** Where the cookie is in the query. */
export function cookieAtOf(question: DnsQuestion): number {
  const opt = dnsHeaderBytes + nameBytesOf(question) + questionEndBytes;
  return opt + optHeadBytes + optionHeadBytes + optionHeadBytes;
}

export function queryBytesOf(question: DnsQuestion): number {
  return cookieAtOf(question) + cookieBytes;
}

interface QueryFields {
  readonly tag: bigint;
  readonly ttl: number;
  readonly timeCode: number;
}

/** With a tweak of 0. */
export function buildQuery(question: DnsQuestion, { tag, ttl, timeCode }: QueryFields): Uint8Array {
  const query = new Uint8Array(queryBytesOf(question));
  const view = new DataView(query.buffer);
  view.setUint16(0, timeCode);
  view.setUint16(4, 1);
  view.setUint16(10, 1);
  const name = nameOf(question, tag, ttl);
  query.set(name, dnsHeaderBytes);
  const end = dnsHeaderBytes + name.length;
  view.setUint16(end, typeTxt);
  view.setUint16(end + 2, classOf(question));
  const opt = end + questionEndBytes;
  view.setUint16(opt + 1, typeOpt);
  view.setUint16(opt + 3, udpPayloadBytes);
  view.setUint16(opt + 9, 2 * optionHeadBytes + cookieBytes);
  view.setUint16(opt + 11, optionNsid);
  view.setUint16(opt + 15, optionCookie);
  view.setUint16(opt + 17, cookieBytes);
  for (let i = 0; i < 6; i++) {
    view.setUint8(cookieAtOf(question) + 2 + i, byteOf(tag, i));
  }
  return query;
}

function nameOf(question: DnsQuestion, tag: bigint, ttl: number): Uint8Array {
  const bytes = names[question].flatMap((label) => [label.length, ...new TextEncoder().encode(label)]);
  const name = Uint8Array.from([...bytes, 0]);
  if (question === "nsid") {
    const digits = Uint8Array.from([...Array.from({ length: 8 }, (_, i) => byteOf(tag, i)), ttl]).toHex();
    name.set(new TextEncoder().encode(digits), 2);
    return name;
  }
  for (const [bit, place] of lettersOf(question).entries()) {
    name[place] = (name[place] ?? 0) ^ (((ttl >> bit) & 1) << 5);
  }
  return name;
}

function byteOf(tag: bigint, i: number): number {
  return Number((tag >> BigInt(8 * i)) & 0xffn);
}

/** The places of the letters whose case is a bit of the TTL. */
function lettersOf(question: DnsQuestion): number[] {
  const places: number[] = [];
  let at = 0;
  for (const label of names[question]) {
    places.push(...Array.from(label, (_, i) => at + 1 + i));
    at += 1 + label.length;
  }
  return places.slice(0, casedLetters);
}

export interface Question {
  readonly question: DnsQuestion;
  readonly ttl: number;
  /** In a name of `nsid`: the whole tag. */
  readonly tag: bigint | null;
  /** Behind type and class. */
  readonly endAt: number;
}

/** The question at `at`; null for another one, "cut" where the bytes end before it does. */
export function readQuestion(frame: DataView, at: number, endAt: number): Question | null | "cut" {
  if (at >= endAt) {
    return "cut";
  }
  const question = dnsQuestions.find((one) => names[one][0]?.length === frame.getUint8(at));
  if (question === undefined) {
    return null;
  }
  const nameBytes = nameBytesOf(question);
  const questionEndAt = at + nameBytes + questionEndBytes;
  if (questionEndAt > endAt) {
    return "cut";
  }
  const isText = frame.getUint16(at + nameBytes) === typeTxt;
  if (!isText || frame.getUint16(at + nameBytes + 2) !== classOf(question)) {
    return null;
  }
  const name = new Uint8Array(frame.buffer, frame.byteOffset + at, nameBytes);
  const found = question === "nsid" ? taggedIn(name) : casedIn(question, name);
  return found === null ? null : { question, ...found, endAt: questionEndAt };
}

function casedIn(question: DnsQuestion, name: Uint8Array): Pick<Question, "ttl" | "tag"> | null {
  const bits = lettersOf(question).map((place) => ((name[place] ?? 0) & 0x20 ? 0 : 1));
  const ttl = bits.reduce<number>((sum, bit, i) => sum | (bit << i), 0);
  return Buffer.compare(name, nameOf(question, 0n, ttl)) === 0 ? { ttl, tag: null } : null;
}

function taggedIn(name: Uint8Array): Pick<Question, "ttl" | "tag"> | null {
  const digits = new TextDecoder("latin1").decode(name.subarray(2, 20));
  if (!/^[0-9a-f]{18}$/.test(digits)) {
    return null;
  }
  const bytes = Uint8Array.fromHex(digits);
  const tag = new DataView(bytes.buffer).getBigUint64(0, true);
  const ttl = bytes[8] ?? 0;
  return Buffer.compare(name, nameOf("nsid", tag, ttl)) === 0 ? { ttl, tag } : null;
}

/** Whether the 12 bytes are the header of a query as above. */
export function isQueryHeader(frame: DataView, at: number): boolean {
  const words = [1, 2, 3, 4, 5].map((i) => frame.getUint16(at + 2 * i));
  return words.join() === "0,1,0,0,1";
}

/** Whether a UDP length is that of a query. */
export function isQueryLength(udpBytes: number): boolean {
  return dnsQuestions.some((question) => 8 + queryBytesOf(question) === udpBytes);
}
