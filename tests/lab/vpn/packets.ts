/** Packets through the tunnel: whether they come, how large they may be, and which segments TCP agrees on. */
import { until } from "../../exchange/until.ts";
import { saidUpTo } from "../../run/said.ts";
import type { VpnLab } from "./place.ts";
import * as plan from "./plan.ts";

const { leased, farHost } = plan;

/** IPv6 and ICMPv6 take 40 and 8 bytes of a packet. */
const pingBytesMax = plan.tunnelMtuBytes - 48;

export async function showPackets(place: VpnLab): Promise<void> {
  const { net, transcript } = place;
  transcript.title("Packets: from far away to addresses of the /48, at the user's machine and behind it");
  await net.ip("host", [`route add default via ${leased.router}`]);
  await transcript.run("user", ["ip", "addr", "add", `${leased.own}/128`, "dev", "lo"]);
  const rule = ["ip", "-6", "rule", "add", "to", plan.leasePool, "priority", "5200", "lookup", "main"];
  await transcript.run("user", rule);
  await until("the first answer", () => isReached(place));
  await transcript.run("upstream", ping(leased.own, "-c", "3"));
  await transcript.run("upstream", ping(leased.host, "-c", "3"));
  await transcript.run("host", ["ping", "-n", "-i", "0.2", "-c", "3", farHost]);
  await showSizes(place);
  await showSegments(place);
}

/** Whether an address of the /48 answers. */
export async function isReached({ transcript }: VpnLab): Promise<boolean> {
  const command = ping(leased.own, "-c", "1", "-W", "1");
  const answer = await transcript.run("upstream", command, { isQuiet: true, mayFail: true });
  return answer.includes(" 0% packet loss");
}

function ping(to: string, ...more: readonly string[]): string[] {
  return ["ping", "-n", "-i", "0.2", ...more, "-I", farHost, to];
}

async function showSizes(place: VpnLab): Promise<void> {
  const { transcript } = place;
  transcript.title(`Packets of ${plan.tunnelMtuBytes} bytes pass; larger ones are refused with the reason`);
  await transcript.run("user", ["cat", `/sys/class/net/${plan.device}/mtu`]);
  const whole = ["-c", "1", "-W", "1", "-M", "do"];
  await transcript.run("upstream", ping(leased.host, ...whole, "-s", String(pingBytesMax)));
  const tooLarge = ping(leased.host, ...whole, "-s", String(pingBytesMax + 1));
  const said = await transcript.run("upstream", tooLarge, { mayFail: true });
  await transcript.check("the exchange says how large a packet may be", () =>
    said.includes(`mtu=${plan.tunnelMtuBytes}`),
  );
}

async function showSegments(place: VpnLab): Promise<void> {
  const { transcript } = place;
  transcript.title("TCP's segments are clamped to the tunnel, at both ends of it");
  await offeredSegment(place, "host");
  for (const node of ["user", "ixp"] as const) {
    for (const command of clamp) {
      await transcript.run(node, command);
    }
  }
  for (const from of ["host", "upstream"] as const) {
    const bytes = await offeredSegment(place, from);
    await transcript.check(
      `the other end is offered ${plan.tunnelMssBytes} bytes`,
      () => bytes === plan.tunnelMssBytes,
    );
  }
}

const clamp = [
  ["nft", "add", "table", "inet", "vantage"],
  ["nft", "add", "chain", "inet", "vantage", "forward", "{ type filter hook forward priority mangle; }"],
  [
    ...["nft", "add", "rule", "inet", "vantage", "forward", "oifname", plan.device, "tcp", "flags", "syn"],
    ...["tcp", "option", "maxseg", "size", "set", "rt", "mtu"],
  ],
] as const;

/** Opens a connection from there to the other end, and gives the MSS in bytes of the SYN that arrives. */
async function offeredSegment({ net, transcript }: VpnLab, from: "host" | "upstream"): Promise<number> {
  const [to, address, device] =
    from === "host" ? (["upstream", farHost, "ixp"] as const) : (["host", leased.host, "user"] as const);
  const filter = `ip6 and tcp and dst host ${address}`;
  const capture = Bun.spawn(net.at(to, ["tcpdump", "-lnni", device, "-c", "1", filter]), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  await saidUpTo(capture.stderr, "listening on");
  // Nobody listens there; the SYN says all.
  const source = from === "host" ? leased.host : farHost;
  const dial = [
    "curl",
    "--silent",
    "--connect-timeout",
    "2",
    "--interface",
    source,
    `http://[${address}]:9/`,
  ];
  await transcript.run(from, dial, { isQuiet: true, mayFail: true });
  const seen = (await new Response(capture.stdout).text()).trim();
  transcript.say(
    `${to}# tcpdump -ni ${device} tcp\n   ${seen.replace(/, seq.*(options \[mss \d+).*/, ", $1,…]")}`,
  );
  return Number(/mss (\d+)/.exec(seen)?.[1]);
}
