/** When packets arrive at the receiver's end of the link: tcpdump's stamps there, which the kernel makes. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { inNamespace, LabError } from "../../lab/namespaces.ts";
import { type Packet, readSavefile } from "../../vectors/hand/savefile.ts";
import { receiverInterface, type VethLink } from "../send/veth-link.ts";

const fileHeaderBytes = 24;
const lookEveryMs = 10;
const patienceMs = 20_000;
/** Room for seconds of a hundred thousand short packets: what is lost would look like a gap. */
const ringKiB = "65536";

interface Watch {
  readonly link: VethLink;
  readonly folder: string;
  /** From the first packet on. */
  readonly windowMs: number;
  /** In tcpdump's language: which packets to keep. */
  readonly filter?: string;
}

/** The packets of the window, 64 bytes of each; `send` starts the sender. */
export async function arrivalsOf(
  { link, folder, windowMs, filter = "" }: Watch,
  send: () => Bun.Subprocess,
): Promise<readonly Packet[]> {
  const file = join(folder, "arrivals.pcap");
  const where = ["-i", receiverInterface, "-w", file, "-s", "64", "-B", ringKiB, "-Z", "root", "-U", filter];
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
  const { packets } = readSavefile(readFileSync(file));
  rmSync(file);
  const endNs = (packets[0]?.timeNs ?? 0n) + BigInt(windowMs) * 1_000_000n;
  return packets.filter(({ timeNs }) => timeNs < endNs);
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
