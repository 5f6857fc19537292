import { expect, test } from "bun:test";
import { decodeProbe, probeMessageBytes } from "./probe-codec.ts";
import { ProbeJsonParser } from "./probe-json.ts";
import { formatProbeLine } from "./probe-line.ts";

const parser = new ProbeJsonParser();

function read(text: string): string {
  // Between other bytes, which must stay as they are, and over old ones, which must go.
  const messages = new Uint8Array(3 * probeMessageBytes).fill(0xaa);
  const problem = parser.read(new TextEncoder().encode(text), messages, probeMessageBytes);
  expect(messages.subarray(0, probeMessageBytes).every((byte) => byte === 0xaa)).toBe(true);
  expect(messages.subarray(2 * probeMessageBytes).every((byte) => byte === 0xaa)).toBe(true);
  const result = decodeProbe(messages, probeMessageBytes);
  return problem ?? (result.ok ? formatProbeLine(result.probe) : result.reason);
}

test.each([
  ['["192.0.2.1",24000,33434,7,"udp"]', "192.0.2.1,24000,33434,7,UDP"],
  ['[ "2001:DB8::1" , 1 , 0 , 255 , "ICMPv6" ]', "2001:db8::1,1,0,255,ICMPv6"],
  ['["192.0.2.1",2.4e4,33434,7,"\\u0074cp"]', "192.0.2.1,24000,33434,7,TCP"],
  ['{"protocol":"icmp","dst":"192.0.2.1","src_port":9,"dst_port":0,"ttl":1}', "192.0.2.1,9,0,1,ICMP"],
])("%s is a probe", (text, line) => {
  expect(read(text)).toBe(line);
});

const shape = "Expected an array of 5: [dst, src_port, dst_port, ttl, protocol]";

test.each([
  ['["192.0.2.1",24000,33434,7]', shape],
  ['["192.0.2.1",24000,33434,7,"udp",1]', shape],
  ['["192.0.2.1","24000",33434,7,"udp"]', shape],
  ['{"dst":"192.0.2.1","src_port":9,"dst_port":0,"ttl":1,"protocol":"icmp","more":1}', shape],
  ["7", shape],
  ["null", shape],
  ['["192.0.2.1",024000,33434,7,"udp"]', "Expected JSON"],
  ['[192.0.2.1,24000,33434,7,"udp"]', "Expected JSON"],
  ['["192.0.2.1",24000,33434,7,"udp"', "Expected JSON"],
  ['["192.0.2.1",24000,33434,7,"udp"]]', "Expected JSON"],
  ['["2001:db8::1",24000,33434,7,"icmpv\u0016"]', "Expected JSON"],
  ['["x,1",24000,33434,7,"udp"]', '"x;1" is not an IP address'],
  ['["192.0.2.1",65536,33434,7,"udp"]', 'Source port "65536" is not a number from 0 to 65535'],
  ['["192.0.2.1",1.5,33434,7,"udp"]', 'Source port "1.5" is not a number from 0 to 65535'],
  ['["192.0.2.1",1,33434,0,"udp"]', 'TTL "0" is not a number from 1 to 255'],
  ['["192.0.2.1",1,33434,1,"sctp"]', 'Protocol "sctp" is not one of udp, icmp, icmpv6, tcp'],
  ['["2001:db8::1",1,33434,1,"icmp"]', "Protocol icmp cannot go to 2001:db8::1: use icmpv6"],
])("%s is refused", (text, message) => {
  expect(read(text)).toBe(message);
});
