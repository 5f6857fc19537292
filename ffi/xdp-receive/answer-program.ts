/**
 * The XDP program in front of a capture: gives packets that can be answers to probes to our socket, and
 * leaves all others to the kernel, where libpcap captures them.
 *
 * It takes plain, frequent packets: Ethernet without VLAN tag, IPv4 without options and not in fragments,
 * IPv6 without extension headers; echo replies, errors of ICMP and ICMPv6 that no kernel has to act on (time
 * exceeded, destination unreachable), TCP with SYN and ACK or with RST; only to the prefixes of the table. So
 * both together get what `captureFilter` lets through, each packet once.
 *
 * Each is preceded by its time of receipt, nanoseconds of CLOCK_MONOTONIC u64. If the driver has no headroom
 * for it, or the queue no socket, the program leaves the packet.
 */
import { Assembler } from "../bpf/assembler.ts";
import { bpfFunction, xdpContext, xdpPass } from "../bpf/constants.ts";
import { answerEntriesMax, answerEntry, answerVerdict, halfBytes } from "./answer-table.ts";

/** Network-order values as little-endian loads see them. */
const etherType = { ipv4: 0x0008, ipv6: 0xdd86 } as const;
const moreFragmentsOrOffset = 0xff3f;
/** The last half of an IPv4 address as 16 bytes, without its own four: 00 00 ff ff. */
const mappedLow = 0xffff0000 | 0;
const etherTypeAt = 12;
const ipAt = 14;
const transportAt = { ipv4: 34, ipv6: 54 } as const;
const icmpBytes = 8;
const tcpBytes = 20;
const tcpFlagsAt = 13;
const [synAck, rst] = [0x12, 0x04];
const [icmp, tcp, icmp6] = [1, 6, 58];
const icmpTypes = [0, 3, 11];
const icmp6Types = [129, 1, 3];
/** Longer frames do not fit into a chunk of the socket's memory. */
const frameBytesMax = 1514;
/** The stamp: 8 bytes. */
export const stampBytes = 8;

/** For `loadXdpProgram`; both are descriptors of maps. */
export function answerProgram(table: number, sockets: number): Uint8Array {
  const program = new Assembler();
  // r6 = context, r7 = frame, r8 = its end, r9 = behind the IP header; r1 and r2 = where it goes, 16 bytes.
  program
    .op("moveRegister", { to: 6, from: 1 })
    .op("load32", { to: 7, from: 6, offset: xdpContext.data })
    .op("load32", { to: 8, from: 6, offset: xdpContext.dataEnd })
    .op("moveRegister", { to: 3, from: 8 })
    .op("subtractRegister", { to: 3, from: 7 })
    .jump("jumpAbove", "leave", { to: 3, value: frameBytesMax });
  needs(program, 7, transportAt.ipv4);
  program
    .op("load16", { to: 3, from: 7, offset: etherTypeAt })
    .jump("jumpEqual", "ipv4", { to: 3, value: etherType.ipv4 })
    .jump("jumpEqual", "ipv6", { to: 3, value: etherType.ipv6 })
    .jump("jump", "leave");
  readIpv4(program);
  readIpv6(program);
  lookAt(program, "icmp", icmpTypes);
  lookAt(program, "icmp6", icmp6Types);
  lookAtTcp(program);
  lookUp(program, table);
  take(program, sockets);
  return program.label("leave").op("move", { to: 0, value: xdpPass }).op("exit").bytes();
}

/** Leaves packets with fewer than `bytes` bytes from there on. */
function needs(program: Assembler, from: 7 | 9, bytes: number): void {
  program
    .op("moveRegister", { to: 3, from })
    .op("add", { to: 3, value: bytes })
    .jump("jumpAboveRegister", "leave", { to: 3, from: 8 });
}

function readIpv4(program: Assembler): void {
  program
    .label("ipv4")
    .op("load8", { to: 3, from: 7, offset: ipAt })
    .jump("jumpNotEqual", "leave", { to: 3, value: 0x45 })
    .op("load16", { to: 3, from: 7, offset: ipAt + 6 })
    .jump("jumpAnyBit", "leave", { to: 3, value: moreFragmentsOrOffset })
    .op("move", { to: 1, value: 0 })
    .op("load32", { to: 2, from: 7, offset: ipAt + 16 })
    .op("shiftLeft", { to: 2, value: 32 })
    .op("move32", { to: 3, value: mappedLow })
    .op("addRegister", { to: 2, from: 3 })
    .op("moveRegister", { to: 9, from: 7 })
    .op("add", { to: 9, value: transportAt.ipv4 })
    .op("load8", { to: 3, from: 7, offset: ipAt + 9 })
    .jump("jumpEqual", "icmp", { to: 3, value: icmp })
    .jump("jumpEqual", "tcp", { to: 3, value: tcp })
    .jump("jump", "leave");
}

