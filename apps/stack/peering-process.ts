/**
 * `vantage stack peering`: the peering gateway on an embedded database, until it is stopped. Its users log in with the
 * issuer of `vantage stack gateway`.
 *
 * Sections of its configuration that the probing gateway does not have come by variables, as
 * `VANTAGE_LEASES__POOL=2001:db8:1000::/40`. Keys are made once, in its folder.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyMadeOnce } from "../../lib/engines/auth/key-file.ts";
import { type Environment, sectionsOf } from "../../lib/engines/config/environment.ts";
import { serve } from "../../lib/engines/http/serve.ts";
import { jsonLog } from "../../lib/engines/observe/log.ts";
import { gatewayApp } from "../peering/gateway/app.ts";
import { type PeeringGatewayConfig, readGatewayConfig } from "../peering/gateway/config.ts";
import { openServices } from "../peering/gateway/gateway.ts";
import { makeSubjectKey } from "../peering/gateway/subjects/subject-key.ts";
import { neighborNames } from "./exchange/outside/plan.ts";
import { databaseStep, peeringDirectory, serviceKeyPath } from "./gateway-folder.ts";
import { operatorRole, rolesClaim } from "./issuer/first-person.ts";
import { audienceDefault } from "./issuer/issuer.ts";
import { ownChanges } from "./limits.ts";
import { type Listen, listenText, urlOf } from "./listen.ts";
import { StopRequest, tellParent } from "./parent.ts";
import { poolDefault } from "./pool-default.ts";

interface PeeringOrder {
  readonly peering: Listen;
  /** `http://127.0.0.1:8095` */
  readonly issuer: string;
  /** Announcement requests may name the upstreams of the stack's exchange. */
  readonly hasNeighbors: boolean;
  readonly directory: string;
  readonly hasParent: boolean;
}

const ownSections = ["asns", "announcements", "leases", "email", "rpki"];

/** Resolves when the process was stopped, and everything is on disk. */
export async function runPeering(order: PeeringOrder): Promise<void> {
  const { peering, directory, hasParent } = order;
  using stop = new StopRequest(hasParent);
  const folder = peeringDirectory(directory);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const environment = environmentOf(process.env);
  const config = configOf({ ...order, environment });
  tellParent({ kind: "step", text: databaseStep(folder) });
  await using services = await openServices(config, jsonLog("peering-gateway"));
  const listen = { host: peering.hostname, port: peering.port, setting: "--peering-listen" };
  await using server = serve(gatewayApp(services).fetch, listen);
  tellParent({ kind: "ready", text: `${urlOf({ ...peering, port: server.port })}/` });
  await stop.came;
  // Else who waits for changes delays the end.
  services.feed[Symbol.dispose]();
}

/** Its sections, and of those that both gateways have who is an operator: that is one person at both. */
function environmentOf(all: Environment): Environment {
  const operators = Object.entries(all).filter(([name]) => /^VANTAGE_OIDC__OPERATOR/i.test(name));
  return { ...sectionsOf(all, ["VANTAGE_"], ownSections), ...Object.fromEntries(operators) };
}

interface ConfigParts extends Omit<PeeringOrder, "hasParent"> {
  readonly environment: Environment;
}

function configOf({
  peering,
  issuer,
  hasNeighbors,
  directory,
  environment,
}: ConfigParts): PeeringGatewayConfig {
  const folder = peeringDirectory(directory);
  const hasFile = Object.keys(environment).some((name) => name.toUpperCase() === "VANTAGE_LEASES__POOL_FILE");
  const given = {
    gateway: { address: listenText(peering), state_dir: folder },
    oidc: { issuer, audiences: [audienceDefault], operator_claim: rolesClaim, operator_role: operatorRole },
    leases: hasFile ? {} : { pool: [poolDefault] },
    announcements: {
      ...{ prefix_minutes: 0, per_hour_max: ownChanges.perHour },
      neighbors: hasNeighbors ? neighborNames : [],
    },
    subjects: { keys_file: subjectKeys(folder) },
    service: { keys: [{ name: "exchange", key: keyMadeOnce(serviceKeyPath(directory)) }] },
  };
  const source = { name: "the stack's peering gateway", text: JSON.stringify(given) };
  return readGatewayConfig(source, environment);
}

/** Without the keys no subject can be read any more: back them up. */
function subjectKeys(folder: string): string {
  const path = join(folder, "subject-keys");
  if (!existsSync(path)) {
    const key = makeSubjectKey(new Date().toISOString().slice(0, 10));
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx" });
  }
  return path;
}
