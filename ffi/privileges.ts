/**
 * Drops a process's privileges permanently: its user (credentials(7)), capabilities (capabilities(7)),
 * and system calls (seccomp(2)).
 *
 * setgroups, setresgid and setresuid of the C library act on every thread (nptl(7)); leaving user 0 clears
 * the effective and permitted capabilities of each. seccomp with TSYNC gives filter and no_new_privs to every
 * thread. capset acts on the calling thread, and on those that it starts later.
 */
import { addressOf, check, libc } from "./libc.ts";
import { callFilter, type Machine } from "./system-call-list.ts";

export interface UserIdentity {
  readonly uid: number;
  readonly gid: number;
}

const callNumbers: Readonly<Record<Machine, { prctl: bigint; seccomp: bigint; capset: bigint }>> = {
  x64: { prctl: 157n, seccomp: 317n, capset: 126n },
  arm64: { prctl: 167n, seccomp: 277n, capset: 91n },
};
const setNoNewPrivs = 38n;
const capAmbient = 47n;
const capAmbientClearAll = 4n;
const setModeFilter = 1n;
const filterToAllThreads = 1n;
const capabilityVersion3 = 0x2008_0522;
const unchanged = 0xffff_ffff;

/** 0 is root, in a user namespace too. */
export function effectiveUser(): number {
  return process.geteuid?.() ?? unchanged;
}

/** Switches permanently to that user, without other groups or capabilities, in every thread. Throws SystemError. */
export function becomeUser({ uid, gid }: UserIdentity): void {
  const action = `become user ${uid}`;
  check(libc().setgroups(0n, null), action);
  check(libc().setresgid(gid, gid, gid), action);
  check(libc().setresuid(uid, uid, uid), action);
}

/** Runs `act` with that user's file permissions, then returns to root. Throws what `act` throws, or SystemError. */
export function asUser<Result>({ uid, gid }: UserIdentity, act: () => Result): Result {
  const action = `act as user ${uid} for a while`;
  check(libc().setresgid(unchanged, gid, unchanged), action);
  try {
    check(libc().setresuid(unchanged, uid, unchanged), action);
    return act();
  } finally {
    check(libc().setresuid(unchanged, 0, unchanged), action);
    check(libc().setresgid(unchanged, 0, unchanged), action);
  }
}

/** Drops all capabilities of this thread, and so of threads that it starts. Throws SystemError. */
export function dropCapabilities(): void {
  const { prctl, capset } = numbers();
  const header = Uint32Array.of(capabilityVersion3, 0);
  const nothing = new Uint32Array(6);
  const action = "drop capabilities";
  check(Number(call(prctl, capAmbient, capAmbientClearAll, 0n, 0n)), action);
  check(Number(call(capset, addressOf(header), addressOf(nothing), 0n, 0n)), action);
}

/**
 * Sets no_new_privs and the filter of system-call-list.ts for every thread. Throws Error where this is
 * impossible.
 */
export function restrictCalls(): void {
  const { prctl, seccomp } = numbers();
  const filter = callFilter(machine());
  const program = new Uint8Array(16);
  const view = new DataView(program.buffer);
  view.setUint16(0, filter.length / 8, true);
  view.setBigUint64(8, addressOf(filter), true);
  const action = "restrict system calls";
  check(Number(call(prctl, setNoNewPrivs, 1n, 0n, 0n)), action);
  const result = check(
    Number(call(seccomp, setModeFilter, filterToAllThreads, addressOf(program), 0n)),
    action,
  );
  if (result > 0) {
    throw new Error(`Cannot ${action}: thread ${result} has its own filter`);
  }
}

function numbers() {
  return callNumbers[machine()];
}

function machine(): Machine {
  if (process.arch !== "x64" && process.arch !== "arm64") {
    throw new Error(
      `Cannot restrict system calls on ${process.arch}: their numbers are known for x64 and arm64`,
    );
  }
  return process.arch;
}

function call(number: bigint, a: bigint, b: bigint, c: bigint, d: bigint): bigint {
  return libc().syscall(number, a, b, c, d, 0n);
}
