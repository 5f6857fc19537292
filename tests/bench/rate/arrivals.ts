/** When packets arrive at the receiver's end of the link: tcpdump's stamps there, which the kernel makes. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { inNamespace, LabError } from "../../lab/namespaces.ts";
import { readSavefile } from "../../vectors/hand/savefile.ts";
import { receiverInterface, type VethLink } from "../send/veth-link.ts";

const fileHeaderBytes = 24;
const lookEveryMs = 10;
const patienceMs = 20_000;
/** Room for seconds of a hundred thousand short packets: what is lost would look like a gap. */
const ringKiB = "65536";

/** Nanoseconds of each packet of `windowMs` that begin with the first packet; `send` starts the sender. */
export async function arrivalsOf(
  link: VethLink,
  folder: string,
  windowMs: number,
  send: () => Bun.Subprocess,
): Promise<bigint[]> {
  const file = join(folder, "arrivals.pcap");
  const where = ["-i", receiverInterface, "-w", file, "-s", "64", "-B", ringKiB, "-Z", "root", "-U"];
  const tcpdump = Bun.spawn(
    inNamespace(link.receiver, ["tcpdump", "--time-stamp-precision=nano", ...where]),
    { stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const said = new Response(tcpdump.stderr).text();
  await patiently(() => existsSync(file) && statSync(file).size >= fileHeaderBytes);
  const sender = send();
  await patiently(() => statSync(file).size > fileHeaderBytes);
  await Bun.sleep(windowMs + lookEveryMs);
  sender.kill();
  await sender.exited;
  tcpdump.kill("SIGINT");
  await tcpdump.exited;
  if (!/^0 packets dropped by kernel/m.test(await said)) {
    throw new LabError(`tcpdump has lost packets: ${(await said).trim()}`);
  }
  const times = readSavefile(readFileSync(file)).packets.map(({ timeNs }) => timeNs);
  rmSync(file);
  const endNs = (times[0] ?? 0n) + BigInt(windowMs) * 1_000_000n;
  return times.filter((timeNs) => timeNs < endNs);
}

async function patiently(isThere: () => boolean): Promise<void> {
  const giveUpAtMs = performance.now() + patienceMs;
  while (!isThere()) {
    if (performance.now() > giveUpAtMs) {
      throw new LabError("Nothing arrived");
    }
    await Bun.sleep(lookEveryMs);
  }
}
