/** `vantage peering` as its users have it: processes, a real gateway, and tokens that are really issued. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { sharedPostgres } from "../../postgres/shared-postgres.ts";
import { runToEnd } from "../../run/said.ts";
import { vantageCommand } from "../../run/vantage-command.ts";
import { configText } from "../peering-gateway/peering-home.ts";
import { GatewayProcess } from "../probing-gateway/gateway-process.ts";
import { RefusedLibraries } from "./refused-libraries.ts";

const folder = mkdtempSync(join(tmpdir(), "vantage-cli-peering-"));
const stack = new AsyncDisposableStack();
let issuer: TestIssuer;
let gateway: GatewayProcess;
/** As on macOS or Windows: no command of a user loads any. */
let refused: RefusedLibraries;

beforeAll(async () => {
  refused = stack.use(await RefusedLibraries.make());
  const postgres = stack.use(await sharedPostgres());
  issuer = stack.use(await startTestIssuer());
  const config = join(folder, "gateway.yaml");
  const yaml = [
    `oidc: { issuer: "${issuer.url}", audiences: ["${issuer.audience}"] }`,
    "rpki: { mode: lease, adapter: local, origin_asn: 64500 }",
  ].join("\n");
  const leases = '{ pool: ["2001:db8:1::/48", "2001:db8:2::/47", "2001:db8:4::/47"], per_user_max: 2 }';
  writeFileSync(config, configText({ leases, yaml }, folder, await postgres.createDatabase()));
  gateway = await GatewayProcess.start(config, [], "peering-gateway");
});
afterAll(async () => {
  await gateway?.stop();
  await stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
});

async function run(user: string, ...args: string[]) {
  const isTop = ["announce", "announcements", "withdraw"].includes(args[0] ?? "");
  const said = await runToEnd([...vantageCommand, ...(isTop ? [] : ["peering"]), ...args], {
    env: {
      ...refused.environment,
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: folder,
      VANTAGE_PEERING_GATEWAY: gateway.url,
      VANTAGE_TOKEN: await issuer.tokenFor(user),
    },
  });
  expect(refused.taken()).toEqual([]);
  return said;
}

async function json(user: string, ...args: string[]) {
  const { stdout, stderr, exitCode } = await run(user, ...args, "-o", "json");
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

test("a login at this gateway is answered with the command for the other one", async () => {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder };
  const { exitCode, stderr } = await runToEnd([...vantageCommand, "login", "--gateway", gateway.url], {
    env,
  });
  expect([exitCode, stderr]).toEqual([
    1,
    `vantage login: ${gateway.url.replace(/\/$/, "")} is not a probing gateway, where logins are; ` +
      `if it is the exchange's: vantage login --gateway=URL --peering-gateway=${gateway.url.replace(/\/$/, "")}\n`,
  ]);
});

test("from nothing to an environment for the client stack, and back", async () => {
  expect(await run("ann", "env")).toMatchObject({
    exitCode: 1,
    stderr: "vantage peering env: You have no AS number yet; get one with: vantage peering asn\n",
  });
  expect(await json("ann", "asn")).toMatchObject({ asn: 65000, message: "ASN assigned successfully" });
  expect((await run("ann", "prefix", "release")).stderr).toContain("You have no live lease");
  const lease = await json("ann", "prefix", "request", "4h");
  expect(lease).toMatchObject({ prefix: "2001:db8:1::/48", status: "active", rpki_enabled: true });
  expect(lease.seconds_left).toBeGreaterThan(4 * 3600 - 60);
  expect((await run("ann", "env")).stdout).toBe("USER_ASN=65000\nUSER_PREFIXES=2001:db8:1::/48\n");

  const renewed = await json("ann", "prefix", "renew", "24");
  expect(Date.parse(renewed.end_time)).toBeGreaterThan(Date.parse(lease.end_time));
  expect(await json("ann", "prefix", "rpki", "off")).toMatchObject({ rpki_enabled: false });
  await json("ann", "prefix", "request", "1");
  expect((await run("ann", "env", "-o", "csv")).stdout).toBe(
    'USER_ASN,USER_PREFIXES\n65000,"2001:db8:1::/48,2001:db8:2::/48"\n',
  );
  const choice = await run("ann", "prefix", "renew", "1");
  expect(choice).toMatchObject({ exitCode: 2 });
  expect(choice.stderr).toContain("Name one of your prefixes: ");
  const other = "2001:0db8:0002:0000::/48";
  expect(await json("ann", "prefix", "release", other)).toEqual({ prefix: "2001:db8:2::/48" });
  expect((await run("ann", "prefix", "list")).stdout.trim().split("\n")).toHaveLength(2);
  const all = await json("ann", "prefix", "list", "--all");
  expect(all.map(({ status }: { status: string }) => status)).toEqual(["released", "active"]);
});

