/**
 * `vantage stack gateway`: the probing gateway on an embedded database, and the development issuer that its users log
 * in with, until it is stopped.
 *
 * Settings that the stack does not fix are configured by the gateway's variables:
 * `VANTAGE_LIMITS__PROBES_PER_DAY=100000`.
 */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { defaultPorts } from "../../lib/engines/config/default-ports.ts";
import { serve } from "../../lib/engines/http/serve.ts";
import { jsonLog } from "../../lib/engines/observe/log.ts";
import { createEnrolmentKey, grantEnrolled } from "../probing/gateway/admin/enrolment-keys.ts";
import { gatewayApp } from "../probing/gateway/app.ts";
import { type ProbingGatewayConfig, readGatewayConfig } from "../probing/gateway/config.ts";
import { openServices } from "../probing/gateway/gateway.ts";
import type { Services } from "../probing/gateway/services.ts";
import { databaseStep, enrolmentKeyPath, gatewayDirectory, issuerDirectory } from "./gateway-folder.ts";
import { operatorRole, rolesClaim } from "./issuer/first-person.ts";
import { type Issuer, startIssuer } from "./issuer/issuer.ts";
import { commandLineClient, consoleClient } from "./issuer/issuer-settings.ts";
import { agentsEnrolledMax, ownProbesPerDay } from "./limits.ts";
import { type Listen, listenText, urlOf } from "./listen.ts";
import { StopRequest, tellParent } from "./parent.ts";

interface GatewayOrder {
  readonly gateway: Listen;
  readonly issuerPort: number;
  /** URL of the peering gateway that logins lead to; null = none. */
  readonly peeringGateway: string | null;
  /** URL of the exchange's policy generator, whose sessions the console shows; null = none. */
  readonly exchangeStatus: string | null;
  readonly broker: string;
  readonly store: string;
  readonly directory: string;
  readonly hasParent: boolean;
}

/** Resolves when the process was stopped, and everything is on disk. */
export async function runGateway(command: GatewayOrder): Promise<void> {
  const { directory, gateway, issuerPort, hasParent } = command;
  using stop = new StopRequest(hasParent);
  // The issuer's cookies (tsscmp 1.0.6) warn of crypto.pseudoRandomBytes at the first login: no action is possible.
  process.noDeprecation = true;
  await using issuer = await startIssuer({ port: issuerPort, directory: issuerDirectory(directory) });
  tellParent({ kind: "step", text: databaseStep(gatewayDirectory(directory)) });
  await using services = await openServices(configOf(command, issuer), jsonLog("probing-gateway"));
  const listen = { host: gateway.hostname, port: gateway.port, setting: "--gateway-listen" };
  await using server = serve(gatewayApp(services).fetch, listen);
  await makeEnrolmentKey(services, enrolmentKeyPath(directory));
  const url = urlOf({ ...gateway, port: server.port });
  tellParent({ kind: "ready", text: JSON.stringify({ gateway: `${url}/`, issuer: issuer.url }) });
  await stop.came;
}

function configOf(command: GatewayOrder, issuer: Issuer): ProbingGatewayConfig {
  const { directory, broker, store, gateway, peeringGateway, exchangeStatus } = command;
  const peering = peeringGateway === null ? {} : { peering_gateway: peeringGateway };
  const given = {
    gateway: { address: listenText(gateway), state_dir: gatewayDirectory(directory), ...peering },
    kafka: { brokers: broker },
    store: { address: store },
    oidc: {
      ...{ issuer: issuer.url, audiences: [issuer.audience], client_id: commandLineClient },
      ...{ operator_claim: rolesClaim, operator_role: operatorRole },
    },
    limits: { probes_per_day: ownProbesPerDay },
    // Its users choose the targets of their own machine: names reveal them to its resolvers alone.
    context: { names: true },
    console: {
      client_id: consoleClient,
      // Beside an exchange is a collector.
      ...(exchangeStatus === null
        ? {}
        : { exchanges: [exchangeStatus], collectors: [`http://127.0.0.1:${defaultPorts.collector}`] }),
    },
  };
  return readGatewayConfig({ name: "the stack's gateway", text: JSON.stringify(given) }, process.env);
}

const label = "vantage stack";

/**
 * Readers of the key are operators of this machine, so its agents may use any source: a laptop has other addresses
 * each day.
 */
const grantedPrefixes = ["0.0.0.0/0", "::/0"];

/** Made once. The database has only its hash, so a new key is made when the file is gone. */
async function makeEnrolmentKey({ database }: Services, path: string): Promise<void> {
  if (existsSync(path)) {
    // A stack of before 0.2.0 granted nothing.
    await grantEnrolled(database, { label, grantedPrefixes });
    return;
  }
  const order = { label, uses: agentsEnrolledMax, expiresAt: null, grantedPrefixes };
  const { enrolment_key } = await createEnrolmentKey(database, "admin", order);
  writeFileSync(`${path}.new`, `${enrolment_key}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
