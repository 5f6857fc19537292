/**
 * The far end of the pipeline's bench: answers probes in the kernel, on an interface of the namespace that it is
 * started in, until it is killed. Usage: reflector.ts INTERFACE. It says "ready" on its standard output once it
 * answers.
 */
import { writeSync } from "node:fs";
import { loadXdpProgram } from "../../../ffi/bpf/bpf.ts";
import { bpfCall } from "../../../ffi/bpf/constants.ts";
import { addressOf, check, libc } from "../../../ffi/libc.ts";
import { reflectorProgram } from "./reflector-program.ts";

/** linux/bpf.h. The link goes with this process. */
const linkCreate = 28n;
const attachXdp = 37;
/** XDP_FLAGS_DRV_MODE: before the kernel makes a buffer of its own for the packet. */
const inDriver = 4;
const dayMs = 86_400_000;

const [device = ""] = process.argv.slice(2);
const index = libc().if_nametoindex(new TextEncoder().encode(`${device}\0`));
const attribute = new Uint32Array([loadXdpProgram(reflectorProgram(index)), index, attachXdp, inDriver]);
const number = BigInt(process.arch === "arm64" ? bpfCall[1] : bpfCall[0]);
const link = libc().syscall(
  ...([number, linkCreate, addressOf(attribute), BigInt(attribute.byteLength), 0n, 0n] as const),
);
check(Number(link), `answer on ${device}`);
writeSync(1, "ready\n");
setInterval(() => {}, dayMs);
