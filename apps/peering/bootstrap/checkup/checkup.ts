/** A user's side of the exchange: VPN, tunnel, routing daemon, sessions, leases, and the service over them all. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { misconfigured, sourceIn } from "../../../../lib/command/checkup/configuration.ts";
import { examine } from "../../../../lib/command/checkup/examine.ts";
import { type Finding, fail, ok, warn } from "../../../../lib/command/checkup/finding.ts";
import { diskSpace } from "../../../../lib/command/checkup/host/disk.ts";
import { reversePath } from "../../../../lib/command/checkup/host/kernel.ts";
import { openFiles } from "../../../../lib/command/checkup/host/open-files.ts";
import { leaseMinutesWarn, openFilesFew } from "../../../../lib/command/checkup/limits.ts";
import { tunnel } from "../../../../lib/command/checkup/net/tunnel.ts";
import { clock, localUrl, service } from "../../../../lib/command/checkup/net/web.ts";
import type { Environment } from "../../../../lib/engines/config/environment.ts";
import { askStatus } from "../ask-service.ts";
import { type BootstrapConfig, readBootstrapConfig } from "../config.ts";
import type { GatewayLogin } from "../gateway-login.ts";
import { disagreements, leasesAtGateway } from "../leases.ts";
import type { StatusBody } from "../status/bodies.ts";
import { durationText } from "../status/words.ts";
import { userText } from "../user-text.ts";
import { connectedExchanges, routerLooks } from "./router.ts";
import { vpn } from "./vpn.ts";

const start = "systemctl start vantage-bootstrap, or: vantage bootstrap run -c FILE";

/** USER_ASN and USER_PREFIXES out of the environment, or out of the service's file beside the configuration. */
function userOf(file: string, environment: Environment): Environment {
  const variables = join(dirname(file), "bootstrap.env");
  if (environment.USER_ASN !== undefined || !existsSync(variables)) {
    return environment;
  }
  const lines = readFileSync(variables, "utf8").matchAll(/^(USER_[A-Z]+)=["']?([^"'\n]*)["']?$/gm);
  return { ...environment, ...Object.fromEntries([...lines].map(([, name, value]) => [name, value])) };
}

export async function examineClient(file: string, environment: Environment): Promise<Finding[]> {
  let config: BootstrapConfig;
  try {
    config = readBootstrapConfig(sourceIn(file), userOf(file, environment));
  } catch (error) {
    return misconfigured(error, "docs/reference/bootstrap-configuration.md");
  }
  const { user, daemon, gateway, stateFolder, listen, vpn: vpnConfig } = config;
  const { device } = vpnConfig;
  return examine([
    {
      what: "configuration",
      see: () => ok("configuration", userText(user, ", ", "receive only")),
    },
    {
      what: "VPN",
      see: async () => vpn(vpnConfig.socket, config.rule, Date.now(), await connectedExchanges(daemon)),
    },
    { what: "tunnel", see: () => tunnel({ device, address: null, prefixes: user.prefixes ?? [] }) },
    { what: "reverse path filter", see: () => reversePath(device) },
    ...routerLooks(daemon),
    { what: "bootstrap", see: async () => announcements(await askStatus(stateFolder)), otherwise: start },
    { what: "status page", see: () => service("status page", localUrl(listen), start) },
    ...(gateway === null
      ? []
      : [
          {
            what: "leases",
            see: () => leases(config, gateway),
            otherwise: "is the token of gateway.token_file, or the login of gateway.profile, good?",
          },
          { what: "clock", see: () => clock(gateway.url), otherwise: "see: gateway.url" },
        ]),
    { what: "state folder", see: () => diskSpace("state folder", stateFolder) },
    { what: "daemon's folder", see: () => diskSpace("daemon's folder", dirname(daemon.configFile)) },
    { what: "open files", see: () => openFiles(openFilesFew) },
  ]);
}

/** What the service that runs knows: what does not work, and what came of each prefix. */
function announcements({ problems, prefixes, user }: StatusBody): Finding[] {
  const wrong = problems.map(({ text, advice }) => fail("bootstrap", text, advice));
  const good = ok("bootstrap", user.receive_only ? "runs; nothing is to be announced" : "runs");
  return [...(wrong.length === 0 ? [good] : wrong), ...prefixes.flatMap((prefix) => announcement(prefix))];
}

type PrefixStatus = StatusBody["prefixes"][number];

function announcement({ prefix, lease, seconds_left: leftSec, exchanges }: PrefixStatus): Finding[] {
  const renew = `vantage peering prefix renew 24 (or request one), or take it out of USER_PREFIXES`;
  const what = `lease of ${prefix}`;
  const left = leftSec === null ? "" : `, ${durationText(leftSec)} left`;
  const leaseFinding =
    lease === "leased"
      ? (leftSec ?? Number.POSITIVE_INFINITY) < 60 * leaseMinutesWarn
        ? warn(what, `it ends soon${left}`, "vantage peering prefix renew 24")
        : ok(what, `leased${left}`)
      : lease === "unknown"
        ? warn(what, "whether it is leased is not known yet", "log in, and give gateway.profile")
        : fail(what, lease === "ended" ? "the lease has ended" : "there is no lease of yours for it", renew);
  return [leaseFinding, ...exchanges.map((at) => verdictAt(prefix, at))];
}

function verdictAt(prefix: string, at: PrefixStatus["exchanges"][number]): Finding {
  const what = `${prefix} at ${at.name}`;
  switch (at.verdict) {
    case "announced":
      return ok(what, `received as ${at.as_path ?? "announced"}`);
    case "withdrawn":
      return ok(what, "withdrawn, as you have ordered");
    case "waiting":
      return warn(what, at.explanation || "not received yet", at.advice || "try again in a minute");
    default:
      return fail(what, at.explanation, at.advice);
  }
}

async function leases(config: BootstrapConfig, gateway: GatewayLogin): Promise<Finding[]> {
  const wrong = disagreements(config.user, await leasesAtGateway(gateway), Date.now());
  const advice = "vantage peering env prints both as they should be";
  return wrong.length === 0
    ? [ok("leases", "USER_ASN and USER_PREFIXES are as the gateway has them")]
    : wrong.map((line) => fail("leases", line, advice));
}
