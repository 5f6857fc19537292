/** Numbers of <linux/bpf.h>. */

/** The number of bpf(2). */
export const bpfCall = [321, 280] as const satisfies readonly [x64: number, arm64: number];
export const bpfCommand = {
  programLoad: 5,
  linkCreate: 28,
} as const;
export const bpfProgramXdp = 6;
/** The source register field of an `ld_imm64` that loads the address of a map's value. */
export const bpfPseudoMapValue = 2;
/** The same for one that loads a map. */
export const bpfPseudoMap = 1;
/** Attach type of an XDP link: an interface's receiving side. */
export const bpfAttachXdp = 37;
/** Mode of an XDP link: in the driver (native), or in the kernel's receive path (generic). */
export const xdpAttach = { generic: 2, native: 4 } as const;

/** Kernel helpers that the programs call. */
export const bpfFunction = {
  redirect: 23,
  xdpAdjustTail: 65,
} as const;

export const xdpDrop = 1;
export const xdpPass = 2;
/** Offsets in `struct xdp_md`, of u32 each. */
export const xdpContext = { data: 0, dataEnd: 4, dataMeta: 8, queue: 16 } as const;

/** Operation codes, for 64-bit registers. */
export const bpfCode = {
  loadValue: 0x18,
  load8: 0x71,
  load16: 0x69,
  load32: 0x61,
  store16: 0x6b,
  store32: 0x63,
  add: 0x07,
  addRegister: 0x0f,
  subtractRegister: 0x1f,
  and: 0x57,
  or: 0x47,
  xor: 0xa7,
  shiftLeft: 0x67,
  shiftRight: 0x77,
  move: 0xb7,
  moveRegister: 0xbf,
  call: 0x85,
  exit: 0x95,
  jump: 0x05,
  jumpNotEqual: 0x55,
  jumpAbove: 0x25,
  jumpAboveRegister: 0x2d,
} as const;