test("announcements are asked for, checked against the budget, and withdrawn", async () => {
  const { prefix } = await json("eve", "prefix", "request", "4h");
  expect(await json("eve", "announce", prefix)).toMatchObject([
    { changes_left: 9, per_hour_max: 10, exchange_changes_left: null, exchange_changes_max: null },
  ]);
  const rows = await json("eve", "announcements");
  expect(rows).toMatchObject([
    { prefix, server: "*", announce: true, daemon: "waiting", exchange: "unknown" },
  ]);
  const check = await run("eve", "announce", "--at", "ixp-a", "--prepend", "2", "--for", "1h", "--check");
  expect(check).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/changes left in this hour +9/) });
  expect(check.stderr).toContain("Too soon: a prefix may change every 10 min");
  expect(await run("eve", "announce", "--prepend", "11")).toMatchObject({ exitCode: 2 });
  // Nobody confirms anything here.
  const unconfirmed = await run("eve", "withdraw", prefix, "--wait", "--timeout", "1s");
  expect(unconfirmed).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /8 of 10 changes left in this hour\n.*Not announced yet: no client stack follows .*gateway\.profile/,
    ),
  });
  expect(await run("eve", "withdraw", prefix, "--all")).toMatchObject({ exitCode: 2 });
  expect(await json("eve", "withdraw", "--all")).toMatchObject([{ server: "*", announce: false }]);
  const headers = {
    authorization: `Bearer ${await issuer.tokenFor("eve")}`,
    "content-type": "application/json",
  };
  const daemon = { announce: false, prepend: 0, daemon_ns: "2", daemon_reason: null };
  const exchange = { exchange: "withdrawn", exchange_ns: "3", exchange_reason: null, heard_by: [] };
  const changes = { max: 5, every_seconds: 600, spent_until: "2090-01-01T00:00:00.000Z", held_until: null };
  const states = [{ prefix, server: "ixp-a", ...daemon, ...exchange, changes }];
  const body = JSON.stringify({ version: 9, taken_ns: "1", states });
  const { status } = await fetch(`${gateway.url}/api/announcement-report`, { method: "PUT", headers, body });
  expect(status).toBe(200);
  expect(await json("eve", "withdraw", "--wait")).toMatchObject([
    { prefix, server: "ixp-a", daemon: "confirmed", exchange: "withdrawn", daemon_ns: "2", exchange_ns: "3" },
  ]);
  expect(await json("eve", "announcements")).toMatchObject([
    { changes_left: 8, per_hour_max: 10, exchange_changes_left: 0, exchange_changes_max: 5 },
  ]);
  expect((await run("eve", "withdraw")).stderr).toMatch(
    /^vantage withdraw: 8 of 10 changes left in this hour; as last reported, ixp-a accepts 0 of 5, one more at 2/,
  );
  const soon = await run("eve", "announce", "--check");
  expect(soon.stdout).toMatch(/changes that exchanges take +ixp-a: 0 of 5, one more at 2089-12-31T23:/);
  await run("eve", "prefix", "release");
});

