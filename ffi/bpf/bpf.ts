/** BPF maps and programs by the bpf(2) system call (linux/bpf.h), without compiler or library. */
import { addressOf, check, errno, libc, SystemError } from "../libc.ts";
import {
  bpfAttachXdp,
  bpfCall,
  bpfCommand,
  bpfMapArray,
  bpfMapMmapable,
  bpfMapSockets,
  bpfProgramXdp,
  bpfTestLiveFrames,
  xdpAttach,
} from "./constants.ts";

/** `union bpf_attr` of any kernel is larger than the part we set; the rest must be 0. */
const attributeBytes = 128;
const logBytes = 65_536;
const contextBytes = 24;

/** Creates an array map of one value, which this process can mmap. Throws SystemError. */
export function createArrayMap(valueBytes: number): number {
  return createMap([bpfMapArray, 4, valueBytes, 1, bpfMapMmapable]);
}

/** Creates a map of AF_XDP sockets by receive queue, from 0. Throws SystemError. */
export function createSocketMap(sockets: readonly number[]): number {
  const map = createMap([bpfMapSockets, 4, 4, sockets.length]);
  for (const [queue, socket] of sockets.entries()) {
    const key = Uint32Array.of(queue);
    const value = Int32Array.of(socket);
    const attribute = new DataView(new ArrayBuffer(attributeBytes));
    attribute.setUint32(0, map, true);
    attribute.setBigUint64(8, addressOf(key), true);
    attribute.setBigUint64(16, addressOf(value), true);
    check(bpf(bpfCommand.mapUpdate, attribute), "put a socket into a map of BPF");
  }
  return map;
}

/** Type, bytes of a key, bytes of a value, entries, flags. */
function createMap(fields: readonly number[]): number {
  const attribute = new DataView(new ArrayBuffer(attributeBytes));
  for (const [i, value] of fields.entries()) {
    attribute.setUint32(4 * i, value, true);
  }
  return check(bpf(bpfCommand.mapCreate, attribute), "make a map of BPF");
}

/**
 * Attaches an XDP program to an interface until the returned descriptor is closed, by us or by the end of the
 * process (Linux 5.9). Throws SystemError: EBUSY or EEXIST when the interface has a program.
 */
export function attachXdp(program: number, interfaceIndex: number, mode: keyof typeof xdpAttach): number {
  const attribute = new DataView(new ArrayBuffer(attributeBytes));
  for (const [i, value] of [program, interfaceIndex, bpfAttachXdp, xdpAttach[mode]].entries()) {
    attribute.setUint32(4 * i, value, true);
  }
  return check(bpf(bpfCommand.linkCreate, attribute), `attach a program of XDP, ${mode}`);
}

/** Throws SystemError, with the verifier's last line if it refuses the program. */
export function loadXdpProgram(instructions: Uint8Array): number {
  const fd = load(instructions, null);
  if (fd >= 0) {
    return fd;
  }
  const reason = errno();
  // The log is requested only after a refusal: for a valid program it may be longer than any buffer.
  const log = new Uint8Array(logBytes);
  load(instructions, log);
  const lines = new TextDecoder()
    .decode(log.subarray(0, log.indexOf(0)))
    .trim()
    .split("\n");
  const said = lines.findLast((line) => !line.startsWith("processed ")) ?? "";
  throw new SystemError(`load a program of BPF${said === "" ? "" : ` (${said})`}`, reason);
}

function load(instructions: Uint8Array, log: Uint8Array | null): number {
  const license = new TextEncoder().encode("GPL\0");
  const attribute = new DataView(new ArrayBuffer(attributeBytes));
  attribute.setUint32(0, bpfProgramXdp, true);
  attribute.setUint32(4, instructions.length / 8, true);
  attribute.setBigUint64(8, addressOf(instructions), true);
  attribute.setBigUint64(16, addressOf(license), true);
  if (log !== null) {
    attribute.setUint32(24, 1, true);
    attribute.setUint32(28, log.length, true);
    attribute.setBigUint64(32, addressOf(log), true);
  }
  return bpf(bpfCommand.programLoad, attribute);
}

interface LiveRun {
  readonly program: number;
  /** The packet of each run at its start, as long as the longest frame. */
  readonly frame: Uint8Array;
  readonly runs: number;
  /** Pages in use together, up to 256. */
  readonly batch: number;
}

/**
 * Runs an XDP program on packets that are really sent where it redirects them (Linux 5.18). Blocks this
 * thread until all runs are done or a signal comes. Returns 0, or a negative errno.
 */
export function runLive({ program, frame, runs, batch }: LiveRun): number {
  const context = new Uint32Array(contextBytes / 4);
  context[1] = frame.length;
  const attribute = new DataView(new ArrayBuffer(attributeBytes));
  attribute.setUint32(0, program, true);
  attribute.setUint32(8, frame.length, true);
  attribute.setBigUint64(16, addressOf(frame), true);
  attribute.setUint32(32, runs, true);
  attribute.setUint32(40, contextBytes, true);
  attribute.setBigUint64(48, addressOf(context), true);
  attribute.setUint32(64, bpfTestLiveFrames, true);
  attribute.setUint32(72, batch, true);
  return bpf(bpfCommand.programTestRun, attribute) < 0 ? -errno() : 0;
}

function bpf(command: number, attribute: DataView): number {
  const [x64, arm64] = bpfCall;
  const call = { x64, arm64 }[process.arch as string];
  if (call === undefined) {
    throw new Error(`Cannot use BPF on ${process.arch}: the number of its call is known for x64 and arm64`);
  }
  const bytes = new Uint8Array(attribute.buffer);
  return Number(
    libc().syscall(BigInt(call), BigInt(command), addressOf(bytes), BigInt(attributeBytes), 0n, 0n),
  );
}
