/** `vantage doctor` at a user and at the exchange: all is well, then one fault after the other, made on purpose. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeDevice, Tailscaled } from "../../contract/bootstrap/tailscaled.ts";
import { sampleUser } from "../../exchange/samples.ts";
import { gatewayKey, headscaleKey } from "../../exchange/sources-server.ts";
import { until } from "../../exchange/until.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { run } from "../namespaces.ts";
import { exchangeSettings } from "./configurations.ts";
import { ExchangeLab } from "./exchange-lab.ts";
import { LabClient } from "./lab-client.ts";
import * as plan from "./plan.ts";
import { startRelay } from "./relay.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-doctor-"));
const stack = new AsyncDisposableStack();
const leased = "2001:db8:20ab::/48";
const forever = "2035-01-01T00:00:00Z";
const user = sampleUser(66, { leases: [{ prefix: leased, end_time: forever }] });
const others = plan.users.filter(({ asn }) => asn !== user.asn);
let lab: ExchangeLab;
let client: LabClient;

beforeAll(async () => {
  lab = stack.use(await ExchangeLab.start({ users: [...others, user] }));
  client = stack.use(await LabClient.start(lab, { asn: user.asn, prefixes: [leased] }));
  const here = { node: "exchange", address: "127.0.0.1" };
  const generator = (path: string, remoteAddress: string) =>
    lab.service.app.request(path, {}, { remoteAddress });
  stack.use(startRelay(lab, { ...here, port: 8091, answer: generator }));
  stack.use(startRelay(lab, { ...here, port: 8093, answer: () => new Response("{}") }));
  writeFileSync(join(folder, "exchange.yaml"), exchangeSettings(lab.policyFile));
  writeFileSync(join(folder, "policy-generator.yaml"), generatorSettings());
  await run(lab.net.at("exchange", ["nft", "-f", "-"]), clamp);
  await until("the route at the upstream", () => lab.birds.upstream.hears(leased));
  // BIRD may start before the cache listens, and tries again after some seconds.
  const cache = () => lab.birds.exchange.ask("show protocols cache");
  await until("the RPKI cache", async () => `${await cache()}`.includes("Established"));
  await until("the announcement", async () => {
    // An order lets the client ask the exchange at once, and not in some seconds.
    await client.command("announce", leased);
    return (await client.status()).prefixes[0]?.exchanges[0]?.verdict === "announced";
  });
});
afterAll(async () => {
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

const clamp = `add table inet lab
add chain inet lab forward { type filter hook forward priority mangle; }
add rule inet lab forward tcp flags syn tcp option maxseg size set rt mtu
`;

const generatorSettings = () => `
generator: {state_dir: ${folder}/state, address: "127.0.0.1:8091"}
gateway: {url: "http://127.0.0.1:8093", key: ${gatewayKey}}
vpn: {headscale_url: "http://127.0.0.1:8094", headscale_key: ${headscaleKey}, allow_email_join: true}
platform: {asn: ${plan.platformAsn}}
daemon: {policy_file: ${lab.policyFile}, control_socket: ${lab.birds.exchange.socket}}
`;

const at = (node: string, command: string[]) => run(lab.net.at(node, command));
const sysctl = (node: string, ...values: string[]) => at(node, ["sysctl", "-qw", ...values]);

interface Found {
  readonly level: string;
  readonly what: string;
  readonly found: string;
  readonly next: string;
}

interface DoctorOptions {
  readonly environment?: Record<string, string>;
  readonly within?: readonly string[];
}

async function doctor(node: string, args: string[], { environment = {}, within = [] }: DoctorOptions = {}) {
  const { stdout, stderr, exitCode } = await runToEnd(
    lab.net.at(node, [...within, ...vantageCommand, "doctor", ...args, "-o", "json"]),
    { env: { ...process.env, ...environment } },
  );
  if (stderr !== "") {
    throw new Error(stderr);
  }
  const findings = JSON.parse(stdout) as Found[];
  const bad = findings.filter(({ level }) => level !== "ok");
  expect(bad.filter(({ next }) => next === "")).toEqual([]);
  expect(exitCode).toBe(findings.some(({ level }) => level === "fail") ? 1 : 0);
  return { good: findings.filter(({ level }) => level === "ok"), bad: bad.map(shown) };
}

const shown = ({ level, what, found }: Found) => `${level} ${what}: ${found}`;
const exchange = (name = "exchange") => doctor("exchange", ["exchange", "-c", join(folder, `${name}.yaml`)]);
const member = (prefixes = leased, file = join(client.folder, "bootstrap.yaml")) =>
  doctor("rogue", ["client", "-c", file], {
    environment: { USER_ASN: String(user.asn), USER_PREFIXES: prefixes },
  });

test("nothing is wrong at the exchange", async () => {
  const { good, bad } = await exchange();
  expect(bad).toEqual([]);
  const lines = good.map(shown);
  expect(lines.filter((line) => line.startsWith("ok upstream transit: up since "))).toHaveLength(1);
  expect(lines).toContain("ok RPKI: cache is up: Established");
  expect(lines).toContain(`ok policy: ${lab.policyFile} is there`);
  const inForce = /^ok active policy: 5 users may announce .*; leases are \d+ s old, devices \d+ s old$/;
  expect(lines).toContainEqual(expect.stringMatching(inForce));
  expect(good.map(({ what }) => what)).toContain("metrics of policy generator");
});

test("nothing is wrong at the user", async () => {
  const { good, bad } = await member();
  expect(bad).toEqual([]);
  const lines = good.map(shown);
  expect(lines).toContain(`ok ${leased} at ixp-1: received as ${user.asn}`);
  expect(lines).toContain("ok VPN: runs, as 100.64.0.66");
});

test("a user who forwards needs the rules only when somebody behind uses the prefix", async () => {
  await sysctl("rogue", "net.ipv6.conf.all.forwarding=1");
  expect((await member()).bad).toEqual([]);
  const lan = ["link add lan0 type veth peer name lan1", "link set lan1 up", "link set lan0 up"];
  await lab.net.ip("rogue", [...lan, "addr add 2001:db8:20ab:7::1/64 dev lan0 nodad"]);
  const whom = /^warn TCP segment size: forwarded TCP of 2001:db8:20ab:7::\/64 \(lan0\) is not clamped/;
  expect((await member()).bad).toEqual([expect.stringMatching(whom)]);
  await at("rogue", ["nft", "-f", join(import.meta.dirname, "../../../deploy/client/clamp.nft")]);
  expect((await member()).bad).toEqual([]);
  await lab.net.ip("rogue", ["link del lan0"]);
  await sysctl("rogue", "net.ipv6.conf.all.forwarding=0");
});

test("faults of the exchange's kernel and tunnel", async () => {
  const name = "net.ipv6.route.max_size";
  const before = (await at("exchange", ["sysctl", "-n", name])).trim();
  await sysctl("exchange", "net.ipv6.conf.all.forwarding=0", "net.ipv4.conf.all.rp_filter=1", `${name}=4096`);
  await at("exchange", ["ip", "link", "set", "tailscale0", "mtu", "1500"]);
  expect((await exchange()).bad).toEqual([
    "warn MTU of tailscale0: 1500 bytes: larger packets get lost on the way",
    "fail IPv6 forwarding: off: no packet of a user goes anywhere",
    expect.stringMatching(
      /^warn reverse path filter: strict: packets on tailscale0 are dropped where answers/,
    ),
    "fail room for routes: the kernel keeps 4096 IPv6 routes at most; the full table has more than 230000",
  ]);
  await sysctl(
    "exchange",
    ...["net.ipv6.conf.all.forwarding=1", "net.ipv4.conf.all.rp_filter=0", `${name}=${before}`],
  );
  await at("exchange", ["ip", "link", "set", "tailscale0", "mtu", "1280"]);
  await at("exchange", ["nft", "delete", "table", "inet", "lab"]);
  expect((await exchange()).bad).toEqual([
    "warn TCP segment size: forwarded TCP is not clamped to tailscale0: connections may hang after the first bytes",
  ]);
  await run(lab.net.at("exchange", ["nft", "-f", "-"]), clamp);
});

test("an exchange whose policy, tunnel and generator are not what its settings say", async () => {
  const policy = join(folder, "broken.conf");
  writeFileSync(policy, "function enforce_user_policy(ip remote_ip) { nonsense; }\n");
  const settings = exchangeSettings(policy).replace("router_id:", "tunnel_device: vpn9\n  router_id:");
  writeFileSync(join(folder, "other.yaml"), settings.replace("asn: 64500", "asn: 64501"));
  const { bad } = await exchange("other");
  expect(bad).toEqual(
    expect.arrayContaining([
      "fail tunnel vpn9: there is no such device",
      expect.stringMatching(/^fail policy: BIRD cannot read .*broken\.conf:1:\d+/),
    ]),
  );
  writeFileSync(join(folder, "wrong.yaml"), "exchange: {asn: many}\n");
  expect((await exchange("wrong")).bad[0]).toStartWith("fail configuration: ");
});

const memberItself = async () => (await member()).bad.filter((line) => !line.startsWith("fail bootstrap"));

test("a VPN that wants a login, whose key ends, or in which nobody is", async () => {
  const { tailscaled } = client;
  const { self, peers } = tailscaled;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const device = { HostName: "rogue", TailscaleIPs: ["100.64.0.66"] };
  tailscaled.peers = [exchangeDevice(1, { Online: false }), exchangeDevice(9, { TailscaleIPs: [] })];
  tailscaled.self = { ...device, KeyExpiry: inDays(2) };
  const listed = "ok exchange servers: the VPN lists ixp-1 as offline, but its session is up";
  expect((await member()).good.map(shown)).toContain(listed);
  expect(await memberItself()).toEqual([
    expect.stringMatching(/^warn VPN key: good until \S+: that is soon$/),
    "warn exchange servers: cannot be joined: ixp-9: it has no address in 100.64.0.0/10",
  ]);
  tailscaled.peers = [];
  tailscaled.self = { ...device, KeyExpiry: inDays(-1) };
  expect(await memberItself()).toEqual([
    expect.stringMatching(/^fail VPN key: ended at /),
    "fail exchange servers: none with the tag tag:exchange in the VPN",
  ]);
  tailscaled.self = self;
  tailscaled.peers = peers;
  tailscaled.state = "NeedsLogin";
  expect((await memberItself())[0]).toBe("fail VPN: The VPN waits for your login");
  tailscaled.state = "Running";
  await until("peace", async () => (await client.status()).problems.length === 0);
});

test("a session that the exchange has ended, a lease that ends soon, a prefix that nobody has leased", async () => {
  const soon = new Date(Date.now() + 30 * 60_000).toISOString();
  lab.sources.change([...others, { ...user, leases: [{ prefix: leased, end_time: soon }] }]);
  await until("word of the end", async () => {
    await client.command("announce", leased);
    return (await client.status()).prefixes[0]?.end_time === soon;
  });
  expect((await member()).bad).toEqual([
    expect.stringMatching(/^warn lease of \S+: it ends soon, 2\d min left$/),
  ]);
  lab.sources.change([...others, { ...user, leases: [] }]);
  // For a moment the exchange has the new leases, and its daemon has not looked at the route by them.
  const bad = await until("the refusal with its reason", async () => {
    await client.command("announce", leased);
    const findings = (await member()).bad;
    return findings.some((finding) => finding.includes("not exactly one")) && findings;
  });
  expect(bad).toEqual([
    `fail lease of ${leased}: there is no lease of yours for it`,
    `fail ${leased} at ixp-1: the prefix is not exactly one that the user has leased`,
  ]);
  await lab.birds.exchange.ask('disable "peering_*"');
  await until("the session's end", async () => (await client.bird.sessions()).every(({ isUp }) => !isUp));
  expect((await member()).bad).toContainEqual(
    expect.stringMatching(
      /^fail session with 100\.64\.0\.1: \w+, Received: Administrative shutdown: the other/,
    ),
  );
  client.tailscaled.peers = [exchangeDevice(1, { Online: false })];
  expect(await memberItself()).toContain("warn exchange servers: ixp-1 is offline");
});

test("a user without tailscaled, BIRD and service, with a configuration that BIRD cannot read", async () => {
  const file = join(folder, "bootstrap.yaml");
  writeFileSync(join(folder, "bird.conf"), "router id nobody;\n");
  writeFileSync(
    file,
    `platform: {asn: 64500}
vpn: {socket: ${folder}/none.sock, device: none0}
daemon: {config_file: ${folder}/bird.conf, control_socket: ${folder}/none.ctl}
bootstrap: {state_dir: /proc/none, address: "127.0.0.1:9"}
`,
  );
  expect((await member(leased, file)).bad).toEqual([
    expect.stringMatching(/^fail VPN: Cannot ask tailscaled at \S+none\.sock/),
    "fail tunnel none0: there is no such device",
    expect.stringMatching(/^fail BIRD's configuration: BIRD cannot read .*bird\.conf:1:\d+/),
    expect.stringMatching(/^fail BIRD's socket: \S+none\.ctl is missing/),
    expect.stringContaining("fail bootstrap: No client stack answers at /proc/none/control.sock (is "),
    "fail status page: http://127.0.0.1:9/health does not answer: nothing listens there",
    "fail state folder: /proc/none: 0 MiB free",
  ]);
  const { bad } = await member("2001:db8::/47");
  expect(bad[0]).toStartWith('fail configuration: environment USER_PREFIXES: "2001:db8::/47" is not an IPv6');
});

test("an exchange whose own key in the VPN has ended", async () => {
  await using tailscaled = new Tailscaled(join(folder, "exchange-ts.sock"), []);
  const KeyExpiry = "2026-01-01T00:00:00Z";
  tailscaled.self = { HostName: "ixp-1", TailscaleIPs: [plan.exchangeMember.v4], KeyExpiry };
  // In its own view of the machine, tailscaled's socket is where it always is.
  const place = "/run/tailscale";
  const view = `mount -t tmpfs none /run && mkdir ${place} && ln -s '${tailscaled.socket}' ${place}/tailscaled.sock`;
  const { bad } = await doctor("exchange", ["exchange", "-c", join(folder, "exchange.yaml")], {
    within: ["unshare", "-m", "sh", "-c", `${view} && exec "$@"`, "sh"],
  });
  expect(bad).toEqual(["fail VPN key: ended at 2026-01-01T00:00:00.000Z"]);
});

test("sessions of the exchange that are down, and an RPKI cache that is away", async () => {
  const { exchange: bird, upstream } = lab.birds;
  await upstream.ask("disable exchange");
  await bird.ask("disable cache");
  await until("the session's end", async () => {
    const { bad } = await exchange();
    return bad.some((line) => line.startsWith("fail upstream transit")) && bad;
  });
  const { bad } = await exchange();
  expect(bad).toEqual([
    expect.stringMatching(
      /^fail upstream transit: \w+, Received: Administrative shutdown: the other side has ended/,
    ),
    expect.stringMatching(/^fail RPKI: cache is down/),
  ]);
});

test("an exchange whose BIRD is gone: its generator says so too", async () => {
  await lab.birds.exchange[Symbol.asyncDispose]();
  await until("word of the generator", () => lab.service.generator.parts.watch.sessions === null);
  expect((await exchange()).bad).toEqual([
    expect.stringMatching(/^fail BIRD's socket: Cannot query BIRD at \S+exchange\.ctl: /),
    "warn policy generator: degraded: the routing daemon does not answer",
  ]);
});