test("what a client stack announces without a request is shown as announced", async () => {
  await run("gus", "prefix", "request", "4");
  const { prefix } = (await json("gus", "prefix", "list"))[0];
  const empty = await run("gus", "announcements");
  expect(empty.stderr).toContain("Nothing is announced; announce a prefix with: vantage announce PREFIX");
  const state = {
    ...{ prefix, server: "ixp-a", announce: true, prepend: 0, daemon_ns: "2", daemon_reason: null },
    ...{ exchange: "accepted", exchange_ns: "3", exchange_reason: null, heard_by: [] },
  };
  const withdrawn = { ...state, server: "ixp-b", announce: false, exchange: "withdrawn" };
  const headers = {
    authorization: `Bearer ${await issuer.tokenFor("gus")}`,
    "content-type": "application/json",
  };
  const body = JSON.stringify({ version: 0, taken_ns: "0", states: [state, withdrawn] });
  const { status } = await fetch(`${gateway.url}/api/announcement-report`, { method: "PUT", headers, body });
  expect(status).toBe(200);
  expect(await json("gus", "announcements")).toMatchObject([
    { prefix, server: "ixp-a", announce: true, daemon: "confirmed", exchange: "accepted", asked_ns: null },
  ]);
  await run("gus", "prefix", "release", prefix);
});

test("each exchange server has a way of its own, in one request that is one change", async () => {
  const { prefix } = await json("fay", "prefix", "request", "4h");
  const at = ["--at", "all,no-export", "--at", "west,prepend=2,prepend-to=64496=1", "--at", "east,withdraw"];
  const wrong = await run("fay", "announce", prefix, ...at);
  expect(wrong).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("no neighbour 64496") });
  expect(await json("fay", "announcements")).toEqual([]);
  const ways = ["--prepend", "1", "--at", "all,no-export", "--at", "west,prepend=2", "--at", "east,withdraw"];
  const rows = await json("fay", "announce", prefix, ...ways, "--for", "1h");
  const told = ({ server, announce, prepend, attributes, until }: Record<string, unknown>) =>
    [server, announce, prepend, attributes, until !== null] as const;
  expect(rows.map(told)).toEqual([
    ["*", true, 1, ["no export"], true],
    ["east", false, 0, [], false],
    ["west", true, 2, [], true],
  ]);
  const renewed = await run("fay", "announce", prefix, ...ways, "--for", "2h", "--check");
  expect(renewed.stderr).toContain("It may be done now, and does not count");
  expect(renewed.stdout).toMatch(/changes left in this hour +9/);
  for (const [given, reason] of [
    ["west,prepend=11", '--prepend "11" is not a number from 0 to 10'],
    ["west,prepend=1,withdraw", "--withdraw does not go with --prepend"],
    ["west,poisson=64496", 'did you mean "--poison"?'],
    ["west,2", 'has "2" where an option is expected'],
    ["West", "is not the name of an exchange server"],
  ] as const) {
    const { exitCode, stderr } = await run("fay", "announce", "--at", given);
    expect([exitCode, stderr.includes(reason)]).toEqual([2, true]);
  }
  const twice = await run("fay", "announce", "--at", "west,prepend=1", "--at", "west");
  expect(twice).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--at names west twice") });
  await run("fay", "prefix", "release");
});

test("an error is reported in one line, with the reason", async () => {
  const told = async (...args: string[]) => {
    const { stderr, exitCode } = await run("bob", ...args);
    return [exitCode, stderr.trim()];
  };
  expect(await told("prefix", "request", "25")).toEqual([
    1,
    "vantage peering prefix request: Duration must be between 1 and 24 hours; " +
      "give the hours of the lease, as vantage peering prefix request 4",
  ]);
  expect(await told("prefix", "release", "2001:db8:9::/48")).toEqual([
    1,
    "vantage peering prefix release: Prefix lease not found or already expired; see yours: vantage peering prefix list",
  ]);
  expect((await told("prefix", "request"))[0]).toBe(2);
  expect((await told("prefix", "request", "soon"))[0]).toBe(2);
  expect((await told("prefix", "release", "192.0.2.0/24"))[0]).toBe(2);
  expect((await told("prefix", "lend"))[0]).toBe(2);
  expect((await told())[0]).toBe(2);
  expect((await told("--help"))[0]).toBe(0);
  expect((await told("prefix"))[0]).toBe(2);
  expect(await told("prefix", "--help")).toEqual([0, ""]);
  expect((await told("prefix", "revoke"))[1]).toContain('did you mean "release"?');
  expect((await told("list"))[1]).toContain('did you mean "prefix"?');
});
