/** The query of a DNS probe, and the question as a quote or an answer returns it: tests/packet/dns-query.ts. */
import { protocolUdp } from "../../../lib/net/wire/layout";
import {
  dnsQuestionMask,
  dnsQuestionShift,
  probeDstPortAt,
  probeFlagsAt,
  probeProtocolAt,
} from "../memory-layout";

/** Places in `dnsQuestions` of lib/net/packet/dns-question.ts, plus 1; 0 = none. */
const hostnameBind: u32 = 1;
const idServer: u32 = 2;
export const nsid: u32 = 3;

export const dnsPort: u32 = 53;
export const dnsHeaderBytes: usize = 12;
/** Type and class, behind the name. */
export const questionEndBytes: usize = 4;
/** From the start of the OPT record on: its head, the NSID option, and the head of the cookie. */
const cookieOffset: usize = 11 + 4 + 4;
const cookieBytes: usize = 8;
const udpPayloadBytes: u16 = 1232;
export const typeTxt: u32 = 16;
export const typeOpt: u32 = 41;
const classInternet: u32 = 1;
export const classChaos: u32 = 3;
export const optionNsid: u32 = 3;
export const optionCookie: u32 = 10;

/** Bytes of names as letters, little-endian. */
const hostname: u64 = 0x656d616e74736f68;
const bind: u32 = 0x646e6962;
const id: u32 = 0x6469;
const serv: u32 = 0x76726573;
const er: u32 = 0x7265;
const inva: u32 = 0x61766e69;
const li: u32 = 0x696c;
const letterD: u32 = 0x64;
const letterV: u32 = 0x76;
/** Bytes in hexadecimal digits: the tag and the TTL. */
const taggedBytes: u32 = 9;

/** Set by `readQuestion`. */
export let questionTtl: u32 = 0;
export let questionTag: u64 = 0;

/** The question of a probe record, or 0: only UDP to port 53 asks one. */
export function questionOf(probe: usize): u32 {
  const question = (<u32>load<u8>(probe, probeFlagsAt) >> dnsQuestionShift) & dnsQuestionMask;
  if (question == 0) {
    return 0;
  }
  const isUdp = load<u8>(probe, probeProtocolAt) == protocolUdp;
  return isUdp && load<u16>(probe, probeDstPortAt) == <u16>dnsPort ? question : 0;
}

export function nameBytesOf(question: u32): usize {
  return question == hostnameBind ? 15 : question == idServer ? 11 : 29;
}

/** Where the cookie begins, from the start of the query on: an even place. */
export function cookieAtOf(question: u32): usize {
  return dnsHeaderBytes + nameBytesOf(question) + questionEndBytes + cookieOffset;
}

/** UDP header and query. */
export function dnsTransportBytes(question: u32): u32 {
  return <u32>(8 + cookieAtOf(question) + cookieBytes);
}

/** Whether these bytes of a quoted UDP header are as long as those of a query. */
export function isQueryLength(udpBytes: u32): bool {
  return (
    udpBytes == dnsTransportBytes(hostnameBind) ||
    udpBytes == dnsTransportBytes(idServer) ||
    udpBytes == dnsTransportBytes(nsid)
  );
}

/** Whether the 12 bytes are the header of a query of ours: no flags, one question, one additional record. */
export function isQueryHeader(at: usize): bool {
  return load<u64>(at, 2) == 0x01000000 && load<u16>(at, 10) == 0x0100;
}

/** Writes the query, all but its tweak, the first two bytes of the cookie; `code` is in network order. */
export function fillQuery(at: usize, question: u32, tag: u64, ttl: u32, code: u16): void {
  store<u64>(at, <u64>code | ((<u64>1) << 40));
  store<u32>(at, 0x01000000, 8);
  fillName(at + dnsHeaderBytes, question, tag, ttl);
  const end = at + dnsHeaderBytes + nameBytesOf(question);
  store<u16>(end, bswap<u16>(<u16>typeTxt));
  store<u16>(end, bswap<u16>(<u16>classOf(question)), 2);
  store<u8>(end, 0, 4);
  store<u16>(end, bswap<u16>(<u16>typeOpt), 5);
  store<u16>(end, bswap<u16>(udpPayloadBytes), 7);
  store<u32>(end, 0, 9);
  store<u16>(end, bswap<u16>(16), 13);
  store<u32>(end, bswap<u32>(optionNsid << 16), 15);
  store<u32>(end, bswap<u32>((optionCookie << 16) | <u32>cookieBytes), 19);
  store<u64>(end, tag << 16, 23);
}

function classOf(question: u32): u32 {
  return question == nsid ? classInternet : classChaos;
}

