/** The refused system calls against the kernel's headers; their effect: tests/lab/agent-privileges.test.ts. */
import { expect, test } from "bun:test";
import { callFilter, calls, refusedCalls } from "./system-call-list.ts";

/** x86-64's own table, and the one that arm64 and all newer machines share. */
const headers = ["asm/unistd_64.h", "asm-generic/unistd.h"] as const;

function numbersIn(header: string): Map<string, number> {
  const source = new TextEncoder().encode(`#define __ARCH_WANT_SYS_CLONE3\n#include <${header}>\n`);
  const { stdout } = Bun.spawnSync(["gcc", "-E", "-dM", "-"], { stdin: source });
  const found = stdout.toString().matchAll(/^#define __NR_(\w+) (\d+)$/gm);
  return new Map(Array.from(found, ([, name = "", number]) => [name, Number(number)]));
}

test.skipIf(process.arch !== "x64").each(headers.map((header, column) => [header, column as 0 | 1] as const))(
  "every number is that of %s",
  (header, column) => {
    const known = numbersIn(header);
    const all: Readonly<Record<string, readonly (number | null)[]>> = { ...refusedCalls, ...calls };
    const own = Object.entries(all).map(([name, pair]) => [name, pair[column]]);
    expect(own).toEqual(Object.keys(all).map((name) => [name, known.get(name) ?? null]));
  },
);

test.each(["x64", "arm64"] as const)(
  "the program for %s ends on every way, and jumps only forward",
  (machine) => {
    const bytes = callFilter(machine);
    const view = new DataView(bytes.buffer);
    const count = bytes.length / 8;
    expect(count).toBeLessThan(4096);
    const codes = Array.from({ length: count }, (_, i) => view.getUint16(i * 8, true));
    expect(codes.at(-1)).toBe(0x06);
    for (const [i, code] of codes.entries()) {
      const jumps = (code & 0x07) === 0x05 ? [view.getUint8(i * 8 + 2), view.getUint8(i * 8 + 3)] : [];
      expect(jumps.every((jump) => i + 1 + jump < count)).toBe(true);
    }
  },
);
