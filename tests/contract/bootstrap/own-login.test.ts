/** The service's own login: from an empty folder to announced prefixes, by what the page shows and nothing else. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { readBootstrapConfig } from "../../../apps/peering/bootstrap/config.ts";
import { followChanges, makeService, type Service } from "../../../apps/peering/bootstrap/service.ts";
import { Profiles } from "../../../lib/engines/gateway-client/profiles.ts";
import { jsonLog } from "../../../lib/engines/observe/log.ts";
import { until } from "../../exchange/until.ts";
import { approveDevice } from "../../issuer/device-login.ts";
import { startTestIssuer, type TestIssuer } from "../../issuer/issuer.ts";
import { ClientHome, one, statusOf } from "./client-home.ts";

const vpnLogin = "https://vpn.example/register/abc";
let home: ClientHome;
let issuer: TestIssuer;
let gateway: Bun.Server<undefined>;
let asn: number | null;
let requests: string[];
let leases: object[];

function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  requests.push(`${request.method} ${pathname}`);
  if (pathname === "/api/login") {
    const { url, audience } = issuer;
    const scopes = ["openid", "offline_access"];
    const peering = gateway.url.origin;
    return Response.json({
      issuer: url,
      client_id: "vantage-cli",
      audience,
      scopes,
      peering_gateway: peering,
    });
  }
  if (!request.headers.get("authorization")?.startsWith("Bearer ")) {
    return new Response("{}", { status: 401 });
  }
  if (pathname === "/api/user/asn") {
    asn = 65_077;
    return Response.json({ asn, message: "" });
  }
  return pathname === "/api/user/info"
    ? Response.json({ asn, platform_asn: 64_500, active_leases: leases })
    : new Response("{}", { status: 404 });
}

function makeClient(variables: Readonly<Record<string, string>> = {}): Service {
  const text = home.config().replace("platform: {asn: 64500}", "");
  const environment = {
    ...{ XDG_CONFIG_HOME: join(home.folder, "settings"), USER_ASN: "", USER_PREFIXES: "" },
    ...{
      VANTAGE_BOOTSTRAP_GATEWAY__LOGIN: gateway.url.origin,
      VANTAGE_BOOTSTRAP_BOOTSTRAP__INTERVAL_SEC: "1",
    },
    ...variables,
  };
  return makeService(readBootstrapConfig({ name: "test", text }, environment), {
    log: jsonLog("bootstrap", (line) => home.log.push(line)),
    nowMs: Date.now,
    elapsedMs: () => performance.now(),
  });
}

async function follow(service: Service, act: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const running = followChanges(service, stop.signal);
  await act().finally(() => stop.abort());
  await running;
}

beforeEach(async () => {
  home = new ClientHome();
  issuer = await startTestIssuer();
  gateway = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  asn = null;
  requests = [];
  leases = [{ prefix: one, end_time: new Date(Date.now() + 3_600_000).toISOString() }];
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  await gateway.stop(true);
  await issuer[Symbol.asyncDispose]();
});

test("the page shows both logins; after them the AS number is requested and the lease announced", async () => {
  home.tailscaled.state = "NeedsLogin";
  home.tailscaled.loginUrl = vpnLogin;
  const { self } = home.tailscaled;
  home.tailscaled.self = null;
  const service = makeClient();
  await follow(service, async () => {
    const stepsNow = async () => (await statusOf(service)).steps;
    await until("both links", async () => (await stepsNow()).filter(({ url }) => url !== null).length === 2);
    const [login, , vpn] = await stepsNow();
    expect(login?.code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(vpn?.url).toBe(vpnLogin);
    const page = await (await service.app.request("/")).text();
    expect(page).toContain(`<a href="${login?.url?.replaceAll("&", "&amp;")}"`);
    expect(page).toContain(`<a href="${vpnLogin}"`);
    expect(page).toContain(login?.code ?? "?");
    await approveDevice(login?.url ?? "", "alice");
    await until("the AS number", async () => (await statusOf(service)).user.asn === 65_077);
    home.tailscaled.state = "Running";
    home.tailscaled.loginUrl = "";
    home.tailscaled.self = self;
    await until("the daemon's configuration", () => Bun.file(home.configFile).exists());
  });
  expect(home.text()).toContain("65077");
  expect(home.text()).toContain("64500");
  expect(home.text()).toContain(one);
  expect(requests.filter((request) => request === "POST /api/user/asn")).toHaveLength(1);
  // Commands with the same settings folder use this login.
  const profiles = new Profiles(join(home.folder, "settings/vantage"));
  expect(profiles.read(profiles.current() ?? "")?.peering_gateway).toBe(gateway.url.origin);

  // The next start needs neither the user nor the gateway.
  await gateway.stop(true);
  await Bun.file(home.configFile).delete();
  const again = makeClient();
  await again.client.look();
  expect((await statusOf(again)).user.asn).toBe(65_077);
  expect(home.text()).toContain(one);
});

test("what the environment states wins, and no AS number is requested then", async () => {
  const service = makeClient({ USER_ASN: "65001", VANTAGE_BOOTSTRAP_PLATFORM__ASN: "64999" });
  await follow(service, async () => {
    await until("the prompt", async () => (await statusOf(service)).steps[0]?.url != null);
    await approveDevice((await statusOf(service)).steps[0]?.url ?? "", "bob");
    await until("the leases", () => requests.includes("GET /api/user/info"));
    await until("the configuration", () => Bun.file(home.configFile).exists());
  });
  expect(home.text()).toContain("65001");
  expect(home.text()).toContain("64999");
  expect(home.text()).not.toContain(one);
  expect(requests).not.toContain("POST /api/user/asn");
});

test("a gateway that cannot be reached is reported, and the login begins as soon as it can", async () => {
  const service = makeClient();
  const { port = 0 } = gateway;
  await gateway.stop(true);
  await follow(service, async () => {
    const problems = async () => JSON.stringify((await statusOf(service)).problems);
    await until("the problem", async () =>
      (await problems()).includes("See that the gateway can be reached"),
    );
    gateway = Bun.serve({ port, hostname: "127.0.0.1", fetch: answer });
    await until("the prompt", async () => (await statusOf(service)).steps[0]?.url != null);
    await until(
      "no problem",
      async () => !(await problems()).includes("See that the gateway can be reached"),
    );
  });
});
