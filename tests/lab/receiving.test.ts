/** Both ways to receive hear the same packets, make the same replies of them, and stamp them alike. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { linesOf } from "../bench/lines.ts";
import { receiverInterface, senderInterface, VethLink } from "../bench/send/veth-link.ts";
import { inNamespace, ipBatch, run } from "./namespaces.ts";
import { floodFrames, ownAddress } from "./receiving/answers-sent.ts";
import type { HeardAnswer } from "./receiving/heard-answer.ts";

/** Stamps of two packets sent one after the other, on a busy machine; the median of many. */
const apartMsMax = 1000;
const script = (name: string) => join(import.meta.dirname, name);

let link: VethLink;
beforeAll(async () => {
  link = await VethLink.make();
  await ipBatch([`addr add ${ownAddress}/32 dev ${receiverInterface}`], "-n", link.receiver);
});
afterAll(() => link[Symbol.asyncDispose]());

interface Listened {
  /** How they were received: `pcap`, `native`, `generic`. */
  readonly mode: string | undefined;
  readonly heard: readonly HeardAnswer[];
  readonly stats: { readonly received: number; readonly dropped: number };
}

/** During a flood the listener stands still. */
async function listen(
  by: "pcap" | "xdp",
  which: "all" | "pairs" | "flood",
  { name, mac } = { name: receiverInterface, mac: link.gatewayMac },
): Promise<Listened> {
  const command = [process.execPath, script("receiving/hear-answers.ts"), name, by];
  const listener = Bun.spawn(inNamespace(link.receiver, command), {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(listener.stdout);
  const { value: mode } = await lines.next();
  const sender = [process.execPath, script("receiving/send-answers.ts"), senderInterface, mac, which];
  listener.kill(which === "flood" ? "SIGSTOP" : "SIGCONT");
  await run(inNamespace(link.sender, sender));
  listener.kill("SIGCONT");
  const stats = JSON.parse((await lines.next()).value ?? "{}");
  const heard: HeardAnswer[] = [];
  for await (const line of lines) {
    heard.push(JSON.parse(line));
  }
  return { mode, heard, stats };
}

/** Those that came one way may come before those of the other. */
const sorted = (heard: readonly HeardAnswer[]) =>
  heard.map(({ packet, reply }) => `${packet} ${reply}`).sort();

test("xdp and libpcap hear the same packets, hostile ones too, and make the same replies of them", async () => {
  const { mode: pcap, heard: byPcap } = await listen("pcap", "all");
  const { mode, heard: byXdp } = await listen("xdp", "all");
  expect([pcap, mode]).toEqual(["pcap", "native"]);
  expect(byPcap.filter(({ reply }) => reply !== "").length).toBeGreaterThan(500);
  expect(sorted(byXdp)).toEqual(sorted(byPcap));
  const taken = byXdp.filter((heard) => heard.byXdp);
  expect(taken.length).toBeGreaterThan(1000);
  // VLAN tags, options, extension headers, fragments: those that the program leaves.
  const left = byXdp.filter((heard) => !heard.byXdp);
  expect(left.filter(({ reply }) => reply !== "").length).toBeGreaterThan(100);
});

test("what comes to the host's own address stays with its kernel, and both are stamped by one clock", async () => {
  const { heard: unsorted } = await listen("xdp", "pairs");
  const heard = unsorted.toSorted((a, b) => a.atMs - b.atMs);
  const isOwn = ({ packet }: HeardAnswer) => packet.includes("c0000209c633644d");
  expect(heard).toHaveLength(100);
  expect(heard.every((one) => one.byXdp !== isOwn(one))).toBe(true);
  const [taken, left] = [heard.filter((one) => !isOwn(one)), heard.filter(isOwn)];
  const apart = taken.map(({ atMs }, i) => Math.abs(atMs - (left[i]?.atMs ?? 0))).sort((a, b) => a - b);
  expect(apart[25]).toBeLessThan(apartMsMax);
  expect(await run(inNamespace(link.receiver, ["ip", "link", "show", receiverInterface]))).not.toContain(
    "xdp",
  );
});

test("what finds no room is counted: nothing is lost silently", async () => {
  const { heard, stats } = await listen("xdp", "flood");
  expect(stats.dropped).toBeGreaterThan(0);
  expect(heard.length + stats.dropped).toBe(floodFrames);
  expect(stats.received).toBe(floodFrames);
});

test("an interface whose driver takes no program has it in front of the kernel's own receiving", async () => {
  const name = "above";
  await run(inNamespace(link.receiver, ["nft", "delete", "table", "netdev", "bench"]));
  const lines = [
    `link add ${name} link ${receiverInterface} type macvlan mode bridge`,
    `link set ${name} up`,
  ];
  await ipBatch(lines, "-n", link.receiver);
  const mac = (await run(inNamespace(link.receiver, ["cat", `/sys/class/net/${name}/address`]))).trim();
  const { mode, heard } = await listen("xdp", "pairs", { name, mac });
  expect(mode).toBe("generic");
  expect(heard).toHaveLength(100);
  expect(heard.filter(({ byXdp }) => byXdp)).toHaveLength(50);
});
