/** Numbers of <linux/bpf.h>; `linux-abi.test.ts` holds them against the compiler's headers. */

/** The number of bpf(2); `system-call-list.test.ts` holds it. */
export const bpfCall = [321, 280] as const satisfies readonly [x64: number, arm64: number];
export const bpfCommand = { mapCreate: 0, programLoad: 5, programTestRun: 10 } as const;
export const bpfMapArray = 2;
export const bpfMapMmapable = 0x400;
export const bpfProgramXdp = 6;
export const bpfTestLiveFrames = 2;
/** What an `ld_imm64` that names a map's value has in place of its source register. */
export const bpfPseudoMapValue = 2;

/** Functions of the kernel that programs call. */
export const bpfFunction = { redirect: 23, xdpAdjustTail: 65, xdpStoreBytes: 190 } as const;

export const xdpDrop = 1;

/** Operation codes, for 64-bit registers. */
export const bpfCode = {
  loadValue: 0x18,
  load32: 0x61,
  store32: 0x63,
  add: 0x07,
  addRegister: 0x0f,
  subtract: 0x17,
  and: 0x57,
  shiftLeft: 0x67,
  shiftRight: 0x77,
  move: 0xb7,
  moveRegister: 0xbf,
  call: 0x85,
  exit: 0x95,
  jumpEqualRegister: 0x1d,
  jumpNotEqual: 0x55,
  jumpAbove: 0x25,
  jumpBelow: 0xa5,
} as const;
