/** Name servers' answers to DNS probes, byte by byte (RFC 1035 s.4), each with the Reply that has to come of it. */
import { type AnswerPacket, directFields, outerFields } from "./answers.ts";
import { checksum, concat, patched, u16, zeros } from "./bytes.ts";
import { type IpPart, ipPacket, pseudoHeader } from "./ip.ts";
import type { SentProbe } from "./probe-sample.ts";

const ascii = (text: string) => [...new TextEncoder().encode(text)];

/** A record by its owner's name, type, class, and data. */
export function record(
  name: readonly number[],
  [type, kind]: readonly [number, number],
  data: readonly number[],
): number[] {
  return [...name, ...u16(type), ...u16(kind), ...zeros(4), ...u16(data.length), ...data];
}

/** The name of the question (RFC 1035 s.4.1.4). */
export const sameName = [0xc0, 12];
export const textOf = (text: string) => [ascii(text).length, ...ascii(text)];
export const chaosText = (data: readonly number[]) => record(sameName, [16, 3], data);
export const option = (code: number, data: readonly number[]) => [...u16(code), ...u16(data.length), ...data];
export const nsidOption = (name: string | readonly number[]) =>
  option(3, typeof name === "string" ? ascii(name) : name);
/** Root name, payload of 1232 bytes, the upper bits of the response code. */
export const opt = (options: readonly number[], extendedCode = 0) => {
  return [0, ...u16(41), ...u16(1232), extendedCode, 0, 0, 0, ...u16(options.length), ...options];
};
/** The client's cookie as it was sent, with the server's behind. */
export const cookieOption = ({ packet }: SentProbe) =>
  option(10, [...packet.slice(-8), 1, 2, 3, 4, 5, 6, 7, 8]);

export interface DnsAnswer {
  /** Those that differ from QR and AA. */
  readonly flags?: number;
  readonly answers?: readonly (readonly number[])[];
  readonly authority?: readonly (readonly number[])[];
  readonly additional?: readonly (readonly number[])[];
  /** Records of the three sections, instead of the real numbers. */
  readonly counts?: readonly [number, number, number];
  /** What the server makes of the question. */
  readonly rewrite?: (question: Uint8Array) => Uint8Array;
  /** The bytes of UDP, instead of what there is. */
  readonly length?: number;
  readonly outer?: Partial<IpPart>;
  /** What has to be read. */
  readonly site?: string;
  readonly code?: number;
}

export function dnsAnswer(sent: SentProbe, given: DnsAnswer): AnswerPacket {
  const { answers = [], authority = [], additional = [], counts } = given;
  const queryAt = (sent.ipv4 ? 20 : 40) + 8;
  const query = sent.packet.slice(queryAt);
  // Up to the root label, then type and class.
  const questionEnd = query.indexOf(0, 12) + 5;
  const question = given.rewrite?.(query.slice(12, questionEnd)) ?? query.slice(12, questionEnd);
  const numbers = counts ?? [answers.length, authority.length, additional.length];
  const message = concat(
    [...query.slice(0, 2), ...u16(0x8400 ^ (given.flags ?? 0)), ...u16(1), ...numbers.flatMap(u16)],
    question,
    [...answers, ...authority, ...additional].flat(),
  );
  const { dst } = sent.probe;
  const length = given.length ?? 8 + message.length;
  const udp = concat(u16(53), u16(sent.probe.srcPort), u16(length), [0, 0], message);
  const sum = checksum(concat(pseudoHeader(dst, sent.src, 17, udp.length), udp));
  const part = { src: dst, dst: sent.src, protocolNumber: 17, ttl: 61, id: 0x1234 };
  const packet = ipPacket({ ...part, payload: patched(udp, 6, u16(sum)), ...given.outer });
  return {
    packet,
    reply: {
      ...outerFields(sent, dst, packet),
      ...directFields(sent),
      replyProtocol: 17,
      replyIcmpType: 0,
      replyIcmpCode: given.code ?? 0,
      replySite: given.site ?? "",
      probeSize: sent.packet.length - (sent.ipv4 ? 0 : 40),
      probeDstPort: 53,
    },
  };
}
