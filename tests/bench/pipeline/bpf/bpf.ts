/** XDP programs by the bpf(2) system call (linux/bpf.h), without compiler or library. */
import { addressOf, check, errno, libc, SystemError } from "../../../../ffi/libc.ts";
import { bpfAttachXdp, bpfCall, bpfCommand, bpfProgramXdp, xdpAttach } from "./constants.ts";

/** `union bpf_attr` of any kernel is larger than the part we set; the rest must be 0. */
const attributeBytes = 128;
const logBytes = 65_536;

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