function readIpv6(program: Assembler): void {
  program.label("ipv6");
  needs(program, 7, transportAt.ipv6);
  program
    .op("load64", { to: 1, from: 7, offset: ipAt + 24 })
    .op("load64", { to: 2, from: 7, offset: ipAt + 32 })
    .op("moveRegister", { to: 9, from: 7 })
    .op("add", { to: 9, value: transportAt.ipv6 })
    .op("load8", { to: 3, from: 7, offset: ipAt + 6 })
    .jump("jumpEqual", "icmp6", { to: 3, value: icmp6 })
    .jump("jumpEqual", "tcp", { to: 3, value: tcp })
    .jump("jump", "leave");
}

function lookAt(program: Assembler, label: "icmp" | "icmp6", types: readonly number[]): void {
  program.label(label);
  needs(program, 9, icmpBytes);
  program.op("load8", { to: 3, from: 9 });
  for (const value of types) {
    program.jump("jumpEqual", "lookUp", { to: 3, value });
  }
  program.jump("jump", "leave");
}

function lookAtTcp(program: Assembler): void {
  program.label("tcp");
  needs(program, 9, tcpBytes);
  program
    .op("load8", { to: 3, from: 9, offset: tcpFlagsAt })
    .jump("jumpAnyBit", "lookUp", { to: 3, value: rst })
    .op("and", { to: 3, value: synAck })
    .jump("jumpNotEqual", "leave", { to: 3, value: synAck });
}

/** Searches the table; falls through for packets to take. */
function lookUp(program: Assembler, table: number): void {
  const { verdict, base, mask } = answerEntry;
  program
    .label("lookUp")
    .mapValue(9, table)
    .op("load32", { to: 3, from: 9 })
    .op("and", { to: 3, value: 1 })
    .op("shiftLeft", { to: 3, value: Math.log2(halfBytes) })
    .op("addRegister", { to: 9, from: 3 })
    .op("add", { to: 9, value: halfBytes })
    .op("move", { to: 5, value: 0 })
    .label("entry")
    .op("load64", { to: 0, from: 9, offset: verdict })
    .jump("jumpEqual", "leave", { to: 0, value: answerVerdict.end });
  for (const [register, offset] of [[1, 0] as const, [2, 8] as const]) {
    program
      .op("load64", { to: 3, from: 9, offset: mask + offset })
      .op("andRegister", { to: 3, from: register })
      .op("load64", { to: 4, from: 9, offset: base + offset })
      .jump("jumpNotEqualRegister", "other", { to: 3, from: 4 });
  }
  program
    .jump("jumpEqual", "take", { to: 0, value: answerVerdict.take })
    .jump("jump", "leave")
    .label("other")
    .op("add", { to: 9, value: answerEntry.bytes })
    .op("add", { to: 5, value: 1 })
    .jump("jumpBelow", "entry", { to: 5, value: answerEntriesMax })
    .jump("jump", "leave");
}

/** Puts the stamp in front of the frame, and gives both to the socket of this queue. */
function take(program: Assembler, sockets: number): void {
  program
    .label("take")
    .op("moveRegister", { to: 1, from: 6 })
    .op("move", { to: 2, value: -stampBytes })
    .call(bpfFunction.xdpAdjustMeta)
    .jump("jumpNotEqual", "leave", { to: 0, value: 0 })
    .op("load32", { to: 7, from: 6, offset: xdpContext.dataMeta })
    .op("load32", { to: 8, from: 6, offset: xdpContext.data });
  needs(program, 7, stampBytes);
  program
    .call(bpfFunction.ktimeGetNs)
    .op("store64", { to: 7, from: 0 })
    .map(1, sockets)
    .op("load32", { to: 2, from: 6, offset: xdpContext.queue })
    .op("move", { to: 3, value: xdpPass })
    .call(bpfFunction.redirectMap)
    .op("exit");
}
