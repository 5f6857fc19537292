/**
 * The system calls that our running services never need, as a kernel filter (seccomp(2)): a program of classic BPF over
 * `struct seccomp_data`: nr u32 at 0 | arch u32 at 4 | ip u64 at 8 | six arguments u64 from 16.
 *
 * A denylist, not an allowlist: the calls that Bun and JavaScriptCore need change with each release and kernel (mmap
 * and mprotect with PROT_EXEC, clone for threads, futex, epoll, membarrier, rseq and some two hundred more), and an
 * allowlist that lacks one kills the agent on the day it is called. Refused is whatever turns a compromised agent into
 * a compromised host: other programs, other processes, the kernel's own loaders, new namespaces and mounts, other
 * users, and new raw sockets, so that a capability that a thread still has is useless.
 *
 * 8 bytes per instruction: code u16 | jump if true u8 | jump if false u8 | constant u32. All refusals are EPERM, except
 * for clone3, whose flags are in memory that a filter cannot read: ENOSYS makes the C library use clone.
 */
import { afNetlink, afPacket, afXdp, sockRaw } from "./linux-abi.ts";

export type Machine = "x64" | "arm64";

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64. */
const machineNumber: Readonly<Record<Machine, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** Numbers on x86-64 and arm64 (the table of all newer machines); null = no such call. */
export const refusedCalls: Readonly<Record<string, readonly [x64: number, arm64: number | null]>> = {
  fork: [57, null],
  vfork: [58, null],
  execve: [59, 221],
  execveat: [322, 281],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  perf_event_open: [298, 241],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  setns: [308, 268],
  unshare: [272, 97],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  mknod: [133, null],
  mknodat: [259, 33],
  swapon: [167, 224],
  swapoff: [168, 225],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  iopl: [172, null],
  ioperm: [173, null],
  personality: [135, 92],
  setuid: [105, 146],
  setgid: [106, 144],
  setreuid: [113, 145],
  setregid: [114, 143],
  setresuid: [117, 147],
  setresgid: [119, 149],
  setgroups: [116, 159],
  setfsuid: [122, 151],
  setfsgid: [123, 152],
  capset: [126, 91],
};

export const calls = { socket: [41, 198], clone: [56, 220], clone3: [435, 435] } as const;
/** Calls of the x32 interface, which have other numbers. */
const x32Bit = 0x4000_0000;
const cloneThread = 0x0001_0000;
const typeMask = 0xf;

const load = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpBits = 0x45;
const and = 0x54;
const end = 0x06;

const allow = 0x7fff_0000;
const refuse = 0x0005_0001;
const notThere = 0x0005_0026;

const callAt = 0;
const machineAt = 4;
const firstArgumentAt = 16;
const secondArgumentAt = 24;

type Instruction = readonly [code: number, constant: number, ifTrue?: number, ifFalse?: number];

/** The filter program for the kernel. */
export function callFilter(machine: Machine): Uint8Array {
  const column = machine === "x64" ? 0 : 1;
  const numbers = Object.values(refusedCalls).flatMap((pair) => pair[column] ?? []);
  return bytesOf([
    [load, machineAt],
    [jumpEqual, machineNumber[machine], 1, 0],
    [end, refuse],
    [load, callAt],
    ...(machine === "x64" ? refusedFrom(x32Bit) : []),
    ...numbers.flatMap(refused),
    [jumpEqual, calls.clone3[column], 0, 1],
    [end, notThere],
    ...newProcesses(calls.clone[column]),
    ...rawSockets(calls.socket[column]),
    [end, allow],
  ]);
}

function refused(number: number): Instruction[] {
  return [
    [jumpEqual, number, 0, 1],
    [end, refuse],
  ];
}

function refusedFrom(number: number): Instruction[] {
  return [
    [jumpAtLeast, number, 0, 1],
    [end, refuse],
  ];
}

/** Allows threads, refuses processes. */
function newProcesses(clone: number): Instruction[] {
  return [
    [jumpEqual, clone, 0, 4],
    [load, firstArgumentAt],
    [jumpBits, cloneThread, 0, 1],
    [end, allow],
    [end, refuse],
  ];
}

/** Allows netlink sockets, which are SOCK_RAW in name only: they query routes and neighbours. */
function rawSockets(socket: number): Instruction[] {
  return [
    [jumpEqual, socket, 0, 9],
    [load, firstArgumentAt],
    [jumpEqual, afPacket, 6, 0],
    [jumpEqual, afXdp, 5, 0],
    [jumpEqual, afNetlink, 0, 1],
    [end, allow],
    [load, secondArgumentAt],
    [and, typeMask],
    [jumpEqual, sockRaw, 0, 1],
    [end, refuse],
  ];
}

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [i, [code, constant, ifTrue = 0, ifFalse = 0]] of program.entries()) {
    view.setUint16(i * 8, code, true);
    view.setUint8(i * 8 + 2, ifTrue);
    view.setUint8(i * 8 + 3, ifFalse);
    view.setUint32(i * 8 + 4, constant, true);
  }
  return bytes;
}
