/**
 * An XDP program that answers UDP probes over IPv4 where they arrive: time exceeded for the first TTLs, port
 * unreachable for the others (RFC 792), with the probe's IP and UDP header quoted. All else passes.
 *
 *     before   0 Ethernet   14 IP (20)   34 UDP (8)   42 data
 *     after    0 Ethernet   14 IP (20)   34 ICMP (8)  42 quoted IP (20)   62 quoted UDP (8)   70 end
 */

/** TTLs whose probes end on the way; routers answer from 203.0.113.1, .2 and so on. */
const hops = 2;

/** r1 to r5 = arguments of calls and lost in them; r6 = the context, r7 = the packet. */
type Instruction = readonly [code: number, to: number, from: number, offset: number, value: number];

/** linux/bpf_common.h and linux/bpf.h. */
const code = {
  ...{ load8: 0x71, load16: 0x69, load32: 0x61, store16: 0x6b, store32: 0x63, put16: 0x6a, put32: 0x62 },
  ...{ add: 0x07, addRegister: 0x0f, subtractRegister: 0x1f, and: 0x57, or: 0x47, xor: 0xa7 },
  ...{ shiftLeft: 0x67, shiftRight: 0x77, move: 0xb7, moveRegister: 0xbf, call: 0x85, exit: 0x95 },
  ...{ jump: 0x05, jumpNot: 0x55, jumpAbove: 0x25, jumpAboveRegister: 0x2d },
} as const;
const kernel = { redirect: 23, checksumDifference: 28, adjustHead: 44, adjustTail: 65 } as const;
const verdict = { drop: 1, pass: 2 } as const;

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
  const body = [...ethernet(), ...ipAndIcmp(), ...checksum(14, 20, 24), ...checksum(34, 36, 36)];
  const end: Instruction[] = [
    [code.move, 1, 0, 0, interfaceIndex],
    [code.move, 2, 0, 0, 0],
    [code.call, 0, 0, 0, kernel.redirect],
    [code.exit, 0, 0, 0, 0],
    ...leave(verdict.drop),
    ...leave(verdict.pass),
  ];
  const ends = { drop: 4, pass: 6 } as const;
  const work = [...makeRoom(), ...body];
  const checks = isProbe();
  const all = [...checks, ...work, ...end];
  const endAt = checks.length + work.length;
  // Jumps are written with the name of where they go in place of a distance: below 0.
  return encode(
    all.map(([operation, to, from, offset, value], i) => {
      const target = offset === toDrop ? ends.drop : offset === toPass ? ends.pass : null;
      return [operation, to, from, target === null ? offset : endAt + target - i - 1, value] as const;
    }),
  );
}

const toDrop = -1;
const toPass = -2;

function leave(value: number): Instruction[] {
  return [
    [code.move, 0, 0, 0, value],
    [code.exit, 0, 0, 0, 0],
  ];
}

/** r2 = the packet's begin, r3 = its end, of which `bytes` are there. */
function bounds(bytes: number, otherwise: number): Instruction[] {
  return [
    [code.load32, 2, 6, 0, 0],
    [code.load32, 3, 6, 4, 0],
    [code.moveRegister, 4, 2, 0, 0],
    [code.add, 4, 0, 0, bytes],
    [code.jumpAboveRegister, 4, 3, otherwise, 0],
  ];
}

function isProbe(): Instruction[] {
  const must = (load: number, offset: number, value: number): Instruction[] => [
    [load, 5, 2, offset, 0],
    [code.jumpNot, 5, 0, toPass, value],
  ];
  return [
    [code.moveRegister, 6, 1, 0, 0],
    ...bounds(answerBytes - addedBytes, toPass),
    ...must(code.load16, 12, etherTypeIpv4),
    ...must(code.load8, 14, versionAndHeader),
    ...must(code.load8, 23, udp),
  ];
}