function fillName(at: usize, question: u32, tag: u64, ttl: u32): void {
  if (question == nsid) {
    fillTaggedName(at, tag, ttl);
    return;
  }
  if (question == hostnameBind) {
    store<u8>(at, 8);
    store<u64>(at, hostname, 1);
    store<u8>(at, 4, 9);
    store<u32>(at, bind, 10);
    store<u8>(at, 0, 14);
  } else {
    store<u8>(at, 2);
    store<u16>(at, <u16>id, 1);
    store<u8>(at, 6, 3);
    store<u32>(at, serv, 4);
    store<u16>(at, <u16>er, 8);
    store<u8>(at, 0, 10);
  }
  for (let bit: u32 = 0; bit < 8; bit++) {
    const letter = at + letterAt(question, bit);
    store<u8>(letter, load<u8>(letter) ^ <u8>(((ttl >> bit) & 1) << 5));
  }
}

/** The letter whose case is this bit of the TTL. */
function letterAt(question: u32, bit: u32): usize {
  return question == idServer && bit >= 2 ? bit + 2 : bit + 1;
}

function fillTaggedName(at: usize, tag: u64, ttl: u32): void {
  store<u8>(at, 19);
  store<u8>(at, <u8>letterV, 1);
  for (let i: u32 = 0; i < taggedBytes; i++) {
    const byte = i == 8 ? ttl : <u32>(tag >> (8 * i)) & 0xff;
    storeDigits(at + 2 + 2 * i, byte);
  }
  store<u8>(at, 7, 20);
  store<u32>(at, inva, 21);
  store<u16>(at, <u16>li, 25);
  store<u16>(at, <u16>letterD, 27);
}

/** A byte as two hexadecimal digits. */
export function storeDigits(at: usize, byte: u32): void {
  store<u8>(at, digitOf(byte >> 4));
  store<u8>(at, digitOf(byte & 0xf), 1);
}

function digitOf(value: u32): u8 {
  return <u8>(value < 10 ? 0x30 + value : 0x57 + value);
}

/** 16 if it is not a lower-case hexadecimal digit. */
function valueOf(digit: u32): u32 {
  return digit >= 0x30 && digit <= 0x39 ? digit - 0x30 : digit >= 0x61 && digit <= 0x66 ? digit - 0x57 : 16;
}

/** The question at `at`: its number; 0 for another one, -1 where the bytes end before it does. */
export function readQuestion(at: usize, end: usize): i32 {
  if (at >= end) {
    return -1;
  }
  const first = load<u8>(at);
  const question = first == 8 ? hostnameBind : first == 2 ? idServer : first == 19 ? nsid : 0;
  if (question == 0) {
    return 0;
  }
  const nameEnd = at + nameBytesOf(question);
  if (nameEnd + questionEndBytes > end) {
    return -1;
  }
  if (bswap<u32>(load<u32>(nameEnd)) != ((typeTxt << 16) | classOf(question))) {
    return 0;
  }
  const isOurs = question == nsid ? readTaggedName(at) : readCasedName(at, question);
  return isOurs ? <i32>question : 0;
}

function readCasedName(at: usize, question: u32): bool {
  const isName =
    question == hostnameBind
      ? (load<u64>(at, 1) | 0x2020202020202020) == hostname &&
        load<u8>(at, 9) == 4 &&
        load<u32>(at, 10) == bind &&
        load<u8>(at, 14) == 0
      : (<u32>load<u16>(at, 1) | 0x2020) == id &&
        load<u8>(at, 3) == 6 &&
        (load<u32>(at, 4) | 0x20202020) == serv &&
        (<u32>load<u16>(at, 8) | 0x2020) == er &&
        load<u8>(at, 10) == 0;
  questionTtl = 0;
  for (let bit: u32 = 0; bit < 8; bit++) {
    const isUpper = (load<u8>(at + letterAt(question, bit)) & 0x20) == 0;
    questionTtl |= (isUpper ? <u32>1 : 0) << bit;
  }
  return isName;
}

function readTaggedName(at: usize): bool {
  let isName =
    load<u8>(at, 1) == letterV &&
    load<u8>(at, 20) == 7 &&
    load<u32>(at, 21) == inva &&
    load<u16>(at, 25) == li &&
    load<u16>(at, 27) == letterD;
  questionTag = 0;
  for (let i: u32 = 0; i < taggedBytes; i++) {
    const high = valueOf(load<u8>(at + 2 * i, 2));
    const low = valueOf(load<u8>(at + 2 * i, 3));
    isName = isName && high < 16 && low < 16;
    const byte = ((high & 0xf) << 4) | (low & 0xf);
    if (i == 8) {
      questionTtl = byte;
    } else {
      questionTag |= (<u64>byte) << (8 * i);
    }
  }
  return isName;
}
