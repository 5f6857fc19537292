/**
 * The program of the back end `live`: takes one frame off the ring, makes the packet of this run a copy of it, and
 * redirects it to the interface. With an empty ring it drops its packet, and is run again at once.
 */
import { Assembler } from "../bpf/assembler.ts";
import { bpfFunction, xdpDrop } from "../bpf/constants.ts";
import { batchProbesMax, frameSlotBytes, frameStartOffset } from "../hotpath/memory-layout.ts";
import * as at from "./live-memory.ts";

/**
 * Runs at the end of a call in which the sender puts nothing more on the ring, so that it is empty at the
 * end.
 */
const closingRuns = 65_536;
const etherHeaderBytes = 14;

interface LiveProgram {
  readonly control: number;
  readonly frames: number;
  readonly interfaceIndex: number;
}

/** For `loadXdpProgram`; `control` and `frames` are descriptors of maps. */
export function liveProgram({ control, frames, interfaceIndex }: LiveProgram): Uint8Array {
  const program = new Assembler();
  program.op("moveRegister", { to: 6, from: 1 }).mapValue(7, control);
  countRun(program);
  // r8 = consumer, r9 = the frame's word on the ring.
  program
    .op("load32", { to: 1, from: 7, offset: at.producerAt })
    .op("load32", { to: 8, from: 7, offset: at.consumerAt })
    .jump("jumpEqualRegister", "drop", { to: 1, from: 8 })
    .op("moveRegister", { to: 2, from: 8 })
    .op("and", { to: 2, value: at.ringFrames - 1 })
    .op("shiftLeft", { to: 2, value: 2 })
    .op("moveRegister", { to: 3, from: 7 })
    .op("addRegister", { to: 3, from: 2 })
    .op("load32", { to: 9, from: 3, offset: at.ringAt });
  copyFrame(program, frames);
  takeOff(program);
  program
    .op("move", { to: 1, value: interfaceIndex })
    .op("move", { to: 2, value: 0 })
    .call(bpfFunction.redirect)
    .op("exit");
  program.label("lost");
  takeOff(program);
  program
    .op("load32", { to: 1, from: 7, offset: at.lostAt })
    .op("add", { to: 1, value: 1 })
    .op("store32", { to: 7, from: 1, offset: at.lostAt });
  return program.label("drop").op("move", { to: 0, value: xdpDrop }).op("exit").bytes();
}

/** taking = left > closingRuns ? call : 0; left -= 1. */
function countRun(program: Assembler): void {
  program
    .op("load32", { to: 1, from: 7, offset: at.leftAt })
    .op("load32", { to: 2, from: 7, offset: at.callAt })
    .jump("jumpAbove", "taking", { to: 1, value: closingRuns })
    .op("move", { to: 2, value: 0 })
    .label("taking")
    .op("store32", { to: 7, from: 2, offset: at.takingAt })
    .op("subtract", { to: 1, value: 1 })
    .op("store32", { to: 7, from: 1, offset: at.leftAt });
}

/** Shortens the packet to the frame's length, and copies the frame over it. */
function copyFrame(program: Assembler, frames: number): void {
  program
    .op("moveRegister", { to: 2, from: 9 })
    .op("shiftRight", { to: 2, value: 16 })
    .op("and", { to: 2, value: frameSlotBytes - 1 })
    .op("subtract", { to: 2, value: at.liveFrameBytesMax })
    .op("moveRegister", { to: 1, from: 6 })
    .call(bpfFunction.xdpAdjustTail)
    .jump("jumpNotEqual", "lost", { to: 0, value: 0 })
    .op("moveRegister", { to: 1, from: 9 })
    .op("and", { to: 1, value: batchProbesMax - 1 })
    .op("shiftLeft", { to: 1, value: Math.log2(frameSlotBytes) })
    .mapValue(3, frames)
    .op("addRegister", { to: 3, from: 1 })
    .op("add", { to: 3, value: frameStartOffset })
    .op("moveRegister", { to: 4, from: 9 })
    .op("shiftRight", { to: 4, value: 16 })
    .op("and", { to: 4, value: frameSlotBytes - 1 })
    .jump("jumpBelow", "lost", { to: 4, value: etherHeaderBytes })
    .op("moveRegister", { to: 1, from: 6 })
    .op("move", { to: 2, value: 0 })
    .call(bpfFunction.xdpStoreBytes)
    .jump("jumpNotEqual", "lost", { to: 0, value: 0 });
}

function takeOff(program: Assembler): void {
  program.op("add", { to: 8, value: 1 }).op("store32", { to: 7, from: 8, offset: at.consumerAt });
}