/** Room for an IP and an ICMP header in front, and no data at the end. r7 = the packet. */
function makeRoom(): Instruction[] {
  return [
    [code.moveRegister, 1, 6, 0, 0],
    [code.move, 2, 0, 0, -addedBytes],
    [code.call, 0, 0, 0, kernel.adjustHead],
    [code.jumpNot, 0, 0, toDrop, 0],
    [code.load32, 1, 6, 0, 0],
    [code.load32, 3, 6, 4, 0],
    [code.subtractRegister, 3, 1, 0, 0],
    [code.move, 2, 0, 0, answerBytes],
    [code.subtractRegister, 2, 3, 0, 0],
    [code.moveRegister, 1, 6, 0, 0],
    [code.call, 0, 0, 0, kernel.adjustTail],
    [code.jumpNot, 0, 0, toDrop, 0],
    ...bounds(answerBytes, toDrop),
    [code.moveRegister, 7, 2, 0, 0],
  ];
}

/** The addresses change places. */
function ethernet(): Instruction[] {
  const copy = (load: number, store: number, from: number, to: number): Instruction[] => [
    [load, 5, 7, from, 0],
    [store, 7, 5, to, 0],
  ];
  return [
    ...copy(code.load32, code.store32, 34, 0),
    ...copy(code.load16, code.store16, 38, 4),
    ...copy(code.load32, code.store32, 28, 6),
    ...copy(code.load16, code.store16, 32, 10),
    [code.put16, 7, 0, 12, etherTypeIpv4],
  ];
}

function ipAndIcmp(): Instruction[] {
  return [
    [code.put32, 7, 0, 14, totalLength56],
    [code.put32, 7, 0, 18, 0],
    [code.put32, 7, 0, 22, ttl64Icmp],
    [code.load32, 5, 7, 54, 0],
    [code.store32, 7, 5, 30, 0],
    // r5 = who answers, r1 = type and code.
    [code.load32, 5, 7, 58, 0],
    [code.move, 1, 0, 0, portUnreachable],
    [code.load8, 2, 7, 50, 0],
    [code.jumpAbove, 2, 0, 4, hops],
    [code.move, 1, 0, 0, timeExceeded],
    [code.moveRegister, 5, 2, 0, 0],
    [code.shiftLeft, 5, 0, 0, 24],
    [code.or, 5, 0, 0, routers],
    [code.store32, 7, 5, 26, 0],
    [code.store32, 7, 1, 34, 0],
    [code.put32, 7, 0, 38, 0],
  ];
}

/** Sums the bytes from `start` on into the word at `at`, which is 0 until then (RFC 1071). */
function checksum(start: number, bytes: number, at: number): Instruction[] {
  const fold: Instruction[] = [
    [code.moveRegister, 1, 0, 0, 0],
    [code.shiftRight, 1, 0, 0, 16],
    [code.and, 0, 0, 0, 0xffff],
    [code.addRegister, 0, 1, 0, 0],
  ];
  return [
    [code.move, 1, 0, 0, 0],
    [code.move, 2, 0, 0, 0],
    [code.moveRegister, 3, 7, 0, 0],
    [code.add, 3, 0, 0, start],
    [code.move, 4, 0, 0, bytes],
    [code.move, 5, 0, 0, 0],
    [code.call, 0, 0, 0, kernel.checksumDifference],
    // A sum of 32 bits in a register of 64: what lies above is sign.
    [code.shiftLeft, 0, 0, 0, 32],
    [code.shiftRight, 0, 0, 0, 32],
    ...fold,
    ...fold,
    [code.xor, 0, 0, 0, 0xffff],
    [code.store16, 7, 0, at, 0],
  ];
}

/** Operation u8, registers 4 bits each, offset i16, value i32; little-endian (RFC 9669). */
function encode(instructions: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * instructions.length));
  for (const [i, [operation, to, from, offset, value]] of instructions.entries()) {
    view.setUint8(8 * i, operation);
    view.setUint8(8 * i + 1, to | (from << 4));
    view.setInt16(8 * i + 2, offset, true);
    view.setInt32(8 * i + 4, value, true);
  }
  return new Uint8Array(view.buffer);
}
