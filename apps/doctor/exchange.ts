/** An exchange server: settings, tunnel, kernel, BIRD with its sessions and RPKI, and the policy generator. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { askBird } from "../../lib/bird/control.ts";
import { type BirdSession, readSessions } from "../../lib/bird/sessions.ts";
import type { Environment } from "../../lib/config/environment.ts";
import { checkExchange } from "../exchange/check.ts";
import { type ExchangeSettings, readSettings } from "../exchange/settings.ts";
import { type GeneratorConfig, readGeneratorConfig } from "../policy-generator/config.ts";
import { birdProgram, birdRuns } from "./bird/daemon.ts";
import { kernelRoutes } from "./bird/kernel-routes.ts";
import { rpkiFindings } from "./bird/rpki.ts";
import { misconfigured, sourceIn } from "./configuration.ts";
import { examine, type Look } from "./examine.ts";
import { type Finding, fail, messageOf, ok, warn } from "./finding.ts";
import { diskSpace } from "./host/disk.ts";
import { forwarding, reversePath, routeRoom } from "./host/kernel.ts";
import { openFiles } from "./host/open-files.ts";
import { openFilesMin } from "./limits.ts";
import { tunnel } from "./net/tunnel.ts";
import { vpn } from "./net/vpn.ts";
import { ask, clock, jsonOf, localUrl, service } from "./net/web.ts";
import { sessionAdvice } from "./session-advice.ts";

const generatorStart = "systemctl start vantage-policy-generator, or: vantage policy-generator -c FILE";
/**
 * Socket of tailscaled; an exchange whose key expires loses every user. Of another VPN only the device can be checked.
 */
const vpnSocket = "/var/run/tailscale/tailscaled.sock";
const usualSocket = "/run/bird/bird.ctl";
/** Names of users' sessions in the exchange's template. */
const userSession = /^peering_/;

export async function examineExchange(file: string, environment: Environment): Promise<Finding[]> {
  let settings: ExchangeSettings;
  try {
    settings = readSettings(sourceIn(file), environment);
  } catch (error) {
    return misconfigured(error, "docs/exchange-settings.md");
  }
  const beside = join(dirname(file), "policy-generator.yaml");
  const { config: generator, finding } = generatorOf(beside, environment);
  const socket = generator?.daemon.controlSocket ?? usualSocket;
  const { tunnel_device: device, tunnel_address: address } = settings.exchange;
  return [
    ok("configuration", `${file}: AS${settings.exchange.asn}`),
    finding,
    ...(await examine([
      { what: "settings", see: () => configured(settings) },
      ...(existsSync(vpnSocket) ? [{ what: "VPN", see: () => vpn(vpnSocket, null, Date.now()) }] : []),
      { what: "tunnel", see: () => tunnel({ device, address, prefixes: null }) },
      { what: "IPv6 forwarding", see: () => forwarding() },
      { what: "reverse path filter", see: () => reversePath(device) },
      ...(settings.kernel.routes === "all" ? [{ what: "room for routes", see: () => routeRoom() }] : []),
      { what: "BIRD", see: () => birdProgram(generator?.daemon.checkCommand ?? "bird") },
      { what: "sessions", see: () => birdRuns(socket, () => sessions(socket, settings)) },
      ...(generator === null ? [] : generatorLooks(generator)),
      { what: "open files", see: () => openFiles(openFilesMin) },
    ])),
  ];
}

function generatorOf(
  path: string,
  environment: Environment,
): { readonly config: GeneratorConfig | null; readonly finding: Finding } {
  const what = "generator's configuration";
  if (!existsSync(path)) {
    const next = `put the policy generator's configuration there; users are let in by it alone`;
    return {
      config: null,
      finding: warn(what, `${path} is missing, so the generator is not looked at`, next),
    };
  }
  try {
    const config = readGeneratorConfig(sourceIn(path), environment);
    return { config, finding: ok(what, path) };
  } catch (error) {
    const next = "docs/policy-generator-configuration.md has every key";
    return { config: null, finding: fail(what, messageOf(error), next) };
  }
}

