/**
 * The far end of the pipeline's bench: answers probes in the kernel, on an interface of the namespace that it is
 * started in, until it is killed. Usage: reflector.ts INTERFACE. It says "ready" on its standard output once it
 * answers.
 */
import { writeSync } from "node:fs";
import { libc } from "../../../ffi/libc.ts";
import { attachXdp, loadXdpProgram } from "./bpf/bpf.ts";
import { reflectorProgram } from "./reflector-program.ts";

const dayMs = 86_400_000;

const [device = ""] = process.argv.slice(2);
const index = libc().if_nametoindex(new TextEncoder().encode(`${device}\0`));
// The program goes with this process.
attachXdp(loadXdpProgram(reflectorProgram(index)), index, "native");
writeSync(1, "ready\n");
setInterval(() => {}, dayMs);
