/**
 * The C library: system calls that Bun does not offer, each one line of a symbol table.
 *
 * Loaded on first use, so that parts of Vantage that touch no packet run without glibc. Struct layouts are
 * those of Linux on x86-64 and arm64 (LP64, little endian); `libc.test.ts` checks them against the compiler.
 */
import { dlopen, FFIType, type Pointer, ptr, read } from "bun:ffi";
import { constants } from "node:os";
import { getSystemErrorName } from "node:util";

function load() {
  return dlopen("libc.so.6", {
    __errno_location: { args: [], returns: "ptr" },
    bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
    clock_gettime: { args: ["i32", "ptr"], returns: "i32" },
    clock_nanosleep: { args: ["i32", "i32", "ptr", "ptr"], returns: "i32" },
    close: { args: ["i32"], returns: "i32" },
    eventfd: { args: ["u32", "i32"], returns: "i32" },
    fseek: { args: ["ptr", "i64", "i32"], returns: "i32" },
    connect: { args: ["i32", "ptr", "u32"], returns: "i32" },
    dlopen: { args: ["ptr", "i32"], returns: "ptr" },
    dlsym: { args: ["ptr", "ptr"], returns: "ptr" },
    fmemopen: { args: ["ptr", "u64", "ptr"], returns: "ptr" },
    getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
    if_nametoindex: { args: ["ptr"], returns: "u32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
    memcpy: { args: ["ptr", "ptr", "u64"], returns: "void" },
    mmap: { args: ["ptr", "u64", "i32", "i32", "i32", "u64"], returns: FFIType.i64 },
    munmap: { args: ["u64", "u64"], returns: "i32" },
    open: { args: ["ptr", "i32", "i32"], returns: "i32" },
    posix_fallocate: { args: ["i32", "i64", "i64"], returns: "i32" },
    poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
    read: { args: ["i32", "ptr", "u64"], returns: FFIType.i64_fast },
    recv: { args: ["i32", "ptr", "u64", "i32"], returns: FFIType.i64_fast },
    sched_getaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
    sched_getcpu: { args: [], returns: "i32" },
    sched_setaffinity: { args: ["i32", "u64", "ptr"], returns: "i32" },
    sched_yield: { args: [], returns: "i32" },
    send: { args: ["i32", "ptr", "u64", "i32"], returns: FFIType.i64_fast },
    sendmmsg: { args: ["i32", "ptr", "u32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: FFIType.i64_fast },
    setns: { args: ["i32", "i32"], returns: "i32" },
    setgroups: { args: ["u64", "ptr"], returns: "i32" },
    setresgid: { args: ["u32", "u32", "u32"], returns: "i32" },
    setresuid: { args: ["u32", "u32", "u32"], returns: "i32" },
    setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    syscall: {
      args: ["i64", "u64", "u64", "u64", "u64", "u64"],
      returns: FFIType.i64,
    },
    write: { args: ["i32", "ptr", "u64"], returns: FFIType.i64_fast },
  }).symbols;
}

/** An address from native code, to be passed back to it. */
export type Handle = Pointer | bigint;

let loaded: ReturnType<typeof load> | null = null;

/** The symbols of libc. A pointer argument takes a typed array or its `ptr()`. */
export function libc(): ReturnType<typeof load> {
  loaded ??= load();
  return loaded;
}

/** `errno` of the last failed call of this thread: read it before any other call. */
export function errno(): number {
  const location = libc().__errno_location();
  return location === null ? 0 : read.i32(location, 0);
}

/** errno numbers by name, for calls that are expected to fail. */
export const errnoNumbers = constants.errno;

/** A system call that failed; `errnoName` is the symbol, as `EPERM`. */
export class SystemError extends Error {
  readonly errno: number;
  readonly errnoName: string;

  constructor(action: string, errorNumber: number) {
    const errnoName = errorNumber === 0 ? "no errno" : getSystemErrorName(-errorNumber);
    super(`Cannot ${action}: ${errnoName}`);
    this.name = "SystemError";
    this.errno = errorNumber;
    this.errnoName = errnoName;
  }
}

/** Returns a result of 0 or more unchanged; throws SystemError on a negative one. `action` follows "Cannot". */
export function check(result: number, action: string): number {
  if (result < 0) {
    throw new SystemError(action, errno());
  }
  return result;
}

/** A NUL-terminated copy of a string; keep a reference for as long as the callee may read it. */
export function cString(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

/** The address of a typed array's first byte; stable while the array is referenced. */
export function addressOf(bytes: NodeJS.TypedArray): bigint {
  return BigInt(pointerOf(bytes));
}

export function pointerOf(bytes: NodeJS.TypedArray): Pointer {
  return ptr(bytes);
}
