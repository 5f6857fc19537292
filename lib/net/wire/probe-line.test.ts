import { describe, expect, test } from "bun:test";
import { address } from "../ip/address.ts";
import { formatProbeLine, parseProbeLine } from "./probe-line.ts";

const parse = (line: string) => parseProbeLine(new TextEncoder().encode(line));

describe("a probe line", () => {
  test.each([
    ["192.0.2.1,24000,33434,7,udp", { dst: address("192.0.2.1"), dstPort: 33434, protocol: "udp" }],
    ["192.0.2.1,24000,0,7,ICMP", { dst: address("192.0.2.1"), dstPort: 0, protocol: "icmp" }],
    ["2001:db8::1,24000,443,7,Tcp", { dst: address("2001:db8::1"), dstPort: 443, protocol: "tcp" }],
    [
      " 2001:DB8:0::1 ,\t24000 , 0, 7 , ICMPv6 ",
      { dst: address("2001:db8::1"), dstPort: 0, protocol: "icmpv6" },
    ],
  ] as const)("%s", (line, probe) => {
    expect(parse(line)).toEqual({ ok: true, probe: { srcPort: 24000, ttl: 7, ...probe } });
  });

  test("is written as the clients that exist read it", () => {
    const line = "2001:db8::1,24000,0,7,ICMPv6";
    const result = parse(line);
    expect(result.ok && formatProbeLine(result.probe)).toBe(line);
  });

  test.each([
    ["", "fieldCount", "found 1"],
    ["192.0.2.1,1,2,3", "fieldCount", "found 4"],
    ["192.0.2.1,1,2,3,udp,", "fieldCount", "found 6"],
    ["192.0.2.256,1,2,3,udp", "address", '"192.0.2.256" is not an IP address'],
    ["192.0.02.1,1,2,3,udp", "address", '"192.0.02.1"'],
    ["192.0.2.1.,1,2,3,udp", "address", '"192.0.2.1."'],
    ["192.0.2.,1,2,3,udp", "address", '"192.0.2."'],
    ["192.0.2,1,2,3,udp", "address", '"192.0.2"'],
    [
      "::FFFF:192.0.2.1,1,2,3,udp",
      "address",
      '"::FFFF:192.0.2.1" is a mapped IPv4 address: write it as 192.0.2.1',
    ],
    [
      "[2001:db8::1],1,2,3,udp",
      "address",
      '"[2001:db8::1]" is not an IP address as lines have it: write 2001:db8::1',
    ],
    [
      "192.0.2.1:53,1,2,3,udp",
      "address",
      "not an IP address, it has a port: write 192.0.2.1, and give port 53 by itself",
    ],
    ["192.0.2.0/24,1,2,3,udp", "address", '"192.0.2.0/24" is a prefix, not an IP address'],
    ["fe80::1%eth0,1,2,3,udp", "address", '"fe80::1%eth0"'],
    ["example.org,1,2,3,udp", "address", '"example.org" is a name, not an IP address: look it up first'],
    ["192.0.2.1,65536,2,3,udp", "sourcePort", 'Source port "65536" is not a number from 0 to 65535'],
    ["192.0.2.1,-1,2,3,udp", "sourcePort", '"-1"'],
    ["192.0.2.1,1e3,2,3,udp", "sourcePort", '"1e3"'],
    ["192.0.2.1,000001,2,3,udp", "sourcePort", '"000001"'],
    ["192.0.2.1,1,,3,udp", "destinationPort", '""'],
    ["192.0.2.1,1,2,0,udp", "ttl", 'TTL "0" is not a number from 1 to 255'],
    ["192.0.2.1,1,2,256,udp", "ttl", '"256"'],
    ["192.0.2.1,1,2,3,sctp", "protocol", 'Protocol "sctp" is not one of udp, icmp, icmpv6, tcp'],
    ["192.0.2.1,1,2,3,udp\u0000", "protocol", '"udp?"'],
    ["192.0.2.1,1,2,3,icmpv6", "protocolFamily", "use icmp"],
    ["2001:db8::1,1,2,3,icmp", "protocolFamily", "Protocol icmp cannot go to 2001:db8::1: use icmpv6"],
  ] as const)("%s is refused: %s", (line, reason, part) => {
    expect(parse(line)).toMatchObject({ ok: false, reason, message: expect.stringContaining(part) });
  });

  test("shows a wrong value cut short and without control characters", () => {
    const result = parse(`\u001b[31m${"x".repeat(100)},1,2,3,udp`);
    expect(result.ok ? "" : result.message).toBe(`"?[31m${"x".repeat(35)}…" is not an IP address`);
  });
});
