/** Maps and programs of BPF by the system call itself (bpf(2), linux/bpf.h): no compiler, no library. */
import { addressOf, check, errno, libc, SystemError } from "../libc.ts";
import {
  bpfCall,
  bpfCommand,
  bpfMapArray,
  bpfMapMmapable,
  bpfProgramXdp,
  bpfTestLiveFrames,
} from "./constants.ts";

/** `union bpf_attr` of any kernel is larger than what we set; what lies behind must be 0. */
const attributeBytes = 128;
const logBytes = 65_536;
const contextBytes = 24;

/** An array map of one value, which this process can map. Throws SystemError. */
export function createArrayMap(valueBytes: number): number {
  const attribute = new DataView(new ArrayBuffer(attributeBytes));
  for (const [i, value] of [bpfMapArray, 4, valueBytes, 1, bpfMapMmapable].entries()) {
    attribute.setUint32(4 * i, value, true);
  }
  return check(bpf(bpfCommand.mapCreate, attribute), "make a map of BPF");
}

/** Throws SystemError, with the verifier's last line where it refuses the program. */
export function loadXdpProgram(instructions: Uint8Array): number {
  const license = new TextEncoder().encode("GPL\0");
  const log = new Uint8Array(logBytes);
  const attribute = new DataView(new ArrayBuffer(attributeBytes));
  attribute.setUint32(0, bpfProgramXdp, true);
  attribute.setUint32(4, instructions.length / 8, true);
  attribute.setBigUint64(8, addressOf(instructions), true);
  attribute.setBigUint64(16, addressOf(license), true);
  attribute.setUint32(24, 1, true);
  attribute.setUint32(28, log.length, true);
  attribute.setBigUint64(32, addressOf(log), true);
  const fd = bpf(bpfCommand.programLoad, attribute);
  if (fd < 0) {
    const reason = errno();
    const lines = new TextDecoder()
      .decode(log.subarray(0, log.indexOf(0)))
      .trim()
      .split("\n");
    const said = lines.findLast((line) => !line.startsWith("processed ")) ?? "";
    throw new SystemError(`load a program of BPF${said === "" ? "" : ` (${said})`}`, reason);
  }
  return fd;
}

interface LiveRun {
  readonly program: number;
  /** What each run begins with: as long as the longest frame. */
  readonly frame: Uint8Array;
  readonly runs: number;
  /** Pages that are in use together, to 256. */
  readonly batch: number;
}

/**
 * Runs an XDP program on packets that really go where it redirects them (Linux 5.18). Blocks this thread until all runs
 * are done, or a signal comes. Returns 0, or a negative errno.
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
