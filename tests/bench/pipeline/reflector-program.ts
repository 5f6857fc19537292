/**
 * An XDP program that answers UDP probes over IPv4 where they arrive: time exceeded for the first TTLs, port
 * unreachable for the others (RFC 792), with the probe's IP and UDP header quoted. All else passes.
 *
 *     before   0 Ethernet   14 IP (20)   34 UDP (8)   42 data
 *     after    0 Ethernet   14 IP (20)   34 ICMP (8)  42 quoted IP (20)   62 quoted UDP (8)   70 end
 */
import { Assembler } from "./bpf/assembler.ts";
import { bpfFunction, xdpContext, xdpDrop, xdpPass } from "./bpf/constants.ts";

/** TTLs whose probes end on the way; routers answer from 203.0.113.1, .2 and so on. */
const hops = 2;

/** Functions of the kernel that no program of the product calls: linux/bpf.h. */
const [checksumDifference, adjustHead] = [28, 44];

const addedBytes = 28;
const answerBytes = 70;
/** Words of the network, as this little-endian machine stores them. */
const [etherTypeIpv4, versionAndHeader, udp, totalLength56, ttl64Icmp] = [
  8, 0x45, 17, 0x38_00_00_45, 0x01_40,
];
const [timeExceeded, portUnreachable, routers] = [0x00_0b, 0x03_03, 0x71_00_cb];

/**
 * For `loadXdpProgram`; answers leave by this interface. Not by XDP_TX: a veth wakes its peer for that only when the
 * peer has a program too.
 */
export function reflectorProgram(interfaceIndex: number): Uint8Array {
  // r6 = the context, r7 = the packet.
  const program = new Assembler().op("moveRegister", { to: 6, from: 1 });
  mustBeProbe(program);
  makeRoom(program);
  turnEthernet(program);
  writeIpAndIcmp(program);
  writeChecksum(program, { start: 14, bytes: 20, at: 24 });
  writeChecksum(program, { start: 34, bytes: 36, at: 36 });
  return program
    .op("move", { to: 1, value: interfaceIndex })
    .op("move", { to: 2, value: 0 })
    .call(bpfFunction.redirect)
    .op("exit")
    .label("drop")
    .op("move", { to: 0, value: xdpDrop })
    .op("exit")
    .label("pass")
    .op("move", { to: 0, value: xdpPass })
    .op("exit")
    .bytes();
}

/** r2 = the packet's begin, of which `bytes` are there. */
function mustHave(program: Assembler, bytes: number, otherwise: "drop" | "pass"): void {
  program
    .op("load32", { to: 2, from: 6, offset: xdpContext.data })
    .op("load32", { to: 3, from: 6, offset: xdpContext.dataEnd })
    .op("moveRegister", { to: 4, from: 2 })
    .op("add", { to: 4, value: bytes })
    .jump("jumpAboveRegister", otherwise, { to: 4, from: 3 });
}

function mustBeProbe(program: Assembler): void {
  mustHave(program, answerBytes - addedBytes, "pass");
  for (const [load, offset, value] of [
    ["load16", 12, etherTypeIpv4],
    ["load8", 14, versionAndHeader],
    ["load8", 23, udp],
  ] as const) {
    program.op(load, { to: 5, from: 2, offset }).jump("jumpNotEqual", "pass", { to: 5, value });
  }
}

/** Room for an IP and an ICMP header in front, and no data at the end. */
function makeRoom(program: Assembler): void {
  program
    .op("moveRegister", { to: 1, from: 6 })
    .op("move", { to: 2, value: -addedBytes })
    .call(adjustHead)
    .jump("jumpNotEqual", "drop", { to: 0, value: 0 })
    .op("load32", { to: 1, from: 6, offset: xdpContext.data })
    .op("load32", { to: 3, from: 6, offset: xdpContext.dataEnd })
    .op("subtractRegister", { to: 3, from: 1 })
    .op("move", { to: 2, value: answerBytes })
    .op("subtractRegister", { to: 2, from: 3 })
    .op("moveRegister", { to: 1, from: 6 })
    .call(bpfFunction.xdpAdjustTail)
    .jump("jumpNotEqual", "drop", { to: 0, value: 0 });
  mustHave(program, answerBytes, "drop");
  program.op("moveRegister", { to: 7, from: 2 });
}

/** The addresses change places. */
function turnEthernet(program: Assembler): void {
  for (const [load, store, from, to] of [
    ["load32", "store32", 34, 0],
    ["load16", "store16", 38, 4],
    ["load32", "store32", 28, 6],
    ["load16", "store16", 32, 10],
  ] as const) {
    program.op(load, { to: 5, from: 7, offset: from }).op(store, { to: 7, from: 5, offset: to });
  }
  put(program, "store16", 12, etherTypeIpv4);
}

function writeIpAndIcmp(program: Assembler): void {
  put(program, "store32", 14, totalLength56);
  put(program, "store32", 18, 0);
  put(program, "store32", 22, ttl64Icmp);
  program
    .op("load32", { to: 5, from: 7, offset: 54 })
    .op("store32", { to: 7, from: 5, offset: 30 })
    // r5 = who answers, r1 = type and code.
    .op("load32", { to: 5, from: 7, offset: 58 })
    .op("move", { to: 1, value: portUnreachable })
    .op("load8", { to: 2, from: 7, offset: 50 })
    .jump("jumpAbove", "answerer", { to: 2, value: hops })
    .op("move", { to: 1, value: timeExceeded })
    .op("moveRegister", { to: 5, from: 2 })
    .op("shiftLeft", { to: 5, value: 24 })
    .op("or", { to: 5, value: routers })
    .label("answerer")
    .op("store32", { to: 7, from: 5, offset: 26 })
    .op("store32", { to: 7, from: 1, offset: 34 });
  put(program, "store32", 38, 0);
}

function put(program: Assembler, store: "store16" | "store32", offset: number, value: number): void {
  program.op("move", { to: 5, value }).op(store, { to: 7, from: 5, offset });
}

interface Checksummed {
  readonly start: number;
  readonly bytes: number;
  /** The word that gets the sum; it is 0 until then (RFC 1071). */
  readonly at: number;
}

function writeChecksum(program: Assembler, { start, bytes, at }: Checksummed): void {
  program
    .op("move", { to: 1, value: 0 })
    .op("move", { to: 2, value: 0 })
    .op("moveRegister", { to: 3, from: 7 })
    .op("add", { to: 3, value: start })
    .op("move", { to: 4, value: bytes })
    .op("move", { to: 5, value: 0 })
    .call(checksumDifference)
    // A sum of 32 bits in a register of 64: what lies above is sign.
    .op("shiftLeft", { to: 0, value: 32 })
    .op("shiftRight", { to: 0, value: 32 });
  for (let fold = 0; fold < 2; fold++) {
    program
      .op("moveRegister", { to: 1, from: 0 })
      .op("shiftRight", { to: 1, value: 16 })
      .op("and", { to: 0, value: 0xffff })
      .op("addRegister", { to: 0, from: 1 });
  }
  program.op("xor", { to: 0, value: 0xffff }).op("store16", { to: 7, from: 0, offset: at });
}
