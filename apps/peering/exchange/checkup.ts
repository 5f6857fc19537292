/** An exchange server: settings, tunnel, kernel, BIRD with its sessions and RPKI. */
import { birdProgram, birdRuns } from "../../../lib/command/checkup/bird/daemon.ts";
import { kernelRoutes } from "../../../lib/command/checkup/bird/kernel-routes.ts";
import { rpkiFindings } from "../../../lib/command/checkup/bird/rpki.ts";
import { misconfigured, sourceIn } from "../../../lib/command/checkup/configuration.ts";
import { examine, type Look } from "../../../lib/command/checkup/examine.ts";
import { type Finding, fail, ok, warn } from "../../../lib/command/checkup/finding.ts";
import { forwarding, reversePath, routeRoom } from "../../../lib/command/checkup/host/kernel.ts";
import { openFiles } from "../../../lib/command/checkup/host/open-files.ts";
import { openFilesMin } from "../../../lib/command/checkup/limits.ts";
import { tunnel } from "../../../lib/command/checkup/net/tunnel.ts";
import { sessionAdvice } from "../../../lib/command/checkup/session-advice.ts";
import type { Environment } from "../../../lib/engines/config/environment.ts";
import { askBird } from "../../../lib/peering/bird/control.ts";
import { type BirdSession, readSessions } from "../../../lib/peering/bird/sessions.ts";
import { checkExchange } from "./check.ts";
import { type ExchangeSettings, readSettings } from "./settings.ts";

const usualSocket = "/run/bird/bird.ctl";
/** Names of users' sessions in the exchange's template. */
const userSession = /^peering_/;

/** What else runs on an exchange server, checked by itself. */
interface Beside {
  /** What is said of its configuration. */
  readonly findings: readonly Finding[];
  readonly looks: readonly Look[];
  readonly vpnLooks: readonly Look[];
  /** BIRD's control socket, and the program that reads its files, where they are not the usual ones. */
  readonly controlSocket: string | null;
  readonly checkCommand: string | null;
}

export async function examineExchange(
  file: string,
  environment: Environment,
  beside: Beside,
): Promise<Finding[]> {
  let settings: ExchangeSettings;
  try {
    settings = readSettings(sourceIn(file), environment);
  } catch (error) {
    return misconfigured(error, "docs/reference/exchange-settings.md");
  }
  const socket = beside.controlSocket ?? usualSocket;
  const { tunnel_device: device, tunnel_address: address } = settings.exchange;
  return [
    ok("configuration", `${file}: AS${settings.exchange.asn}`),
    ...beside.findings,
    ...(await examine([
      { what: "settings", see: () => configured(settings) },
      ...beside.vpnLooks,
      { what: "tunnel", see: () => tunnel({ device, address, prefixes: null }) },
      { what: "IPv6 forwarding", see: () => forwarding() },
      { what: "reverse path filter", see: () => reversePath(device) },
      ...(settings.kernel.routes === "all" ? [{ what: "room for routes", see: () => routeRoom() }] : []),
      { what: "BIRD", see: () => birdProgram(beside.checkCommand ?? "bird") },
      { what: "sessions", see: () => birdRuns(socket, () => sessions(socket, settings)) },
      ...beside.looks,
      { what: "open files", see: () => openFiles(openFilesMin) },
    ])),
  ];
}

/**
 * The findings of `vantage exchange check`, without its advice on what works as it is, and without the device, which is
 * checked in detail here.
 */
async function configured(settings: ExchangeSettings): Promise<Finding[]> {
  const findings = await checkExchange(settings, null);
  const next = "vantage exchange check -c FILE";
  return findings
    .filter(
      ({ text, isWarning = false, isRisk = false }) =>
        (isRisk || !isWarning) && !text.startsWith("the VPN's device"),
    )
    .map(({ isGood, isRisk = false, text }) => {
      const level = isRisk ? warn : fail;
      return isGood ? ok("policy", text) : level("policy", text, next);
    });
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