/**
 * The findings of `vantage exchange check`, without its advice, and without the device, which is checked in detail
 * here.
 */
async function configured(settings: ExchangeSettings): Promise<Finding[]> {
  const findings = await checkExchange(settings, null);
  return findings
    .filter(({ text, isWarning = false }) => !isWarning && !text.startsWith("the VPN's device"))
    .map(({ isGood, text }) =>
      isGood ? ok("policy", text) : fail("policy", text, "vantage exchange check -c FILE"),
    );
}

async function sessions(socket: string, settings: ExchangeSettings): Promise<Finding[]> {
  const lines = await askBird(socket, "show protocols all");
  const all = readSessions(lines);
  const users = all.filter(({ name }) => userSession.test(name));
  const up = users.filter(({ isUp }) => isUp);
  return [
    ...settings.neighbors.map(({ name, role, address }) =>
      neighborFinding(
        `${role} ${name}`,
        all.find(({ neighborAddress }) => neighborAddress === address),
      ),
    ),
    ok("sessions of users", `${up.length} up, ${users.length - up.length} down`),
    ...(await forwarded(socket, settings)),
    ...rpkiFindings(lines),
  ];
}

async function forwarded(socket: string, { kernel, exchange }: ExchangeSettings): Promise<Finding[]> {
  const place = { device: exchange.tunnel_device, table: kernel.table ?? null };
  return kernel.routes === "none" ? [] : [await kernelRoutes(socket, place)];
}

function neighborFinding(what: string, session: BirdSession | undefined): Finding {
  if (session === undefined) {
    const next = "vantage exchange render -c FILE --out /etc/bird, then birdc configure";
    return fail(what, "BIRD has no such session: it runs with other settings", next);
  }
  if (!session.isUp) {
    const { why, next } = sessionAdvice(session);
    return fail(what, why, next);
  }
  return session.importedRoutes === 0
    ? warn(what, "up, but no route of it is accepted", `birdc show route filtered protocol ${session.name}`)
    : ok(what, `up since ${session.since}, ${session.importedRoutes} routes accepted`);
}

function generatorLooks(generator: GeneratorConfig): Look[] {
  const url = localUrl(generator.listen);
  return [
    { what: "policy generator", see: () => service("policy generator", url, generatorStart) },
    ...(url === null
      ? []
      : [{ what: "policy in force", see: () => policyInForce(url), otherwise: generatorStart }]),
    {
      what: "clock",
      see: () => clock(generator.gateway.url),
      otherwise: "see: gateway.url of the generator",
    },
    { what: "generator's folder", see: () => diskSpace("generator's folder", generator.stateDir) },
    {
      what: "policy's folder",
      see: () => diskSpace("policy's folder", dirname(generator.daemon.policyFile)),
    },
  ];
}

async function policyInForce(url: string): Promise<Finding> {
  const what = "policy in force";
  const { status, text } = await ask(`${url}/policy`);
  const body = jsonOf(text) as { reject_all?: boolean; failure?: string | null; users?: unknown[] };
  if (status !== 200) {
    return warn(what, `${url}/policy answers with status ${status}`, "ask from an operator's network");
  }
  if (typeof body.failure === "string") {
    return fail(what, body.failure, "the policy before stays in force; mend what it names");
  }
  return body.reject_all === true
    ? fail(
        what,
        "nobody may announce anything: what is known is too old",
        "see the policy generator's health",
      )
    : ok(what, `${body.users?.length ?? 0} users may announce what they lease; ${await agesOf(url)}`);
}

/** Age of the policy's sources. */
async function agesOf(url: string): Promise<string> {
  const body = jsonOf((await ask(`${url}/health`)).text) as {
    data_age_seconds?: Record<string, number | null>;
  };
  const { gateway, vpn: devices } = body.data_age_seconds ?? {};
  const age = (seconds: number | null = null) => (seconds === null ? "of unknown age" : `${seconds} s old`);
  return `leases are ${age(gateway)}, devices ${age(devices)}`;
}
