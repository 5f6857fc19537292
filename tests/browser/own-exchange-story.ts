/**
 * A student at `vantage stack --exchange` works at the console in a real Chromium, by keys alone and with a mouse:
 * first path graph, alert, discovery, lease, announcement; and runs an experiment. Prints what was seen as JSON.
 * `argv`: an empty folder, then how to start the program.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NameServer } from "../contract/probing-gateway/name-server.ts";
import { until } from "../exchange/until.ts";
import { gatewayUrl, inside, Student } from "../lab/exchange/student.ts";
import { Browser } from "./browser.ts";
import { logInWith } from "./console-scenes.ts";
import { Stories } from "./console-stories.ts";
import { KeyboardHand, MouseHand } from "./hand.ts";

const [folder = "", ...vantage] = process.argv.slice(2);
const ceilingMs = 60_000;
/** The exchange's ends of the links to its upstreams: they answer to the student's prefix, through the tunnel. */
const [target, lossy] = ["2001:db8:ffff:1::1", "2001:db8:ffff:2::1"];
const name = "exchange.example";

/** Behind the exchange, which forwards to it here; it knows no way back by itself. */
const behind = "2001:db8:ffff:1::2";
async function reachUpstream(student: Student): Promise<void> {
  const settings = ["net.ipv6.conf.all.forwarding=1", "net.ipv6.icmp.ratelimit=0"];
  await student.said(["sysctl", "-q", "-w", ...settings]);
  const upstream = ["ip", "netns", "exec", "vantage-transit1"];
  await student.said([...upstream, "sysctl", "-q", "-w", "net.ipv6.icmp.ratelimit=0"]);
  await student.said([...upstream, "ip", "route", "add", student.prefix, "via", target]);
}

/** Loses every second ping. */
async function lose(student: Student): Promise<void> {
  const file = student.at("lossy.nft");
  writeFileSync(
    file,
    `table ip6 lossy {
  chain input {
    type filter hook input priority 0;
    ip6 daddr ${lossy} icmpv6 type echo-request numgen inc mod 2 == 0 drop
  }
}
`,
  );
  await student.said(["nft", "-f", file]);
}

/** On the student's side of the tunnel, with sources in the prefix. */
async function startAgent(student: Student): Promise<void> {
  const key = readFileSync(join(student.platform, "gateway/enrolment.key"), "utf8").trim();
  const config = {
    agent: { id: "west", state_dir: student.at("west"), block_reserved_ranges: false },
    prober: [
      {
        ...{ name: "main", instance_id: 1, probing_rate: 1000 },
        ...{ interface: "tailscale0", src_ipv6_prefix: student.prefix },
      },
    ],
    kafka: { brokers: `embedded:${join(student.platform, "broker")}` },
    gateway: { url: gatewayUrl.replace(/\/$/, ""), enrolment_key: key },
  };
  writeFileSync(student.at("agent.yaml"), JSON.stringify(config));
  student.keep([...inside, ...vantage, "agent", "-c", student.at("agent.yaml")]);
  await until(
    "a healthy agent",
    async () => {
      const agents: { state: string }[] = JSON.parse(await student.run("agents", "-o", "json"));
      return agents.some(({ state }) => state === "healthy");
    },
    ceilingMs,
  );
}

using names = await NameServer.start({ [name]: target });
const told: string[] = [];
await using hook = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: async (request) => {
    told.push(await request.text());
    return new Response("ok");
  },
});
await using student = new Student(folder, vantage, {
  VANTAGE_SAFETY__BLOCK_RESERVED_RANGES: "false",
  VANTAGE_CONTEXT__RESOLVERS: `127.0.0.1:${names.port}`,
  VANTAGE_ALERTS__ALLOWED_HOSTS: "127.0.0.1",
  VANTAGE_LEASES__PER_USER_MAX: "2",
});
await student.begin();
await student.seenAs("the announcement", ["64496 64500", "64497 64500"]);
await startAgent(student);
await reachUpstream(student);
await lose(student);

await using browser = await Browser.start();
const tab = await browser.open(`${gatewayUrl}console`);
await logInWith(tab, gatewayUrl, "anna");
const stories = new Stories(tab, gatewayUrl);
const [mouse, keys] = [new MouseHand(tab), new KeyboardHand(tab)];
await stories.trace(mouse, name, target);
const { clicks } = mouse;
await stories.trace(keys, name, target);
const played = {
  clicks,
  alert: await stories.alert(keys, lossy, hook.url.href),
  alertByMouse: await stories.alert(mouse, lossy, hook.url.href),
  discovery: await stories.discover(keys, behind),
  discoveryByMouse: await stories.discover(mouse, behind),
};

const prefix = await stories.lease(keys);
await stories.look(keys, prefix, `${prefix} `);
await tab.go(`${gatewayUrl}console/peering`);
const page = () => tab.text("section[aria-labelledby=announcements-title]");
await until("the router's report", async () => (await page()).includes("accepted"), ceilingMs);
const before = await page();
await stories.announce(keys, prefix, 2);
const glass = await stories.look(mouse, prefix, "64496 64500 64500 64500");
await stories.announce(mouse, student.prefix, 2);
const longer = ["64496 64500 64500 64500", "64497 64500 64500 64500"];
const prepended = await student.seenAs("the prepends of the page", longer);
await tab.go(`${gatewayUrl}console/peering`);
const isWhole = async () =>
  /accepted[\s\S]*AS64496[\s\S]*AS64497|accepted[\s\S]*AS64497[\s\S]*AS64496/.test(await page());
await until("what has become of it", isWhole, ceilingMs);
const after = await page();
await stories.withdraw(keys);
const gone = await stories.look(keys, prefix, "No router has such a path");
await student.seenAs("the page's withdrawal", []);

const definition = {
  experiment: "prepend",
  prefix: student.prefix,
  probe: { agents: ["west"], targets: [target], protocol: "icmpv6", rate: 100 },
  steps: [
    { at: "0s", announce: { sites: ["ixp-1"] }, probe: { watch: { every: "1s", for: "3s" } } },
    { at: "10s", announce: { sites: ["ixp-1"], prepend: 2 }, probe: { watch: { every: "1s", for: "3s" } } },
  ],
};
const file = student.at("prepend.json");
writeFileSync(file, JSON.stringify(definition));
const summary = await student.run("experiment", "run", file, "--settle", "2s");
const timeline = JSON.parse(await student.run("experiment", "timeline", "prepend", "-o", "json"));
await tab.go(`${gatewayUrl}console/experiments`);
const experiments = await tab.text("main");
const { complaints } = tab;
const seen = {
  ...played,
  told,
  before,
  glass,
  prepended,
  after,
  gone,
  summary,
  timeline,
  experiments,
  complaints,
};
console.log(JSON.stringify(seen));
process.exit(await student.leave());
