import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as bpf from "./constants.ts";

/** C expression and our number for it. */
const expectations: readonly (readonly [string, number])[] = [
  ["BPF_MAP_CREATE", bpf.bpfCommand.mapCreate],
  ["BPF_PROG_LOAD", bpf.bpfCommand.programLoad],
  ["BPF_PROG_TEST_RUN", bpf.bpfCommand.programTestRun],
  ["BPF_MAP_TYPE_ARRAY", bpf.bpfMapArray],
  ["BPF_F_MMAPABLE", bpf.bpfMapMmapable],
  ["BPF_PROG_TYPE_XDP", bpf.bpfProgramXdp],
  ["BPF_F_TEST_XDP_LIVE_FRAMES", bpf.bpfTestLiveFrames],
  ["BPF_PSEUDO_MAP_VALUE", bpf.bpfPseudoMapValue],
  ["BPF_FUNC_redirect", bpf.bpfFunction.redirect],
  ["BPF_FUNC_xdp_adjust_tail", bpf.bpfFunction.xdpAdjustTail],
  ["BPF_FUNC_xdp_store_bytes", bpf.bpfFunction.xdpStoreBytes],
  ["XDP_DROP", bpf.xdpDrop],
  ["BPF_LD | BPF_DW | BPF_IMM", bpf.bpfCode.loadValue],
  ["BPF_LDX | BPF_MEM | BPF_W", bpf.bpfCode.load32],
  ["BPF_STX | BPF_MEM | BPF_W", bpf.bpfCode.store32],
  ["BPF_ALU64 | BPF_ADD | BPF_K", bpf.bpfCode.add],
  ["BPF_ALU64 | BPF_ADD | BPF_X", bpf.bpfCode.addRegister],
  ["BPF_ALU64 | BPF_SUB | BPF_K", bpf.bpfCode.subtract],
  ["BPF_ALU64 | BPF_AND | BPF_K", bpf.bpfCode.and],
  ["BPF_ALU64 | BPF_LSH | BPF_K", bpf.bpfCode.shiftLeft],
  ["BPF_ALU64 | BPF_RSH | BPF_K", bpf.bpfCode.shiftRight],
  ["BPF_ALU64 | BPF_MOV | BPF_K", bpf.bpfCode.move],
  ["BPF_ALU64 | BPF_MOV | BPF_X", bpf.bpfCode.moveRegister],
  ["BPF_JMP | BPF_CALL", bpf.bpfCode.call],
  ["BPF_JMP | BPF_EXIT", bpf.bpfCode.exit],
  ["BPF_JMP | BPF_JEQ | BPF_X", bpf.bpfCode.jumpEqualRegister],
  ["BPF_JMP | BPF_JNE | BPF_K", bpf.bpfCode.jumpNotEqual],
  ["BPF_JMP | BPF_JGT | BPF_K", bpf.bpfCode.jumpAbove],
  ["BPF_JMP | BPF_JLT | BPF_K", bpf.bpfCode.jumpBelow],
];

test("every number is that of the kernel's headers", () => {
  const folder = mkdtempSync(join(tmpdir(), "vantage-bpf-"));
  try {
    const lines = expectations.map(([expression]) => `printf("%ld\\n", (long)(${expression}));`);
    const source = ["#include <stdio.h>", "#include <linux/bpf.h>", "int main(void) {", ...lines, "}"].join(
      "\n",
    );
    writeFileSync(join(folder, "bpf.c"), source);
    const built = Bun.spawnSync(["gcc", "-o", join(folder, "bpf"), join(folder, "bpf.c")]);
    expect(built.stderr.toString()).toBe("");
    const { stdout } = Bun.spawnSync([join(folder, "bpf")]);
    expect(stdout.toString().trim().split("\n").map(Number)).toEqual(
      expectations.map(([, number]) => number),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
